/** Moves of price against one position, until it is liquidated: one at a time in a contract. */
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
  readonly place: PositionPlace;
  readonly isLong: boolean;
  readonly endsAt: Millis;
  ppm: number;
  widensAt: number;
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
  begin({ place, isLong, liquidationPrice, indexPrice }: Prey): { readonly ppm: number; readonly endsAt: Millis } {
    const { sandbox, now } = this.#ports;
    if (this.#hunts.has(place.market))
      throw new ApiError('NotNow', {
        retryAfterSeconds: 10,
        message: 'the price of this contract is being moved until a position is liquidated',
      });
    const outside = (indexPrice * MILLION) / (MILLION + sandbox.shift(place.market));
    const beyond = liquidationPrice * (1 + ((isLong ? -1 : 1) * BEYOND_PPM) / MILLION);
    const ppm = Math.round((beyond / outside - 1) * MILLION);
    if (liquidationPrice === 0 || Math.abs(ppm) > SHIFT_MAX_PPM)
      throw new ApiError('InvalidCombination', {
        field: 'symbol',
        message: 'this position is liquidated further away than half of the price: raise its leverage, or make it larger',
      });
    const endsAt = millis(now() + HUNT_MS);
    sandbox.move({ market: place.market, ppm, endsAt }, millis(now()));
    this.#hunts.set(place.market, { place, isLong, endsAt, ppm, widensAt: now() + WIDEN_EVERY_MS });
    this.#timer ??= setInterval(() => this.look(), LOOK_EVERY_MS).unref();
    return { ppm, endsAt };
  }

  /** Ends hunts whose position is gone, and widens those that take long. */
  look(): void {
    const { floor, sandbox, now } = this.#ports;
    const at = now();
    for (const [market, hunt] of this.#hunts) {
      if (hunt.endsAt <= at) this.#hunts.delete(market);
      else if (floor.positions.get(hunt.place) === undefined) {
        this.#hunts.delete(market);
        sandbox.move({ market, ppm: 0, endsAt: hunt.endsAt }, millis(at));
      } else if (hunt.widensAt <= at) {
        hunt.widensAt = at + WIDEN_EVERY_MS;
        const wider = hunt.ppm + (hunt.isLong ? -WIDEN_PPM : WIDEN_PPM);
        hunt.ppm = Math.max(-SHIFT_MAX_PPM, Math.min(SHIFT_MAX_PPM, wider));
        sandbox.move({ market, ppm: hunt.ppm, endsAt: hunt.endsAt }, millis(at));
      }
    }
    if (this.#hunts.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
