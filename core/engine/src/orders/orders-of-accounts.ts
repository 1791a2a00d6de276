/**
 * The open orders of each account. An account without any keeps nothing of those it had: most of a million accounts have none. They stand in a
 * column of their own, because an order of a rare account would otherwise fetch all the rest of it from far memory.
 */
import { assert, type AccountId } from '@orrery/units';
import type { Listed } from '../instruments/listed-market.ts';
import { setAt } from '../accounts/column.ts';
import type { OpenOrder } from './open-order.ts';

/** Up to this number the orders of an account are counted one by one when that is needed, which is rare below a market's limit; beyond it, numbers by market are kept. */
const FEW = 128;
const NONE: readonly OpenOrder[] = [];

export class OrdersOfAccounts {
  /** By account: open orders, triggered or not, in no order: each knows its index. Undefined while there is none. */
  readonly #lists: (OpenOrder[] | undefined)[] = [];
  /** Of accounts with more than a few: how many are in each market, by market id. */
  readonly #counts = new Map<AccountId, number[]>();

  join(open: OpenOrder): void {
    const { account } = open.order;
    const list = this.#lists[account];
    if (list === undefined) {
      open.accountIndex = 0;
      setAt(this.#lists, account, [open]);
      return;
    }
    open.accountIndex = list.push(open) - 1;
    if (list.length === FEW + 1) this.#counts.set(account, countedByMarket(list));
    else if (list.length > FEW) change(this.#countsOf(account), open.market, 1);
  }

  /** The last one moves to the index of the one that leaves. */
  leave(open: OpenOrder): void {
    const { account } = open.order;
    const list = this.#lists[account];
    const last = list?.pop();
    assert(list !== undefined && last !== undefined, 'an open order stands among those of its account');
    if (list.length === FEW) this.#counts.delete(account);
    else if (list.length > FEW) change(this.#countsOf(account), open.market, -1);
    if (last !== open) {
      assert(list[open.accountIndex] === open, 'an open order knows its index');
      list[open.accountIndex] = last;
      last.accountIndex = open.accountIndex;
    } else if (list.length === 0) this.#lists[account] = undefined;
  }

  /** In no order. */
  of(account: AccountId): readonly OpenOrder[] {
    return this.#lists[account] ?? NONE;
  }

  /** How many of an account's open orders are in a market. */
  countIn(account: AccountId, market: Listed): number {
    const list = this.of(account);
    if (list.length > FEW) return this.#countsOf(account)[market.terms.market] ?? 0;
    let count = 0;
    for (const open of list) if (open.market === market) count += 1;
    return count;
  }

  #countsOf(account: AccountId): number[] {
    const counts = this.#counts.get(account);
    assert(counts !== undefined, 'many orders are counted by market');
    return counts;
  }
}

function countedByMarket(orders: readonly OpenOrder[]): number[] {
  const counts: number[] = [];
  for (const { market } of orders) change(counts, market, 1);
  return counts;
}

function change(counts: number[], { terms }: Listed, by: number): void {
  counts[terms.market] = (counts[terms.market] ?? 0) + by;
}
