/** The outside prices as configured: live feeds when there are any, else the recorded month. */
import type { Millis } from '@orrery/units';
import { anchorFile, anchorOf } from './anchor.ts';
import { parseFeedConfigs } from './live/feed-config.ts';
import { LivePrices } from './live/live-prices.ts';
import type { OutsideMarket, PriceSource } from './price-source.ts';
import { openReplayedPrices } from './replayed-prices.ts';

export interface OpenPricesOptions {
  readonly markets: readonly OutsideMarket[];
  /** JSON of live feeds; undefined replays the recorded month. */
  readonly feeds: string | undefined;
  /** Where the replay keeps the minute at which it began. */
  readonly anchorPath: string;
  readonly now: () => Millis;
  readonly monotonicMs: () => number;
  readonly log: (line: string) => void;
}

/** @throws Error with one sentence when the feeds are not configured well. */
export function openPrices({ markets, feeds, anchorPath, now, monotonicMs, log }: OpenPricesOptions): PriceSource {
  if (feeds !== undefined) return new LivePrices({ feeds: parseFeedConfigs(feeds), markets, monotonicMs, log });
  return openReplayedPrices({ markets, anchor: anchorOf(anchorFile(anchorPath), now()), log });
}
