/** What an order of a contract is expected to do: what trades at once by the book as it stands, and what rests at its limit. Pure. */
import { contractNotional, entryPrice, feeOn } from '@orrery/rules';
import { addAtoms, addLots, NO_ATOMS, NO_LOTS, NO_TICKS } from '@orrery/units';
import type { Atoms, Lots, Ticks } from '@orrery/units';
import { walkContract } from './contract-walk.ts';
import type { ContractWalk, Walked } from './contract-walk.ts';

export interface AskedOrder extends Omit<Walked, 'levels'> {
  /** Of the side that is taken from; `undefined` while the book is not known. */
  readonly levels: Walked['levels'] | undefined;
  readonly timeInForce: 'GTC' | 'IOC' | 'FOK' | 'GTX';
}

export interface ExpectedOrder {
  /** What trades at once and what rests. */
  readonly size: Lots;
  /** Of all of it; 0 where nothing would trade or rest. */
  readonly average: Ticks;
  /** Settle atoms: what trades at once at the prices of the book, what rests at its limit. */
  readonly value: Atoms;
  /** As a taker of what trades at once, as a maker of the rest. */
  readonly fee: Atoms;
  /** `undefined` where the book says nothing of it: it is not known, or the order takes nothing from it. */
  readonly walk: ContractWalk | undefined;
  /** Lots that rest in the book. */
  readonly rests: Lots;
}

/** Without a book, at its limit or at the mark; `undefined` where neither is known. */
export function expectOrder(order: AskedOrder): ExpectedOrder | undefined {
  const { limit, levels, mark, timeInForce } = order;
  if (limit !== undefined && (timeInForce === 'GTX' || (timeInForce === 'GTC' && isEmpty(levels)))) return allAt(order, limit, 'rests');
  if (!isEmpty(levels)) return byBook({ ...order, levels });
  const price = limit ?? mark;
  return price === NO_TICKS ? undefined : allAt(order, price, 'trades');
}

const isEmpty = (levels: AskedOrder['levels']): levels is undefined => levels === undefined || levels.length === 0;

function allAt({ market, size }: AskedOrder, price: Ticks, what: 'rests' | 'trades'): ExpectedOrder {
  const { makerFeePpm, takerFeePpm } = market.terms;
  const value = contractNotional(price, size, market.margin);
  const fee = feeOn(value, what === 'rests' ? makerFeePpm : takerFeePpm);
  return { size, average: price, value, fee, walk: undefined, rests: what === 'rests' ? size : NO_LOTS };
}

function byBook(order: AskedOrder & Pick<Walked, 'levels'>): ExpectedOrder {
  const { market, limit } = order;
  const { makerFeePpm, takerFeePpm } = market.terms;
  const walk = walkContract(order);
  const rests = limit !== undefined && order.timeInForce === 'GTC' ? walk.rest : NO_LOTS;
  const resting = limit === undefined || rests === NO_LOTS ? NO_ATOMS : contractNotional(limit, rests, market.margin);
  const size = addLots(walk.filled, rests);
  const value = addAtoms(walk.value, resting);
  return {
    size,
    average: size === NO_LOTS ? NO_TICKS : entryPrice(value, size, market.margin),
    value,
    fee: addAtoms(feeOn(walk.value, takerFeePpm), feeOn(resting, makerFeePpm)),
    walk,
    rests,
  };
}
