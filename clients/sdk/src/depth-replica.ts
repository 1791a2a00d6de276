/** A market's depth kept at the client's side, proven by the numbers and the checksums of the stream. */
import { depthChecksum, type Depth, type DepthLevel, type FuturesDepthUpdate, type Level } from '@orrery/api';

export class DepthReplica {
  readonly symbol: string;
  #bids: Level[] = [];
  #asks: Level[] = [];
  /** Of the last change applied; undefined while there is nothing to rely on. */
  #id: number | undefined;

  constructor(symbol: string) {
    this.symbol = symbol;
  }

  /** False from a gap or a wrong checksum until the next whole depth. */
  get isProven(): boolean {
    return this.#id !== undefined;
  }

  /** Best first; empty while not proven. */
  get bids(): readonly Level[] {
    return this.#bids;
  }

  get asks(): readonly Level[] {
    return this.#asks;
  }

  /** Starts from a whole depth. @returns false when its checksum does not fit. */
  reset(depth: Depth): boolean {
    this.#bids = [...depth.b];
    this.#asks = [...depth.a];
    this.#id = depth.id;
    return this.#prove(depth.c);
  }

  /** @returns false when this change can not be trusted: the depth must be subscribed again. */
  apply(change: DepthLevel): boolean {
    if (this.#id === undefined) return false;
    // What the whole depth held already may be sent once more.
    if (change.id <= this.#id) return true;
    if (change.id !== this.#id + 1) return this.#distrust();
    this.#id = change.id;
    const isBid = change.m === 1;
    place(isBid ? this.#bids : this.#asks, [change.p, change.q], isBid ? 1 : -1);
    return this.#prove(change.c);
  }

  /** Takes an update of the stream of contracts: the whole, or all levels that changed since the one before. @returns false when it can not be trusted. */
  update({ whole, pu, u, c, b, a }: FuturesDepthUpdate): boolean {
    if (whole) {
      this.#bids = [...b];
      this.#asks = [...a];
    } else {
      if (this.#id === undefined) return false;
      // What the whole depth held already may be sent once more.
      if (u <= this.#id) return true;
      if (pu !== this.#id) return this.#distrust();
      for (const level of b) place(this.#bids, level, 1);
      for (const level of a) place(this.#asks, level, -1);
    }
    this.#id = u;
    return this.#prove(c);
  }

  /** Forgets everything, as after a lost connection. */
  clear(): void {
    this.#distrust();
  }

  #prove(checksum: number | undefined): boolean {
    if (checksum === undefined || checksum === depthChecksum({ b: this.#bids, a: this.#asks })) return true;
    return this.#distrust();
  }

  #distrust(): false {
    this.#id = undefined;
    this.#bids = [];
    this.#asks = [];
    return false;
  }
}

/** @param direction 1 where the higher price is the better one, -1 where the lower is. */
function place(levels: Level[], level: Level, direction: 1 | -1): void {
  let low = 0;
  let high = levels.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const other = levels[middle];
    if (other !== undefined && compareDecimals(other[0], level[0]) * direction > 0) low = middle + 1;
    else high = middle;
  }
  const known = levels[low]?.[0] === level[0];
  const stays = level[1] !== '0';
  if (known && stays) levels[low] = level;
  else levels.splice(low, known ? 1 : 0, ...(stays ? [level] : []));
}

/** Below, at or above 0 as `left` is smaller than, equal to or greater than `right`: canonical decimals from 0, compared as text. */
export function compareDecimals(left: string, right: string): number {
  const [leftWhole = '', leftFraction = ''] = left.split('.');
  const [rightWhole = '', rightFraction = ''] = right.split('.');
  if (leftWhole.length !== rightWhole.length) return leftWhole.length - rightWhole.length;
  const [leftDigits, rightDigits] = [leftWhole + leftFraction, rightWhole + rightFraction];
  if (leftDigits === rightDigits) return 0;
  return leftDigits < rightDigits ? -1 : 1;
}
