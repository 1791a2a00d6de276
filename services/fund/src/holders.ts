/** Who has which shares, what they had cost, and what redemptions brought. */
import { markAfterRound } from '@orrery/rules';
import { type AccountId, type AssetId, type Atoms, atoms, type Millis } from '@orrery/units';
import type { FundTx, HolderRow } from './tables.ts';

const text = (value: bigint): string => value.toString();

interface Added {
  readonly shares: bigint;
  readonly cost: bigint;
  readonly highWaterMark: bigint;
  readonly lockedUntil: Millis;
}

const holderOf = (tx: FundTx, fund: AssetId, account: number): Promise<HolderRow | undefined> =>
  tx.selectFrom('fund_holder').selectAll().where('fund', '=', fund).where('account', '=', account).executeTakeFirst();

/** Of a holder. */
export const sharesOf = async (tx: FundTx, fund: AssetId, account: AccountId): Promise<Atoms> =>
  atoms(BigInt((await holderOf(tx, fund, account))?.shares ?? 0));

export async function addShares(
  tx: FundTx,
  fund: AssetId,
  account: AccountId,
  { shares, cost, highWaterMark, lockedUntil }: Added,
): Promise<void> {
  const before = await holderOf(tx, fund, account);
  const values = {
    shares: text(BigInt(before?.shares ?? 0) + shares),
    cost: text(BigInt(before?.cost ?? 0) + cost),
    high_water_mark: text(highWaterMark),
    locked_until: lockedUntil,
  };
  await tx
    .insertInto('fund_holder')
    .values({ fund, account, realised: '0', ...values })
    .onConflict((conflict) => conflict.columns(['fund', 'account']).doUpdateSet(values))
    .execute();
}

interface Taken {
  readonly shares: bigint;
  /** Undefined of a fee: it is no sale, and what was paid for the shares stays the cost of those that are left. */
  readonly paid: bigint | undefined;
}

/** The part of the cost that the shares were of all shares, rounded down, is gone with them. */
export async function takeShares(tx: FundTx, fund: AssetId, account: AccountId, { shares, paid }: Taken): Promise<void> {
  const before = await holderOf(tx, fund, account);
  if (before === undefined || shares === 0n) return;
  const held = BigInt(before.shares);
  const cost = paid === undefined ? 0n : (BigInt(before.cost) * shares) / held;
  await tx
    .updateTable('fund_holder')
    .set({
      shares: text(held - shares),
      cost: text(BigInt(before.cost) - cost),
      realised: text(BigInt(before.realised) + (paid === undefined ? 0n : paid - cost)),
    })
    .where('fund', '=', fund)
    .where('account', '=', account)
    .execute();
}

/** Shares stay that something is paid for: it is a return of their cost first, and what is beyond it is gained. It lowers their mark, as in the engine. */
export async function payOnShares(tx: FundTx, fund: AssetId, account: AccountId, paid: Atoms): Promise<void> {
  const before = await holderOf(tx, fund, account);
  if (before === undefined) return;
  const cost = BigInt(before.cost);
  const returned = paid < cost ? paid : cost;
  const price = { worth: paid, shares: atoms(BigInt(before.shares)) };
  await tx
    .updateTable('fund_holder')
    .set({
      cost: text(cost - returned),
      realised: text(BigInt(before.realised) + paid - returned),
      high_water_mark: text(markAfterRound(atoms(BigInt(before.high_water_mark)), price)),
    })
    .where('fund', '=', fund)
    .where('account', '=', account)
    .execute();
}

/** Shares of a fee cost the leader nothing. */
export async function giveToLeader(tx: FundTx, fund: AssetId, shares: bigint): Promise<void> {
  if (shares === 0n) return;
  const { leader } = await tx.selectFrom('fund').select('leader').where('fund', '=', fund).executeTakeFirstOrThrow();
  const { shares: before } = await tx
    .selectFrom('fund_holder')
    .select('shares')
    .where('fund', '=', fund)
    .where('account', '=', leader)
    .executeTakeFirstOrThrow();
  await tx
    .updateTable('fund_holder')
    .set({ shares: text(BigInt(before) + shares) })
    .where('fund', '=', fund)
    .where('account', '=', leader)
    .execute();
}
