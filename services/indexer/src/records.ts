/** What a chain transaction brought to an account or took from it: visible to the account only. */
import type { ChainRecord } from '@orrery/api';
import { type AccountId, type Address, atoms, printAtoms } from '@orrery/units';
import type { Kysely } from 'kysely';
import type { ListedToken, ListedTokens } from './listed-tokens.ts';
import { CARRIES_PARCEL, type IndexerTables } from './tables.ts';

export interface RecordReads {
  readonly sql: Kysely<IndexerTables>;
  readonly tokens: ListedTokens;
}

interface Asked {
  readonly account: AccountId;
  readonly address: Address;
  readonly hash: string;
}

export async function recordsOf(reads: RecordReads, asked: Asked): Promise<ChainRecord[]> {
  return [...(await incoming(reads, asked)), ...(await outgoing(reads, asked))];
}

/** A claim is a deposit too: the faucet makes it. */
async function incoming({ sql, tokens }: RecordReads, { account, address, hash }: Asked): Promise<ChainRecord[]> {
  const claim = await sql
    .selectFrom('indexer_transaction')
    .innerJoin('indexer_parcel', (join) => join.on('purpose', '=', 'claim').on(CARRIES_PARCEL))
    .innerJoin('indexer_claim', 'claim_id', 'reference')
    .select('claim_id')
    .where('indexer_transaction.hash', '=', hash)
    .where('account', '=', account)
    .executeTakeFirst();
  const deposits = await sql
    .selectFrom('indexer_deposit')
    .select(['key', 'token', 'amount', 'state'])
    .where('tx_hash', '=', hash)
    .where('address', '=', address)
    .where('state', '!=', 'refused')
    .orderBy('log_index')
    .execute();
  const kind = claim === undefined ? 'DEPOSIT' : 'CLAIM';
  return deposits.flatMap(({ key, token, amount, state }) =>
    recordOf({ kind, token: tokens.at(token), amount, reference: state === 'credited' ? key : null }),
  );
}

async function outgoing({ sql, tokens }: RecordReads, { account, hash }: Asked): Promise<ChainRecord[]> {
  const releases = await sql
    .selectFrom('indexer_release')
    .innerJoin('indexer_payout', 'indexer_payout.withdrawal_id', 'indexer_release.withdrawal_id')
    .select(['indexer_payout.withdrawal_id', 'asset', 'indexer_payout.amount', 'state'])
    .where('tx_hash', '=', hash)
    .where('account', '=', account)
    .execute();
  return releases.flatMap(({ withdrawal_id: withdrawalId, asset, amount, state }) =>
    recordOf({ kind: 'WITHDRAW', token: tokens.ofAsset(asset), amount, reference: state === 'posted' ? withdrawalId : null }),
  );
}

function recordOf(record: {
  kind: ChainRecord['kind'];
  token: ListedToken | undefined;
  amount: string;
  reference: string | null;
}): readonly ChainRecord[] {
  const { kind, token, amount, reference } = record;
  if (token === undefined) return [];
  return [{ kind, coin: token.coin, amount: printAtoms(atoms(BigInt(amount)), token.decimals), reference }];
}
