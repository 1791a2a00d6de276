/** What the order book shows, one external store with a subscription per row: a row is a new object only when it changed. */
import { lots, NO_LOTS, NO_TICKS, ticks } from '@orrery/units';
import type { Lots, Ticks } from '@orrery/units';
import { LADDER_HEADER, LADDER_ROW } from './ladder.ts';

export type BookSideName = 'bid' | 'ask';

export interface LadderRow {
  readonly price: Ticks;
  readonly size: Lots;
  /** From the best price to this row. */
  readonly total: Lots;
  /** `total` as a share of the deeper side, in steps of 0.5 %, so that a bar moves only when the eye would see it. */
  readonly share: number;
}

export interface LadderTop {
  /** 0 when the side is empty. */
  readonly bestBid: Ticks;
  readonly bestAsk: Ticks;
  /** Of the rows shown. */
  readonly bidTotal: Lots;
  readonly askTotal: Lots;
}

const EMPTY_TOP: LadderTop = { bestBid: NO_TICKS, bestAsk: NO_TICKS, bidTotal: NO_LOTS, askTotal: NO_LOTS };

type Listener = () => void;

function sameRow(left: LadderRow | undefined, right: LadderRow): boolean {
  return (
    left !== undefined && left.price === right.price && left.size === right.size && left.total === right.total && left.share === right.share
  );
}

function sameTop(left: LadderTop, right: LadderTop): boolean {
  return (
    left.bestBid === right.bestBid && left.bestAsk === right.bestAsk && left.bidTotal === right.bidTotal && left.askTotal === right.askTotal
  );
}

class Rows {
  readonly #rows: (LadderRow | undefined)[] = [];
  readonly #listeners = new Map<number, Set<Listener>>();

  at(index: number): LadderRow | undefined {
    return this.#rows[index];
  }

  subscribe(index: number, listener: Listener): () => void {
    const listeners = this.#listeners.get(index) ?? new Set<Listener>();
    this.#listeners.set(index, listeners);
    listeners.add(listener);
    return () => listeners.delete(listener);
  }

  read(frame: Float64Array, from: number, count: number, deepest: number): void {
    for (let index = 0; index < count; index += 1) {
      const at = from + index * LADDER_ROW;
      const total = lots(frame[at + 2] ?? 0);
      const share = deepest === 0 ? 0 : Math.round((200 * total) / deepest) / 200;
      const row: LadderRow = { price: ticks(frame[at] ?? 0), size: lots(frame[at + 1] ?? 0), total, share };
      if (!sameRow(this.#rows[index], row)) this.#put(index, row);
    }
    for (let index = count; index < this.#rows.length; index += 1) {
      if (this.#rows[index] !== undefined) this.#put(index, undefined);
    }
  }

  #put(index: number, row: LadderRow | undefined): void {
    this.#rows[index] = row;
    for (const listener of this.#listeners.get(index) ?? []) listener();
  }
}

export class LadderStore {
  readonly #sides = { bid: new Rows(), ask: new Rows() };
  readonly #topListeners = new Set<Listener>();
  #top: LadderTop = EMPTY_TOP;
  #loaded = false;

  /** False until the first frame of the market in view. */
  readonly loaded = (): boolean => this.#loaded;
  readonly top = (): LadderTop => this.#top;

  readonly subscribeTop = (listener: Listener): (() => void) => {
    this.#topListeners.add(listener);
    return () => this.#topListeners.delete(listener);
  };

  row(side: BookSideName, index: number): LadderRow | undefined {
    return this.#sides[side].at(index);
  }

  subscribeRow(side: BookSideName, index: number, listener: Listener): () => void {
    return this.#sides[side].subscribe(index, listener);
  }

  put(frame: Float64Array): void {
    const bidRows = frame[0] ?? 0;
    const askRows = frame[1] ?? 0;
    const asksFrom = LADDER_HEADER + bidRows * LADDER_ROW;
    const bidTotal = bidRows === 0 ? NO_LOTS : lots(frame[asksFrom - 1] ?? 0);
    const askTotal = askRows === 0 ? NO_LOTS : lots(frame[asksFrom + askRows * LADDER_ROW - 1] ?? 0);
    const deepest = Math.max(bidTotal, askTotal);
    this.#sides.bid.read(frame, LADDER_HEADER, bidRows, deepest);
    this.#sides.ask.read(frame, asksFrom, askRows, deepest);
    const first = !this.#loaded;
    this.#loaded = true;
    this.#putTop({ bestBid: ticks(frame[2] ?? 0), bestAsk: ticks(frame[3] ?? 0), bidTotal, askTotal }, first);
  }

  /** Another market comes into view: nothing of the last one may stay. */
  clear(): void {
    this.#loaded = false;
    this.#sides.bid.read(new Float64Array(), 0, 0, 0);
    this.#sides.ask.read(new Float64Array(), 0, 0, 0);
    this.#putTop(EMPTY_TOP, true);
  }

  #putTop(top: LadderTop, always: boolean): void {
    if (!always && sameTop(this.#top, top)) return;
    this.#top = top;
    for (const listener of this.#topListeners) listener();
  }
}
