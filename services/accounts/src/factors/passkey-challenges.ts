/** Challenges that passkeys answer: each for one purpose, for five minutes, once. They are kept as hashes. */
import { PASSKEY_CHALLENGE_MS } from '@orrery/api';
import type { Kysely } from 'kysely';
import { hashToken, newToken } from '../opaque-token.ts';
import type { AccountsTables } from '../tables.ts';

export class PasskeyChallenges {
  readonly #db: Kysely<AccountsTables>;
  readonly #now: () => number;

  constructor(parts: { db: Kysely<AccountsTables>; now: () => number }) {
    this.#db = parts.db;
    this.#now = parts.now;
  }

  /** Voids those before for the same purpose: there is one of each. */
  async make(purpose: string): Promise<string> {
    const challenge = newToken();
    const row = { hash: hashToken(challenge), expires_at: this.#now() + PASSKEY_CHALLENGE_MS };
    await this.#db
      .insertInto('accounts_passkey_challenge')
      .values({ purpose_hash: hashToken(purpose), ...row })
      .onConflict((conflict) => conflict.column('purpose_hash').doUpdateSet(row))
      .execute();
    return challenge;
  }

  /** Of many who use it at once, one gets `true`. */
  async use(challenge: string, purpose: string): Promise<boolean> {
    const row = await this.#db
      .deleteFrom('accounts_passkey_challenge')
      .where('purpose_hash', '=', hashToken(purpose))
      .where('hash', '=', hashToken(challenge))
      .where('expires_at', '>', this.#now())
      .returning('hash')
      .executeTakeFirst();
    return row !== undefined;
  }

  async forget(): Promise<void> {
    await this.#db.deleteFrom('accounts_passkey_challenge').where('expires_at', '<=', this.#now()).execute();
  }
}
