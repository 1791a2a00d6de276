/** Nonces: 128 bits of chance, good once, for one address, one purpose, one browser and one site. */
import { randomBytes } from 'node:crypto';
import { NONCE_LIFE_MS, type Purpose } from '@orrery/api';
import { type Address, addressOf } from '@orrery/units';
import { type Kysely, sql } from 'kysely';
import { hashToken } from './opaque-token.ts';
import type { AccountsTables } from './tables.ts';

const NONCE_BYTES = 16;
const LIVE_NONCES_MAX = 5;

/** What the server remembers of a nonce: everything a signed message is compared with. */
export interface NonceRecord {
  readonly nonce: string;
  readonly address: Address;
  readonly purpose: Purpose;
  /** Of the page that asked. */
  readonly origin: string;
  readonly browserHash: string;
  readonly issuedAt: number;
}

export interface NonceRequest {
  readonly address: Address;
  readonly purpose: Purpose;
  readonly origin: string;
  /** The secret in the asking browser's cookie. */
  readonly browser: string;
}

export class Nonces {
  readonly #db: Kysely<AccountsTables>;
  readonly #now: () => number;

  constructor(parts: { db: Kysely<AccountsTables>; now: () => number }) {
    this.#db = parts.db;
    this.#now = parts.now;
  }

  /** The newest nonce of a browser evicts its oldest, never that of another browser: requests in another's name cannot lock the owner out. */
  async issue(request: NonceRequest): Promise<string> {
    const nonce = randomBytes(NONCE_BYTES).toString('hex');
    const now = this.#now();
    const browserHash = hashToken(request.browser);
    await this.#db.transaction().execute(async (tx) => {
      await sql`select pg_advisory_xact_lock(hashtextextended(${browserHash}, 0))`.execute(tx);
      await tx.deleteFrom('accounts_nonce').where('expires_at', '<=', now).execute();
      await tx
        .insertInto('accounts_nonce')
        .values({
          nonce,
          address: request.address,
          purpose: request.purpose,
          origin: request.origin,
          browser_hash: browserHash,
          expires_at: now + NONCE_LIFE_MS,
        })
        .execute();
      const kept = tx
        .selectFrom('accounts_nonce')
        .select('id')
        .where('browser_hash', '=', browserHash)
        .orderBy('id', 'desc')
        .limit(LIVE_NONCES_MAX);
      await tx.deleteFrom('accounts_nonce').where('browser_hash', '=', browserHash).where('id', 'not in', kept).execute();
    });
    return nonce;
  }

  /** Takes the nonce out, whatever comes of it: of many who try at once, one gets it. `undefined` when it is unknown, used or too old. */
  async consume(nonce: string): Promise<NonceRecord | undefined> {
    const row = await this.#db.deleteFrom('accounts_nonce').where('nonce', '=', nonce).returningAll().executeTakeFirst();
    if (row === undefined || row.expires_at <= this.#now()) return undefined;
    // The row holds what `issue` was given.
    return {
      nonce,
      address: addressOf(row.address),
      purpose: row.purpose as Purpose,
      origin: row.origin,
      browserHash: row.browser_hash,
      issuedAt: row.expires_at - NONCE_LIFE_MS,
    };
  }
}
