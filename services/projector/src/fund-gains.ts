/**
 * What an account gained by funds, at the times at which it was paid. A portfolio takes what is subscribed for a withdrawal and what is redeemed for a deposit,
 * so that neither is a gain or a loss; what a redemption pays above what its shares had cost is a gain then, and not before.
 */
import {
  type AccountId,
  addAtoms,
  type AssetId,
  assetId,
  atoms,
  type Atoms,
  minAtoms,
  NO_ATOMS,
  negateAtoms,
  subtractAtoms,
} from '@orrery/units';
import type { Kysely } from 'kysely';
import { endOfHour } from './hours.ts';
import type { ProjectorTables } from './tables.ts';

export const FUND_BILLS = ['SUBSCRIPTION', 'REDEMPTION', 'PERFORMANCE_FEE'] as const;

/** Holds from `endsAt` on. */
export interface FundGain {
  readonly endsAt: number;
  readonly amount: Atoms;
}

interface FundBill {
  readonly seq: number;
  readonly at: number;
  readonly asset: AssetId;
  readonly kind: (typeof FUND_BILLS)[number];
  readonly amount: Atoms;
  readonly reference: string;
}

/** Oldest first. @param money the asset that gains are counted in */
export async function fundGains(db: Kysely<ProjectorTables>, account: AccountId, money: AssetId): Promise<readonly FundGain[]> {
  const rows = await db
    .selectFrom('projector_bill')
    .select(['seq', 'at', 'asset', 'kind', 'amount', 'reference'])
    .where('account', '=', account)
    .where('kind', 'in', FUND_BILLS)
    .orderBy('id')
    .execute();
  const bills = rows.map((row) => ({
    ...row,
    asset: assetId(row.asset),
    kind: row.kind as FundBill['kind'],
    amount: atoms(BigInt(row.amount)),
  }));
  return gainsOf(bills, money);
}

interface Holding {
  readonly shares: Atoms;
  readonly cost: Atoms;
}

const NOTHING: Holding = { shares: NO_ATOMS, cost: NO_ATOMS };

export function gainsOf(bills: readonly FundBill[], money: AssetId): readonly FundGain[] {
  const holdings = new Map<AssetId, Holding>();
  const subscribed = new Map<string, Atoms>();
  const gains: FundGain[] = [];
  for (const [bill, ...others] of eventsOf(bills)) {
    if (bill === undefined) continue;
    const all = [bill, ...others];
    const sum = (isCounted: (one: FundBill) => boolean): Atoms =>
      all.filter(isCounted).reduce((total, { amount }) => addAtoms(total, amount), NO_ATOMS);
    const isMoney = ({ asset }: FundBill): boolean => asset === money;
    const paid = sum(isMoney);
    if (all.some(({ kind }) => kind === 'SUBSCRIPTION') && paid < NO_ATOMS) subscribed.set(bill.reference, negateAtoms(paid));
    const round = roundOf(all);
    const before = round === undefined ? undefined : holdings.get(round);
    if (round !== undefined && before !== undefined) {
      const returned = minAtoms(paid, before.cost);
      holdings.set(round, { ...before, cost: subtractAtoms(before.cost, returned) });
      gains.push({ endsAt: endOfHour(bill.at), amount: subtractAtoms(paid, returned) });
    }
    for (const fund of new Set(all.filter((one) => !isMoney(one)).map(({ asset }) => asset))) {
      const { shares, cost } = holdings.get(fund) ?? NOTHING;
      const came = sum(({ asset, amount }) => asset === fund && amount > NO_ATOMS);
      const went = negateAtoms(sum(({ asset, amount }) => asset === fund && amount < NO_ATOMS));
      const had = addAtoms(shares, came);
      const spent = all.some(({ kind }) => kind === 'SUBSCRIPTION') ? (subscribed.get(bill.reference) ?? NO_ATOMS) : NO_ATOMS;
      const costs = addAtoms(cost, spent);
      // A fee is no sale: what was paid for its shares stays the cost of those that are left.
      const isSale = all.some(({ kind, asset }) => kind === 'REDEMPTION' && asset === fund);
      const sold = isSale && had > NO_ATOMS ? atoms((costs * went) / had) : NO_ATOMS;
      holdings.set(fund, { shares: subtractAtoms(had, went), cost: subtractAtoms(costs, sold) });
      if (isSale) gains.push({ endsAt: endOfHour(bill.at), amount: subtractAtoms(paid, sold) });
    }
  }
  return gains;
}

/** The fund that pays for shares that stay, as one does that closes and cannot sell everything: their cost comes back first. */
function roundOf(bills: readonly FundBill[]): AssetId | undefined {
  const [bill, ...others] = bills;
  if (bill === undefined || others.length > 0 || bill.kind !== 'REDEMPTION' || bill.amount <= NO_ATOMS) return undefined;
  const [, fund] = /^fund:(\d+)$/.exec(bill.reference) ?? [];
  return fund === undefined ? undefined : assetId(Number(fund));
}

/** Bills of one fact stand together. */
function eventsOf(bills: readonly FundBill[]): readonly (readonly FundBill[])[] {
  const groups = Map.groupBy(bills, ({ seq, reference }) => `${seq} ${reference}`);
  return [...groups.values()];
}
