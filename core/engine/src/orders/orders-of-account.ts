/** The open orders of one account: a chain through the orders themselves, so that an account without any keeps nothing of those it had. */
import { assert } from '@orrery/units';
import type { Account } from '../accounts/account.ts';
import type { ListedMarket } from '../markets/listed-market.ts';
import type { OpenOrder } from './open-order.ts';

/** So many are counted by asking each; of more, the numbers by market are kept. */
const FEW = 32;

export function join(account: Account, open: OpenOrder): void {
  const { newest } = account;
  open.older = newest;
  if (newest !== undefined) newest.newer = open;
  account.newest = open;
  account.openCount += 1;
  if (account.openIn !== undefined) change(account.openIn, open.market, 1);
  else if (account.openCount > FEW) account.openIn = countedByMarket(account);
}

export function leave(account: Account, open: OpenOrder): void {
  const { older, newer } = open;
  assert((newer === undefined ? account.newest : newer.older) === open, 'an open order stands among those of its account');
  if (newer === undefined) account.newest = older;
  else newer.older = older;
  if (older !== undefined) older.newer = newer;
  // A closed order keeps no other alive.
  open.older = undefined;
  open.newer = undefined;
  account.openCount -= 1;
  if (account.openIn === undefined) return;
  if (account.openCount === 0) account.openIn = undefined;
  else change(account.openIn, open.market, -1);
}

/** Newest first. */
export function* ordersOf({ newest }: Account): Generator<OpenOrder> {
  for (let open = newest; open !== undefined; open = open.older) yield open;
}

/** How many of an account's open orders are in a market. */
export function countIn(account: Account, market: ListedMarket): number {
  if (account.openIn !== undefined) return account.openIn[market.terms.market] ?? 0;
  let count = 0;
  for (let open = account.newest; open !== undefined; open = open.older) if (open.market === market) count += 1;
  return count;
}

function countedByMarket(account: Account): number[] {
  const counts: number[] = [];
  for (const { market } of ordersOf(account)) change(counts, market, 1);
  return counts;
}

function change(counts: number[], { terms }: ListedMarket, by: number): void {
  counts[terms.market] = (counts[terms.market] ?? 0) + by;
}
