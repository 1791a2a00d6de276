/** Who paid in for whom, and to whom was paid out. */
import { assert, parseAddress, type Address } from '@orrery/units';
import type { Kysely } from 'kysely';
import type { IndexerTables } from './tables.ts';

export interface MoneyLink {
  /** Of the account. */
  readonly address: Address;
  /** The sender of a deposit's transaction, or whom a withdrawal went to. */
  readonly counterparty: Address;
}

/** Each pair once, by address and counterparty; a refunded withdrawal does not count. */
export async function counterparties(sql: Kysely<IndexerTables>): Promise<readonly MoneyLink[]> {
  const deposits = sql
    .selectFrom('indexer_deposit')
    .innerJoin('indexer_transaction', 'indexer_transaction.hash', 'indexer_deposit.tx_hash')
    .select(['indexer_deposit.address as address', 'indexer_transaction.sender as counterparty'])
    .where('indexer_deposit.state', 'in', ['credited', 'suspended']);
  const withdrawals = sql
    .selectFrom('indexer_payout')
    .innerJoin('indexer_account', 'indexer_account.account', 'indexer_payout.account')
    .select(['indexer_account.address as address', 'indexer_payout.recipient as counterparty'])
    .where('indexer_payout.state', '<>', 'refunded');
  const rows = await deposits.union(withdrawals).orderBy('address').orderBy('counterparty').execute();
  return rows.map(({ address, counterparty }) => ({ address: known(address), counterparty: known(counterparty) }));
}

function known(text: string): Address {
  const address = parseAddress(text);
  assert(address !== undefined, `the indexer holds something else than an address: ${text}`);
  return address;
}
