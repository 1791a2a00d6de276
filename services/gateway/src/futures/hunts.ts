/** Moves of price against one position, until it is liquidated: one at a time in a contract, whichever process began it. */
import { randomUUID } from 'node:crypto';
import { ApiError } from '@orrery/api';
import { millis, type Millis } from '@orrery/units';
import type { PositionPlace } from '@orrery/views';
import type { Floor } from '../floor.ts';
import type { Sandbox } from '../ports.ts';

const LOOK_EVERY_MS = 1_000;
/** A fall of half in rounds of 3 s, and the cooldowns of a position that is liquidated in parts. */
const HUNT_MS = 240_000;
/** When a hunt goes further than the liquidation price that it began with. */
const WIDEN_EVERY_MS = 30_000;
const WIDEN_PPM = 20_000;
const SHIFT_MAX_PPM = 500_000;
const MILLION = 1_000_000;
/** Beyond the liquidation price, which the mark must pass. */
const BEYOND_PPM = 10_000;

interface Hunt {
  readonly id: string;
  readonly place: PositionPlace;
  readonly isLong: boolean;
  readonly endsAt: Millis;
  ppm: number;
  widensAt: number;
  /** A move of it is under way. */
  isMoving: boolean;
}

interface Prey {
  readonly place: PositionPlace;
  readonly isLong: boolean;
  /** Ticks; 0 for none. */
  readonly liquidationPrice: number;
  readonly indexPrice: number;
}

export interface HuntPorts {
  readonly floor: Floor;
  readonly sandbox: Sandbox;
  readonly now: () => number;
}

export class Hunts {
  readonly #ports: HuntPorts;
  readonly #hunts = new Map<PositionPlace['market'], Hunt>();
  #timer: NodeJS.Timeout | undefined;

  constructor(ports: HuntPorts) {
    this.#ports = ports;
  }

  /** @throws ApiError where another hunt is on, or half of the price is not far enough */
  async begin({ place, isLong, liquidationPrice, indexPrice }: Prey): Promise<{ readonly ppm: number; readonly endsAt: Millis }> {
    const { sandbox, now } = this.#ports;
    if (this.#hunts.has(place.market)) throw hunted();
    const outside = (indexPrice * MILLION) / (MILLION + sandbox.shift(place.market));
    const beyond = liquidationPrice * (1 + ((isLong ? -1 : 1) * BEYOND_PPM) / MILLION);
    const ppm = Math.round((beyond / outside - 1) * MILLION);
    if (liquidationPrice === 0 || Math.abs(ppm) > SHIFT_MAX_PPM)
      throw new ApiError('InvalidCombination', {
        field: 'symbol',
        message: 'this position is liquidated further away than half of the price: raise its leverage, or make it larger',
      });
    const endsAt = millis(now() + HUNT_MS);
    const hunt = { id: randomUUID(), place, isLong, endsAt, ppm, widensAt: now() + WIDEN_EVERY_MS, isMoving: false };
    this.#hunts.set(place.market, hunt);
    try {
      await this.#move(hunt, { ppm, endsAt });
    } catch (error) {
      this.#forget(hunt);
      throw error;
    }
    this.#timer ??= setInterval(() => void this.look(), LOOK_EVERY_MS).unref();
    return { ppm, endsAt };
  }

  /** Ends hunts whose position is gone, and widens those that take long. What cannot be moved now is moved a look later. */
  async look(): Promise<void> {
    await Promise.allSettled([...this.#hunts.values()].map((hunt) => this.#look(hunt)));
    if (this.#hunts.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  async #look(hunt: Hunt): Promise<void> {
    const at = this.#ports.now();
    if (hunt.isMoving) return;
    if (hunt.endsAt <= at) this.#forget(hunt);
    else if (this.#ports.floor.positions.get(hunt.place) === undefined) {
      await this.#move(hunt, { ppm: 0, endsAt: millis(at + LOOK_EVERY_MS) });
      this.#forget(hunt);
    } else if (hunt.widensAt <= at) {
      const wider = hunt.ppm + (hunt.isLong ? -WIDEN_PPM : WIDEN_PPM);
      const ppm = Math.max(-SHIFT_MAX_PPM, Math.min(SHIFT_MAX_PPM, wider));
      await this.#move(hunt, { ppm, endsAt: hunt.endsAt });
      hunt.ppm = ppm;
      hunt.widensAt = at + WIDEN_EVERY_MS;
    }
  }

  /** A hunt whose contract another one has by now is over. */
  async #move(hunt: Hunt, { ppm, endsAt }: { readonly ppm: number; readonly endsAt: Millis }): Promise<void> {
    const { sandbox, now } = this.#ports;
    hunt.isMoving = true;
    try {
      await sandbox.move({ market: hunt.place.market, ppm, endsAt, hunt: hunt.id }, millis(now()));
    } catch (error) {
      // A database that gives no answer ends no hunt.
      if (error instanceof ApiError && error.data.reason === HUNTED) this.#forget(hunt);
      throw error;
    } finally {
      hunt.isMoving = false;
    }
  }

  /** Not the one that has the contract by now. */
  #forget(hunt: Hunt): void {
    const { market } = hunt.place;
    if (this.#hunts.get(market) === hunt) this.#hunts.delete(market);
  }
}

const HUNTED = 'NotNow';

/** Another hunt has the contract. */
export const hunted = (): ApiError =>
  new ApiError(HUNTED, {
    retryAfterSeconds: 10,
    message: 'the price of this contract is being moved until a position is liquidated',
  });
