/** Outside prices from a recording: the month replayed in real time, without end. */
import { assert, millis, NO_ATOMS, NO_LOTS } from '@orrery/units';
import type { MarketId, Millis, Ticks } from '@orrery/units';
import type { Candle } from '@orrery/views';
import { derivedRound } from './derived-round.ts';
import { Loop, MINUTE_MS } from './loop.ts';
import type { LoopedMinute } from './loop.ts';
import type { Month } from './month.ts';
import { minutePath } from './path.ts';
import type { OutsideMarket, OutsidePrice, PriceRound, PriceSource } from './price-source.ts';
import { seededRandom } from './random.ts';
import { isRecorded, readRecordedMonth } from './recorded.ts';
import { isSynthetic, makeSyntheticMonth, SYNTHETIC_SEED } from './synthetic.ts';

interface Replayed {
  readonly market: OutsideMarket;
  readonly month: Month;
  readonly loop: Loop;
  /** The way through the minute that was asked for last. */
  path: { readonly index: number; readonly prices: readonly Ticks[] } | undefined;
}

export class ReplayedPrices implements PriceSource {
  readonly #markets: ReadonlyMap<MarketId, Replayed>;
  readonly #anchor: Millis;

  constructor(months: readonly { readonly market: OutsideMarket; readonly month: Month }[], anchor: Millis) {
    this.#anchor = anchor;
    this.#markets = new Map(
      months.map(({ market, month }) => [market.market, { market, month, loop: new Loop(month, anchor), path: undefined }]),
    );
  }

  price(id: MarketId, at: Millis): OutsidePrice | undefined {
    const replayed = this.#markets.get(id);
    const minute = replayed?.loop.minuteAt(at);
    if (replayed === undefined || minute === undefined) return undefined;
    if (replayed.path?.index !== minute.index) {
      // Every market of an asset has the same way, whatever it is quoted in.
      const random = seededRandom(`${baseOf(replayed.market)}_USDC ${minute.index}`);
      replayed.path = { index: minute.index, prices: minutePath(minute, random) };
    }
    const price = replayed.path.prices[Math.floor((at % MINUTE_MS) / 1_000)];
    assert(price !== undefined, 'every second of a minute has a price');
    return { market: id, symbol: replayed.market.symbol, price, at, label: replayed.month.label };
  }

  round(id: MarketId, at: Millis): PriceRound {
    const replayed = this.#markets.get(id);
    if (replayed === undefined) return { index: [], external: [] };
    return derivedRound({ asset: baseOf(replayed.market), at, priceAt: (time) => this.price(id, time)?.price });
  }

  *bars(id: MarketId, { from, to }: { from: Millis; to: Millis }): Generator<Candle, void> {
    const replayed = this.#markets.get(id);
    if (replayed === undefined) return;
    const earliest = this.#anchor - replayed.month.minutes.length * MINUTE_MS;
    for (let open = Math.max(earliest, Math.ceil(from / MINUTE_MS) * MINUTE_MS); open < to; open += MINUTE_MS) {
      const minute = replayed.loop.minuteAt(millis(open));
      if (minute !== undefined) yield candleOf(minute, millis(open));
    }
  }

  historyBars(id: MarketId): Iterable<Candle> {
    return this.bars(id, { from: millis(0), to: this.#anchor });
  }

  labelOf(id: MarketId): 'recorded' | 'synthetic' | undefined {
    return this.#markets.get(id)?.month.label;
  }

  close(): void {
    // Nothing is held open.
  }
}

const candleOf = ({ open, high, low, close }: LoopedMinute, openTime: Millis): Candle => ({
  openTime,
  open,
  high,
  low,
  close,
  volume: NO_LOTS,
  quoteVolume: NO_ATOMS,
});

export interface ReplayOptions {
  readonly markets: readonly OutsideMarket[];
  readonly anchor: Millis;
  readonly log: (line: string) => void;
}

/** @throws RangeError when there is neither a recording nor a way to make prices of a market's base asset. */
export function openReplayedPrices({ markets, anchor, log }: ReplayOptions): ReplayedPrices {
  const read = monthReader();
  const months = markets.map((market) => ({ market, month: read(market) }));
  for (const { market, month } of months) {
    if (month.label === 'synthetic') log(`the outside prices of ${market.symbol} are synthetic, made from the seed ${SYNTHETIC_SEED}`);
  }
  return new ReplayedPrices(months, anchor);
}

/** Spot and perpetual markets with the same steps share a month: to read one takes a tenth of a second. */
function monthReader(): (market: OutsideMarket) => Month {
  const read = new Map<string, Month>();
  return (market) => {
    const key = `${baseOf(market)} ${market.pricePrecision} ${market.sizePrecision}`;
    const month = read.get(key) ?? monthOf(market);
    read.set(key, month);
    return month;
  };
}

function monthOf(market: OutsideMarket): Month {
  const asset = baseOf(market);
  if (isRecorded(asset)) return readRecordedMonth(asset, market);
  if (isSynthetic(asset)) return makeSyntheticMonth(asset, market);
  throw new RangeError(`there are no prices of ${asset}: configure a live feed for ${market.symbol}`);
}

const baseOf = ({ symbol }: OutsideMarket): string => symbol.split('_')[0] ?? '';
