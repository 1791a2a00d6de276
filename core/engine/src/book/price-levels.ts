/**
 * The price levels of both sides, each side chained from best to worst. A level is known by its key: the price itself on the sell side,
 * the price counted down from the top on the buy side, so that on both sides the smaller key is the better price.
 */
import { NO_TICKS, ticks } from '@orrery/units';
import type { Ticks } from '@orrery/units';
import type { Side } from '@orrery/protocol';
import { NO_LEVEL, type BookRows, type LevelSlot } from './book-rows.ts';
import { PriceLadder } from './price-ladder.ts';

/** Keys of sells lie below, keys of buys at or above. */
const FIRST_BUY_KEY = 2 ** 30;
const BUY_TOP = 2 ** 31 - 1;

/** The highest price a level can have. */
export const LEVEL_PRICE_MAX: Ticks = ticks(FIRST_BUY_KEY - 1);

/** @param price from 1 to LEVEL_PRICE_MAX */
const keyOf = (side: Side, price: Ticks): number => (side === 'buy' ? BUY_TOP - price : price);
const priceOfKey = (key: number): Ticks => ticks(key < FIRST_BUY_KEY ? key : BUY_TOP - key);
const sideOfKey = (key: number): Side => (key < FIRST_BUY_KEY ? 'sell' : 'buy');

export class PriceLevels {
  readonly #rows: BookRows;
  readonly #ladder = new PriceLadder();
  #bestBuy: LevelSlot = NO_LEVEL;
  #bestSell: LevelSlot = NO_LEVEL;

  constructor(rows: BookRows) {
    this.#rows = rows;
  }

  /** The best level of a side, or NO_LEVEL. */
  best(side: Side): LevelSlot {
    return side === 'buy' ? this.#bestBuy : this.#bestSell;
  }

  /** 0 when the side is empty. */
  bestPrice(side: Side): Ticks {
    const level = this.best(side);
    return level === NO_LEVEL ? NO_TICKS : this.priceOf(level);
  }

  priceOf(level: LevelSlot): Ticks {
    return priceOfKey(this.#rows.key(level));
  }

  sideOf(level: LevelSlot): Side {
    return sideOfKey(this.#rows.key(level));
  }

  /** The level of a price, or NO_LEVEL. */
  find(side: Side, price: Ticks): LevelSlot {
    return this.#ladder.get(keyOf(side, price));
  }

  /** The level of a price, made without orders when there is none. */
  at(side: Side, price: Ticks): LevelSlot {
    const key = keyOf(side, price);
    const level = this.#ladder.get(key);
    return level === NO_LEVEL ? this.#open(side, key) : level;
  }

  /** Takes a level without orders out of the chain. */
  close(level: LevelSlot): void {
    const rows = this.#rows;
    const key = rows.key(level);
    const better = rows.better(level);
    const worse = rows.worse(level);
    if (better === NO_LEVEL) this.#setBest(sideOfKey(key), worse);
    else rows.setWorse(better, worse);
    if (worse !== NO_LEVEL) rows.setBetter(worse, better);
    this.#ladder.delete(key);
    rows.close(level);
  }

  #open(side: Side, key: number): LevelSlot {
    const rows = this.#rows;
    const level = rows.open(key);
    const best = this.best(side);
    const better = best === NO_LEVEL || key < rows.key(best) ? NO_LEVEL : this.#ladder.below(key);
    const worse = better === NO_LEVEL ? best : rows.worse(better);
    rows.setBetter(level, better);
    rows.setWorse(level, worse);
    if (better === NO_LEVEL) this.#setBest(side, level);
    else rows.setWorse(better, level);
    if (worse !== NO_LEVEL) rows.setBetter(worse, level);
    this.#ladder.set(key, level);
    return level;
  }

  #setBest(side: Side, level: LevelSlot): void {
    if (side === 'buy') this.#bestBuy = level;
    else this.#bestSell = level;
  }
}
