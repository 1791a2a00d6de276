/** What is kept of a person, and how it is gone: rows and files are deleted, what is in memory is dropped, the key is overwritten. */
import type { AccountId, Address } from '@orrery/units';
import { type Kysely, sql, type Transaction } from 'kysely';
import type { ApiKeys } from './api-keys.ts';
import type { EmbeddedWallets } from './embedded-wallets.ts';
import type { Factors } from './factors/factors.ts';
import type { FileStore } from './files/file-store.ts';
import { lockFiles } from './files/files.ts';
import type { Identities } from './identity/identities.ts';
import type { Names } from './names/names.ts';
import type { Passwords } from './names/passwords.ts';
import type { PersonKeys } from './person-keys.ts';
import type { Push } from './push/push.ts';
import type { Sessions } from './sessions.ts';
import type { AccountsTables } from './tables.ts';

/** Every table with rows of an account but two: that it has no wallet is a warning to those who would pay to its address, and names no person; the erasure goes last. */
export const TABLES_BY_ACCOUNT = [
  'accounts_session',
  'accounts_agreement',
  'accounts_api_key',
  'accounts_trace',
  'accounts_login',
  'accounts_totp',
  'accounts_wrong_code',
  'accounts_backup_code',
  'accounts_passkey',
  'accounts_hold',
  'accounts_name',
  'accounts_password',
  'accounts_withdraw_address',
  'accounts_file',
  'accounts_identity',
  'accounts_identity_try',
  'accounts_embedded_wallet',
  'accounts_collection',
  'accounts_wallet_try',
  'accounts_wallet_ticket',
  'accounts_push',
] as const satisfies readonly (keyof AccountsTables)[];

const TABLES_BY_ADDRESS = ['accounts_nonce', 'accounts_pending_login'] as const satisfies readonly (keyof AccountsTables)[];

/** Counts and codes of a name. */
const TABLES_BY_MARK = [
  'accounts_code',
  'accounts_code_sent',
  'accounts_wrong_name_code',
  'accounts_password_try',
] as const satisfies readonly (keyof AccountsTables)[];

export interface PersonOnRecord {
  readonly account: AccountId;
  readonly address: Address;
}

export interface EraserParts {
  readonly db: Kysely<AccountsTables>;
  readonly keys: PersonKeys;
  readonly fileStore: FileStore;
  readonly sessions: Sessions;
  readonly apiKeys: ApiKeys;
  readonly factors: Factors;
  readonly names: Names;
  readonly passwords: Passwords;
  readonly identities: Identities;
  readonly wallets: EmbeddedWallets;
  readonly push: Push;
}

/** Done again after a crash at any place it ends the same. Files that a crash leaves behind are removed as those without a row are. */
export async function erasePerson(person: PersonOnRecord, parts: EraserParts): Promise<void> {
  const { keys } = parts;
  await deleteAll(person, parts);
  await keys.erase(person.account);
  // What a call that was under way has written meanwhile.
  await deleteAll(person, parts);
}

async function deleteAll({ account, address }: PersonOnRecord, parts: EraserParts): Promise<void> {
  const { db, fileStore, sessions, apiKeys, factors, names, passwords, identities, wallets, push } = parts;
  await sessions.endAll(account);
  await apiKeys.deleteAll(account);
  const files = await db.transaction().execute(async (tx) => {
    await lockFiles(tx, account);
    const rows = await tx.selectFrom('accounts_file').select('file_id').where('account', '=', account).execute();
    await deleteRows(tx, { account, address });
    return rows;
  });
  for (const { file_id: fileId } of files) await fileStore.remove(fileId);
  for (const part of [names, passwords, factors.totp, factors.passkeys, factors.holds, identities, wallets, push]) part.erased(account);
}

async function deleteRows(tx: Transaction<AccountsTables>, { account, address }: PersonOnRecord): Promise<void> {
  const names = await tx.selectFrom('accounts_name').select('mark').where('account', '=', account).execute();
  for (const mark of [...names.map((name) => name.mark), `account ${account}`])
    for (const table of TABLES_BY_MARK) await sql`delete from ${sql.table(table)} where mark = ${mark}`.execute(tx);
  for (const table of TABLES_BY_ADDRESS) await sql`delete from ${sql.table(table)} where address = ${address}`.execute(tx);
  for (const table of TABLES_BY_ACCOUNT) await sql`delete from ${sql.table(table)} where account = ${account}`.execute(tx);
}
