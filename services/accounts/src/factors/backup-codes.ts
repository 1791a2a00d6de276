/** Backup codes: ten for the day on which the authenticator app is lost, each good once. Stored by Argon2id. */
import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { AccountId } from '@orrery/units';
import type { Kysely } from 'kysely';
import { newSalt, slowHash } from '../slow-hash.ts';
import type { AccountsTables } from '../tables.ts';
import type { Totp } from './totp.ts';

export const BACKUP_CODES = 10;
/** 60 bits. */
const CODE_LENGTH = 12;
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
/** Of an account without codes: the comparison costs the same. */
const NO_SALT = newSalt();

export class BackupCodes {
  readonly #db: Kysely<AccountsTables>;
  readonly #totp: Totp;

  constructor(parts: { db: Kysely<AccountsTables>; totp: Totp }) {
    this.#db = parts.db;
    this.#totp = parts.totp;
  }

  /** Ten new codes in the place of those before. They are shown once. */
  async renew(account: AccountId): Promise<string[]> {
    const codes = Array.from({ length: BACKUP_CODES }, newCode);
    // One salt for the ten: a code is hashed once to be compared with all of them.
    const salt = newSalt();
    const hashes: Buffer[] = [];
    for (const code of codes) hashes.push(await slowHash(code, salt));
    await this.#db.transaction().execute(async (tx) => {
      await tx.deleteFrom('accounts_backup_code').where('account', '=', account).execute();
      await tx
        .insertInto('accounts_backup_code')
        .values(hashes.map((hash) => ({ account, salt, hash })))
        .execute();
    });
    return codes;
  }

  async remove(account: AccountId): Promise<void> {
    await this.#db.deleteFrom('accounts_backup_code').where('account', '=', account).execute();
  }

  /** Takes the code out. Wrong ones count with those of the app. @throws ApiError InvalidCode, or TooManyRequests. */
  async use(account: AccountId, code: string): Promise<void> {
    await this.#totp.checkTries(account);
    const before = await this.#db.selectFrom('accounts_backup_code').select('salt').where('account', '=', account).executeTakeFirst();
    // Before the transaction: a hash takes long, and a transaction holds one of few connections.
    const hash = await slowHash(code, before?.salt ?? NO_SALT);
    await this.#totp.countedTry(account, async (tx) => {
      // Of codes that were renewed meanwhile none has this hash.
      const rows = await tx.selectFrom('accounts_backup_code').selectAll().where('account', '=', account).execute();
      const found = rows.find((row) => timingSafeEqual(row.hash, hash));
      if (found === undefined) return false;
      const deletion = tx.deleteFrom('accounts_backup_code').where('account', '=', account).where('hash', '=', found.hash);
      // Of two that found it at once one takes it out.
      return (await deletion.executeTakeFirst()).numDeletedRows > 0n;
    });
  }
}

/** 256 is a multiple of 32: each letter is equally likely. */
const newCode = (): string => [...randomBytes(CODE_LENGTH)].map((byte) => ALPHABET[byte & 31] ?? '').join('');
