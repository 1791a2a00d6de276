/**
 * The board of profit: what of an account's profit counts, and who is ranked by it. Profit against oneself counts for nothing, however it is passed on:
 *
 * - Trades inside a cluster, to which captive accounts belong, are in no sum.
 * - What the other side gave by a price far from the outside price is no profit of the one who received it (`gift` of a leg).
 * - Nobody's profit counts for more than all accounts of their cluster earned together: who takes both sides of a bet won nothing.
 * - Five counterparties outside of the cluster are needed. The exchange's own accounts are one of them together, and beside that what was earned from
 *   them counts by itself: their quotes follow the outside price, and everybody may take them. With fewer than five only that part counts, and no more
 *   than all was; an account that has traded with too few others and not with the exchange is not ranked yet.
 */
import { COUNTERPARTIES_NEEDED } from '@orrery/api';
import type { AccountId } from '@orrery/units';
import type { Flow, Leg } from './flows.ts';
import { Book, type Marks } from './worth.ts';

/** What of an account's profit counts: that from the exchange's own accounts, while there are too few counterparties. */
export type Counted = 'ALL' | 'HOUSE' | 'NOTHING';

export interface Profit {
  readonly account: AccountId;
  /** Quote atoms that count; of an account that is not ranked what they would be. */
  readonly value: bigint;
  readonly counted: Counted;
  /** With whom enough was traded. */
  readonly counterparties: number;
  /** Its last trade that counts. */
  readonly lastSeq: number;
}

export interface ProfitGround extends Marks {
  readonly flows: Iterable<Flow>;
  readonly clusterOf: (account: AccountId) => AccountId;
  readonly isHouse: (account: AccountId) => boolean;
  /** Quote atoms that must be traded with a counterparty for it to be one. */
  readonly counterpartyFrom: bigint;
}

interface Account {
  readonly all: Book;
  readonly fromHouse: Book;
  /** Quote atoms traded, by the cluster of the counterparty; the exchange's own accounts are one. */
  readonly traded: Map<AccountId | 'house', bigint>;
  lastSeq: number;
}

/** Of every account with a trade that counts. */
export function profits(ground: ProfitGround): readonly Profit[] {
  const { clusterOf } = ground;
  const accounts = accountsOf(ground);
  const together = new Map<AccountId, bigint>();
  for (const [account, { all }] of accounts)
    together.set(clusterOf(account), (together.get(clusterOf(account)) ?? 0n) + all.earned(ground));
  return Array.from(accounts, ([account, { all, fromHouse, traded, lastSeq }]) => {
    const counterparties = [...traded.values()].filter((volume) => volume >= ground.counterpartyFrom).length;
    const counted = countedOf(traded, counterparties);
    const parts = [all.earned(ground), together.get(clusterOf(account)) ?? 0n, ...(counted === 'HOUSE' ? [fromHouse.earned(ground)] : [])];
    return { account, value: least(parts), counted, counterparties, lastSeq };
  });
}

function countedOf(traded: Account['traded'], counterparties: number): Counted {
  const isHouseAlone = traded.size === 1 && traded.has('house');
  if (counterparties >= COUNTERPARTIES_NEEDED || isHouseAlone) return 'ALL';
  return traded.has('house') ? 'HOUSE' : 'NOTHING';
}

function accountsOf({ flows, clusterOf, isHouse }: ProfitGround): ReadonlyMap<AccountId, Account> {
  const found = new Map<AccountId, Account>();
  const count = (flow: Flow, account: AccountId, other: AccountId, leg: Leg): void => {
    const own = found.get(account) ?? { all: new Book(), fromHouse: new Book(), traded: new Map(), lastSeq: 0 };
    found.set(account, own);
    const name = isHouse(other) ? 'house' : clusterOf(other);
    own.all.add(flow.market, leg);
    if (name === 'house') own.fromHouse.add(flow.market, leg);
    // What the exchange took over or deleveraged is no trade with it.
    if (flow.trades > 0) own.traded.set(name, (own.traded.get(name) ?? 0n) + leg.volume);
    own.lastSeq = Math.max(own.lastSeq, flow.lastSeq);
  };
  for (const flow of flows) {
    const { taker, maker, takerLeg, makerLeg } = flow;
    if (clusterOf(taker) === clusterOf(maker)) continue;
    count(flow, taker, maker, takerLeg);
    count(flow, maker, taker, makerLeg);
  }
  return found;
}

const least = (parts: readonly bigint[]): bigint => parts.reduce((low, part) => (part < low ? part : low));
