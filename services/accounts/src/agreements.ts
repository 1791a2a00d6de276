/** Who accepted which terms: the signed text is stored with the hash of the terms, and the engine sets the flag. */
import { createHash } from 'node:crypto';
import { TERMS_CODE } from '@orrery/api';
import type { AccountDirectory } from '@orrery/foundation';
import type { Address } from '@orrery/units';
import type { Kysely } from 'kysely';
import type { AccountsTables } from './tables.ts';

/** The documents in force under the code TERMS. */
export interface Terms {
  readonly version: string;
  /** Everything a person accepts, as it is shown. */
  readonly text: string;
}

export class Agreements {
  readonly #db: Kysely<AccountsTables>;
  readonly #directory: AccountDirectory;
  readonly #now: () => number;
  readonly #version: string;
  readonly #hash: string;

  constructor(parts: { db: Kysely<AccountsTables>; directory: AccountDirectory; terms: Terms; now: () => number }) {
    this.#db = parts.db;
    this.#directory = parts.directory;
    this.#now = parts.now;
    this.#version = parts.terms.version;
    this.#hash = createHash('sha256').update(`${parts.terms.version}\n${parts.terms.text}`).digest('hex');
  }

  /** Stored before the engine sets the flag: a crash between the two asks the person again, and no flag is set without a signature. */
  async accept(agreement: { address: Address; message: string; signature: string }): Promise<void> {
    const { account } = await this.#directory.open(agreement.address);
    await this.#db
      .insertInto('accounts_agreement')
      .values({
        account,
        address: agreement.address,
        terms_code: TERMS_CODE,
        terms_version: this.#version,
        terms_hash: this.#hash,
        message: agreement.message,
        signature: agreement.signature,
        agreed_at: this.#now(),
      })
      .onConflict((conflict) => conflict.columns(['address', 'terms_code', 'terms_hash']).doNothing())
      .execute();
    await this.#directory.setFlag(account, 'termsAccepted');
  }

  /** Of the terms in force, not of those before. */
  async isAccepted(agreement: { address: Address; termsCode: string }): Promise<boolean> {
    if (agreement.termsCode !== TERMS_CODE) return false;
    if (this.#directory.find(agreement.address)?.flags.termsAccepted !== true) return false;
    const row = await this.#db
      .selectFrom('accounts_agreement')
      .select('agreed_at')
      .where('address', '=', agreement.address)
      .where('terms_code', '=', TERMS_CODE)
      .where('terms_hash', '=', this.#hash)
      .executeTakeFirst();
    return row !== undefined;
  }
}
