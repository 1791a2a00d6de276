/** What an order would meet in the book as it stands, by the rules of the exchange. */
import { addAtoms, addLots, lots, minLots, NO_ATOMS, NO_LOTS, NO_TICKS, subtractAtoms, subtractLots, ticks } from '@orrery/units';
import type { Atoms, Lots, Ticks } from '@orrery/units';
import type { Market, Order } from '@orrery/protocol';
import { affordableSize, baseAmount, feeOn, isByFunds, isWorse, notional } from '@orrery/rules';

/** Pairs of price (ticks) and size (lots), best price first. */
export type Levels = ArrayLike<number>;

/** `bound`: there is more in the book, at prices the order does not take. */
export type WalkEnd = 'complete' | 'bookEmpty' | 'bound';

export interface BookWalk {
  readonly filled: Lots;
  /** Quote atoms of what would trade. */
  readonly traded: Atoms;
  /** Of the asset received: rounded up for each level, as for each trade. */
  readonly fee: Atoms;
  /** The last price that would be reached; 0 when nothing would trade. */
  readonly worst: Ticks;
  /** Lots that would not trade; 0 for an order by funds. */
  readonly remaining: Lots;
  readonly end: WalkEnd;
}

export interface Walk {
  /** Of the side the order would take from. */
  readonly levels: Levels;
  readonly order: Order;
  /** The worst price the order may trade at; 0 for none. */
  readonly bound: Ticks;
  readonly terms: Market;
}

export const NOTHING_MET: BookWalk = {
  filled: NO_LOTS,
  traded: NO_ATOMS,
  fee: NO_ATOMS,
  worst: NO_TICKS,
  remaining: NO_LOTS,
  end: 'complete',
};

export const levelPrice = (levels: Levels, index: number): Ticks => ticks(levels[2 * index] ?? 0);
export const levelSize = (levels: Levels, index: number): Lots => lots(levels[2 * index + 1] ?? 0);

/** Whole lots only: funds that buy no lot more stay unspent. */
export function walkBook({ levels, order, bound, terms }: Walk): BookWalk {
  const byFunds = isByFunds(order);
  let met: BookWalk = { ...NOTHING_MET, remaining: order.size };
  for (let index = 0; 2 * index + 1 < levels.length; index += 1) {
    if (!byFunds && met.remaining === NO_LOTS) return met;
    const price = levelPrice(levels, index);
    if (bound !== NO_TICKS && isWorse(price, bound, order.side)) return { ...met, end: 'bound' };
    const standing = levelSize(levels, index);
    const matched = byFunds
      ? affordableSize(subtractAtoms(order.funds, met.traded), price, standing, terms)
      : minLots(met.remaining, standing);
    if (matched > NO_LOTS) met = tradedAt(met, { price, matched, order, terms });
    if (byFunds && matched < standing) return met;
  }
  return byFunds || met.remaining > NO_LOTS ? { ...met, end: 'bookEmpty' } : met;
}

interface Step {
  readonly price: Ticks;
  readonly matched: Lots;
  readonly order: Order;
  readonly terms: Market;
}

function tradedAt(met: BookWalk, { price, matched, order, terms }: Step): BookWalk {
  const value = notional(price, matched, terms);
  const received = order.side === 'buy' ? baseAmount(matched, terms) : value;
  return {
    ...met,
    filled: addLots(met.filled, matched),
    traded: addAtoms(met.traded, value),
    fee: addAtoms(met.fee, feeOn(received, terms.takerFeePpm)),
    worst: price,
    remaining: isByFunds(order) ? NO_LOTS : subtractLots(met.remaining, matched),
  };
}
