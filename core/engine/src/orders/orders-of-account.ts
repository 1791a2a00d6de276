/** The open orders of one account. An account without any keeps nothing of those it had: most of a million accounts have none. */
import { assert } from '@orrery/units';
import type { Account } from '../accounts/account.ts';
import type { ListedMarket } from '../markets/listed-market.ts';
import type { OpenOrder } from './open-order.ts';

/** So many are counted by asking each; of more, the numbers by market are kept. */
const FEW = 32;
const NONE: readonly OpenOrder[] = [];

export function join(account: Account, open: OpenOrder): void {
  const { openOrders, openIn } = account;
  if (openOrders === undefined) {
    open.place = 0;
    account.openOrders = [open];
    return;
  }
  open.place = openOrders.push(open) - 1;
  if (openIn !== undefined) change(openIn, open.market, 1);
  else if (openOrders.length > FEW) account.openIn = countedByMarket(openOrders);
}

/** The last one takes the place of the one that leaves. */
export function leave(account: Account, open: OpenOrder): void {
  const { openOrders, openIn } = account;
  const last = openOrders?.pop();
  assert(openOrders !== undefined && last !== undefined, 'an open order stands among those of its account');
  if (openIn !== undefined) change(openIn, open.market, -1);
  if (last !== open) {
    assert(openOrders[open.place] === open, 'an open order knows its place');
    openOrders[open.place] = last;
    last.place = open.place;
  } else if (openOrders.length === 0) {
    account.openOrders = undefined;
    account.openIn = undefined;
  }
}

/** In no order. */
export const ordersOf = ({ openOrders }: Account): readonly OpenOrder[] => openOrders ?? NONE;

/** How many of an account's open orders are in a market. */
export function countIn(account: Account, market: ListedMarket): number {
  if (account.openIn !== undefined) return account.openIn[market.terms.market] ?? 0;
  let count = 0;
  for (const open of ordersOf(account)) if (open.market === market) count += 1;
  return count;
}

function countedByMarket(orders: readonly OpenOrder[]): number[] {
  const counts: number[] = [];
  for (const { market } of orders) change(counts, market, 1);
  return counts;
}

function change(counts: number[], { terms }: ListedMarket, by: number): void {
  counts[terms.market] = (counts[terms.market] ?? 0) + by;
}
