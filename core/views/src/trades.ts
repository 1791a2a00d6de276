/** The tape: the last trades of every market. */
import type { Lots, MarketId, Millis, Seq, Ticks, TradeId } from '@orrery/units';
import type { Event, Side } from '@orrery/protocol';
import type { Fold, Moment } from './fold.ts';

/** Trades kept of each market. */
export const TRADES_KEPT = 1_000;

export interface TapeTrade {
  readonly tradeId: TradeId;
  readonly market: MarketId;
  readonly price: Ticks;
  readonly size: Lots;
  readonly takerSide: Side;
  readonly at: Millis;
  readonly seq: Seq;
}

export class TradesView implements Fold {
  readonly #tapes = new Map<MarketId, TapeTrade[]>();

  /** @returns the trade, as it stands on the tape. */
  apply(event: Event, { seq, at }: Moment): TapeTrade | undefined {
    if (event.type !== 'Trade') return undefined;
    const { tradeId, market, price, size, takerSide } = event;
    const trade = { tradeId, market, price, size, takerSide, at, seq };
    this.#append(trade);
    return trade;
  }

  /** Trades of history, oldest first, before the first live one: facts tell none. */
  preload(trades: readonly TapeTrade[]): void {
    for (const trade of trades) this.#append(trade);
  }

  /** Newest first. */
  last(market: MarketId, limit: number): readonly TapeTrade[] {
    const tape = this.#tapes.get(market) ?? [];
    return tape.slice(Math.max(tape.length - Math.min(limit, TRADES_KEPT), 0)).toReversed();
  }

  #append(trade: TapeTrade): void {
    const tape = this.#tapes.get(trade.market) ?? [];
    this.#tapes.set(trade.market, tape);
    tape.push(trade);
    // Cut rarely: each cut moves the whole tape.
    if (tape.length >= 2 * TRADES_KEPT) tape.splice(0, tape.length - TRADES_KEPT);
  }
}
