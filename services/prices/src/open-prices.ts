/** The outside prices as configured: live feeds when there are any, else the recorded month. */
import type { Millis } from '@orrery/units';
import { type AnchorStore, anchorOf } from './anchor.ts';
import { parseFeedConfigs } from './live/feed-config.ts';
import { LivePrices } from './live/live-prices.ts';
import type { OutsideMarket, PriceSource } from './price-source.ts';
import { openReplayedPrices } from './replayed-prices.ts';

export interface OpenPricesOptions {
  readonly markets: readonly OutsideMarket[];
  /** JSON of live feeds; undefined replays the recorded month. */
  readonly feeds: string | undefined;
  /** Where the replay keeps the minute at which it began. */
  readonly anchor: AnchorStore;
  readonly now: () => Millis;
  readonly monotonicMs: () => number;
  readonly log: (line: string) => void;
}

/** @throws Error with one sentence when the feeds are not configured well. */
export async function openPrices({ markets, feeds, anchor, now, monotonicMs, log }: OpenPricesOptions): Promise<PriceSource> {
  if (feeds !== undefined) return new LivePrices({ feeds: parseFeedConfigs(feeds), markets, monotonicMs, log });
  return openReplayedPrices({ markets, anchor: await anchorOf(anchor, now()), log });
}
