/**
 * Whether anybody is there but the house: a stream, or a call with a session or a key. While nobody is, the house's quotes follow the price in larger steps,
 * at a greater distance, so that an exchange at rest writes little.
 */
import type { Principal } from '@orrery/api';

/** The house is at rest when nobody has been there for this long. */
export const REST_AFTER_MS = 120_000;
/** At rest, quotes are moved when the index price has moved by more than this, and stand further away by as much. */
export const REST_MOVE_PPM = 1_000;

export class Attendance {
  readonly #now: () => number;
  #seenAt: number;
  #wasCalled = false;

  /** @param monotonicMs somebody counts as having been there at the start */
  constructor(monotonicMs: () => number) {
    this.#now = monotonicMs;
    this.#seenAt = monotonicMs();
  }

  /** @param principal of a call; undefined of one that anybody may make, which the house makes as well */
  called(principal: Pick<Principal, 'tier'> | undefined): void {
    if (principal === undefined || isOfHouse(principal)) return;
    this.#seenAt = this.#now();
    this.#wasCalled = true;
  }

  /** Somebody is at another process of the exchange. */
  seenElsewhere(): void {
    this.#seenAt = this.#now();
  }

  /** @returns whether somebody is at this process, or was since this was asked last */
  takeHere(isWatched: boolean): boolean {
    const isHere = isWatched || this.#wasCalled;
    this.#wasCalled = false;
    return isHere;
  }

  /** @param isWatched whether a stream is open that is not of the house @returns parts per million; 0 while somebody is there, or was a moment ago */
  quoteMovePpm(isWatched: boolean): number {
    if (isWatched) this.#seenAt = this.#now();
    return this.#now() - this.#seenAt < REST_AFTER_MS ? 0 : REST_MOVE_PPM;
  }
}

/** Keys of this tier are made for the house's own clients. */
export const isOfHouse = ({ tier }: Pick<Principal, 'tier'>): boolean => tier === 'marketMaker';
