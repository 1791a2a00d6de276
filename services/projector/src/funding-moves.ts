/** What changed funding wallets: by these the hands behind accounts are found. */
import type { BillKind } from '@orrery/api';
import { accountId, type AccountId, type Address, addressOf, assetId, type AssetId } from '@orrery/units';
import { type Kysely, sql } from 'kysely';
import type { ProjectorTables } from './tables.ts';

const FUNDING_MOVES = [
  'DEPOSIT',
  'DEPOSIT_SUSPENDED',
  'DEPOSIT_WRITTEN_OFF',
  'TRANSFER',
  'WITHDRAW',
  'INTERNAL',
] as const satisfies readonly BillKind[];

/** A change of a funding wallet by the chain or by its owner. */
export interface FundingMove {
  readonly account: AccountId;
  readonly asset: AssetId;
  readonly kind: (typeof FUNDING_MOVES)[number];
  readonly amount: bigint;
  readonly reference: string;
}

/** Money that went from the funding wallet of an account to that of another one. */
export interface InternalWithdrawal {
  readonly withdrawalId: string;
  readonly account: AccountId;
  /** Of the other account. */
  readonly to: Address;
  readonly asset: AssetId;
  /** Atoms. */
  readonly amount: bigint;
}

export interface FundingQuery {
  readonly accounts: readonly AccountId[];
  readonly assets: readonly AssetId[];
}

/** In the order of the ledger. */
export async function fundingMoves(db: Kysely<ProjectorTables>, { accounts, assets }: FundingQuery): Promise<readonly FundingMove[]> {
  const rows = await db
    .selectFrom('projector_bill')
    .select(['account', 'asset', 'kind', 'amount', 'reference'])
    .where('account', '=', sql<number>`any(${accounts}::bigint[])`)
    .where('asset', '=', sql<number>`any(${assets}::bigint[])`)
    .where('wallet', '=', 'funding')
    .where('kind', 'in', FUNDING_MOVES)
    .orderBy('id')
    .execute();
  return rows.map(({ account, asset, kind, amount, reference }) => ({
    account: accountId(account),
    asset: assetId(asset),
    kind: kind as FundingMove['kind'],
    amount: BigInt(amount),
    reference,
  }));
}

/** In the order of the ledger. What went to the chain has a transaction. */
export async function internalWithdrawals(db: Kysely<ProjectorTables>): Promise<readonly InternalWithdrawal[]> {
  const rows = await db
    .selectFrom('projector_withdrawal')
    .select(['withdrawal_id', 'account', 'asset', 'amount', 'to_address'])
    .where('state', '=', 'POSTED')
    .where('tx_hash', 'is', null)
    .orderBy('seq')
    .execute();
  return rows.map((row) => ({
    withdrawalId: row.withdrawal_id,
    account: accountId(row.account),
    to: addressOf(row.to_address),
    asset: assetId(row.asset),
    amount: BigInt(row.amount),
  }));
}
