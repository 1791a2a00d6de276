/** Payments between accounts and addresses outside of the exchange, as the chain has them: by these the hands behind accounts are found. */
import { assert, assetId, type AssetId, parseAddress, type Address } from '@orrery/units';
import { type Kysely, sql } from 'kysely';
import type { IndexerTables } from './tables.ts';

export interface Payment {
  /** `IN` is a deposit, `OUT` a withdrawal. */
  readonly direction: 'IN' | 'OUT';
  /** Of the deposit, or the id of the withdrawal. */
  readonly key: string;
  /** Of the account. */
  readonly address: Address;
  /** The sender of a deposit's transaction, or the recipient of a withdrawal. */
  readonly counterparty: Address;
  readonly asset: AssetId;
  /** Atoms. */
  readonly amount: bigint;
}

/**
 * By block; within one block what was paid out comes first. Withdrawals that are on the chain, deposits that are credited and were sent by
 * somebody else, and those that were sent by an address that an account had paid out to: what else people pay in for themselves joins nobody.
 */
export async function payments(db: Kysely<IndexerTables>): Promise<readonly Payment[]> {
  const deposits = db
    .selectFrom('indexer_deposit as deposit')
    .innerJoin('indexer_transaction as sent', 'sent.hash', 'deposit.tx_hash')
    .innerJoin('indexer_credit as credit', 'credit.key', 'deposit.key')
    .select([
      sql<Payment['direction']>`'IN'`.as('direction'),
      'deposit.key as key',
      'deposit.address as address',
      'sent.sender as counterparty',
      'credit.asset as asset',
      'deposit.amount as amount',
      'deposit.block_number as block',
    ])
    .where('deposit.state', 'in', ['credited', 'suspended'])
    .where((of) =>
      of.or([
        of('sent.sender', '<>', of.ref('deposit.address')),
        of('sent.sender', 'in', of.selectFrom('indexer_payout').select('recipient')),
      ]),
    );
  const withdrawals = db
    .selectFrom('indexer_payout as payout')
    .innerJoin('indexer_account as account', 'account.account', 'payout.account')
    .innerJoin('indexer_release as release', 'release.withdrawal_id', 'payout.withdrawal_id')
    .select([
      sql<Payment['direction']>`'OUT'`.as('direction'),
      'payout.withdrawal_id as key',
      'account.address as address',
      'payout.recipient as counterparty',
      'payout.asset as asset',
      'payout.amount as amount',
      'release.block_number as block',
    ])
    .where('payout.state', '<>', 'refunded');
  const rows = await deposits.unionAll(withdrawals).orderBy('block').orderBy('direction', 'desc').orderBy('key').execute();
  return rows.map(({ direction, key, address, counterparty, asset, amount }) => ({
    direction,
    key,
    address: known(address),
    counterparty: known(counterparty),
    asset: assetId(asset),
    amount: BigInt(amount),
  }));
}

function known(text: string): Address {
  const address = parseAddress(text);
  assert(address !== undefined, `the indexer holds something else than an address: ${text}`);
  return address;
}
