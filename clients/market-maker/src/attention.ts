/** How closely the exchange wants the house's quotes to follow the price: it says so in its status, by whether anybody is there. */
import type { Client } from '@orrery/sdk';
import type { Life } from './life.ts';

const ASK_MS = 1_000;
/** An exchange that asks for more gets no more. */
export const MOVE_PPM_MAX = 1_000;
/** At rest the tapes trade this many times less often. */
const REST_PAUSES = 20;

export class Attention {
  readonly #client: Pick<Client, 'status'>;
  readonly #life: Life;
  #movePpm = 0;

  constructor(client: Pick<Client, 'status'>, life: Life) {
    this.#client = client;
    this.#life = life;
  }

  /** Quotes follow a price that has moved by more than this, and stand further away by as much: what is moved late is never too cheap. */
  get movePpm(): number {
    return this.#movePpm;
  }

  /** Runs until life is over. */
  async run(): Promise<void> {
    while (!this.#life.isOver) {
      await this.look();
      await this.#life.pause(ASK_MS);
    }
  }

  /** Without an answer somebody may be there. */
  async look(): Promise<void> {
    const wanted = await this.#client.status().then(
      ({ quoteMovePpm }) => quoteMovePpm,
      () => 0,
    );
    this.#movePpm = Math.min(MOVE_PPM_MAX, wanted);
  }

  /** A pause of the tape: as long as it is while somebody is there, many times as long at rest; it ends soon after somebody comes. */
  async pause(ms: number): Promise<void> {
    for (let passed = 0; !this.#life.isOver;) {
      const left = ms * (this.#movePpm > 0 ? REST_PAUSES : 1) - passed;
      if (left <= 0) return;
      const part = Math.min(left, ASK_MS);
      await this.#life.pause(part);
      passed += part;
    }
  }
}

/** The price that quotes stand around: the one they were planned for, until the price is further from it than `movePpm`. */
export function followed<Price extends number>(price: Price, plannedFor: Price | undefined, movePpm: number): Price {
  return plannedFor !== undefined && Math.abs(price - plannedFor) * 1_000_000 <= movePpm * plannedFor ? plannedFor : price;
}
