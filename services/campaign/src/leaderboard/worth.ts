/** What trades brought against not having traded at all: quote atoms received less those given, and what is left of the base at the mark. */
import type { Market } from '@orrery/protocol';
import type { MarketId, Ticks } from '@orrery/units';
import type { Leg } from './flows.ts';

/** What the base of a market is worth by: of a contract its base are lots. */
export type ValueTerms = Pick<Market, 'tickLotAtoms' | 'lotAtoms'>;

export interface Marks {
  /** By market. Without a mark a position is worth nothing. */
  readonly marks: ReadonlyMap<MarketId, Ticks>;
  readonly marketOf: (market: MarketId) => ValueTerms | undefined;
}

/** Legs of flows added up. */
export class Book {
  #cash = 0n;
  #gifts = 0n;
  readonly #base = new Map<MarketId, bigint>();

  add(market: MarketId, { cash, base, gift }: Leg): void {
    this.#cash += cash;
    this.#gifts += gift;
    this.#base.set(market, (this.#base.get(market) ?? 0n) + base);
  }

  /** All that the trades brought. Each market is rounded down by itself. */
  profit({ marks, marketOf }: Marks): bigint {
    let sum = this.#cash;
    for (const [id, held] of this.#base) {
      const [mark, market] = [marks.get(id), marketOf(id)];
      if (mark !== undefined && market !== undefined) sum += value(held, mark, market);
    }
    return sum;
  }

  /** Without what others gave by prices far from the outside price. */
  earned(marks: Marks): bigint {
    return this.profit(marks) - this.#gifts;
  }
}

/** Quote atoms of base atoms, which may be below 0; rounded down. */
function value(base: bigint, mark: Ticks, { tickLotAtoms, lotAtoms }: ValueTerms): bigint {
  const product = base * BigInt(mark) * tickLotAtoms;
  const quotient = product / lotAtoms;
  return product < 0n && quotient * lotAtoms !== product ? quotient - 1n : quotient;
}
