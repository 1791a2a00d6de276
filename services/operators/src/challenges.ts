/**
 * The challenges that passkeys answer. Anybody may request one to sign in with, so these are signed instead of kept: a flood of them takes no
 * memory and evicts nobody's. Only the holder of a valid code is given one to make a passkey with: a few for each code, kept as rows.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { sql } from 'kysely';
import { hashSecret, newToken } from './secret.ts';
import type { OperatorsDb } from './tables.ts';

export const CHALLENGE_MS = 5 * 60_000;
/** Of one code: its holder may have begun in another browser. */
const KEPT_FOR_A_CODE = 5;
const NONCE_BYTES = 16;
const TIME_BYTES = 8;
const SIGNED_BYTES = NONCE_BYTES + TIME_BYTES;

/** To sign in with. Each opens once, until it expires, in whichever process has the key. */
export class SignInChallenges {
  readonly #db: OperatorsDb;
  readonly #key: Buffer;
  readonly #now: () => number;

  /** @param parts.key the same in all processes on the database, and not in it */
  constructor(parts: { db: OperatorsDb; key: Buffer; now: () => number }) {
    this.#db = parts.db;
    this.#key = parts.key;
    this.#now = parts.now;
  }

  make(): string {
    const expiresAt = Buffer.alloc(TIME_BYTES);
    expiresAt.writeBigUInt64BE(BigInt(this.#now() + CHALLENGE_MS));
    const signed = Buffer.concat([randomBytes(NONCE_BYTES), expiresAt]);
    return Buffer.concat([signed, this.#sign(signed)]).toString('base64url');
  }

  /** Whether it was made by this key and has not expired; whether it was spent is seen by `spend`. */
  isGood(challenge: string): boolean {
    return this.#expiryOf(challenge) !== undefined;
  }

  /** Only of a challenge whose answer is verified. @returns false when another answer was earlier, in any process */
  async spend(challenge: string): Promise<boolean> {
    const expiresAt = this.#expiryOf(challenge);
    if (expiresAt === undefined) return false;
    // Kept as long again: the clock of another process may be behind.
    await this.#db
      .deleteFrom('operators_spent_challenge')
      .where('expires_at', '<=', this.#now() - CHALLENGE_MS)
      .execute();
    const spent = await this.#db
      .insertInto('operators_spent_challenge')
      .values({ hash: hashSecret(challenge), expires_at: expiresAt })
      .onConflict((conflict) => conflict.doNothing())
      .returning('hash')
      .executeTakeFirst();
    return spent !== undefined;
  }

  #expiryOf(challenge: string): number | undefined {
    const bytes = Buffer.from(challenge, 'base64url');
    const [signed, signature] = [bytes.subarray(0, SIGNED_BYTES), bytes.subarray(SIGNED_BYTES)];
    const wanted = this.#sign(signed);
    if (signature.length !== wanted.length || !timingSafeEqual(signature, wanted)) return undefined;
    const expiresAt = Number(signed.readBigUInt64BE(NONCE_BYTES));
    // Another text of the same bytes would be spent a second time.
    return expiresAt > this.#now() && bytes.toString('base64url') === challenge ? expiresAt : undefined;
  }

  #sign(signed: Buffer): Buffer {
    return createHmac('sha256', this.#key).update(signed).digest();
  }
}

/** Whom a passkey is being made for. */
export interface Newcomer {
  readonly operatorId: string;
  readonly name: string;
  readonly codeHash: string;
}

/** To make a passkey with. The code must be valid: so there are as many codes here as invitations. */
export class CreationChallenges {
  readonly #db: OperatorsDb;
  readonly #now: () => number;

  constructor(parts: { db: OperatorsDb; now: () => number }) {
    this.#db = parts.db;
    this.#now = parts.now;
  }

  async make({ operatorId, name, codeHash }: Newcomer): Promise<string> {
    const challenge = newToken();
    const now = this.#now();
    await this.#db.transaction().execute(async (tx) => {
      await sql`select pg_advisory_xact_lock(hashtextextended(${codeHash}, 0))`.execute(tx);
      await tx.deleteFrom('operators_creation').where('expires_at', '<=', now).execute();
      const row = { hash: hashSecret(challenge), operator_id: operatorId, name, code_hash: codeHash, expires_at: now + CHALLENGE_MS };
      await tx.insertInto('operators_creation').values(row).execute();
      const kept = tx
        .selectFrom('operators_creation')
        .select('id')
        .where('code_hash', '=', codeHash)
        .orderBy('id', 'desc')
        .limit(KEPT_FOR_A_CODE);
      await tx.deleteFrom('operators_creation').where('code_hash', '=', codeHash).where('id', 'not in', kept).execute();
    });
    return challenge;
  }

  /** True while a passkey is being made with this code, or was just too late. */
  async isAwaited(codeHash: string): Promise<boolean> {
    const row = await this.#db.selectFrom('operators_creation').select('id').where('code_hash', '=', codeHash).limit(1).executeTakeFirst();
    return row !== undefined;
  }

  /** @returns whom it was for, unless it has expired; it is used up by this: of several at once, in any processes, one gets it. */
  async use(challenge: string): Promise<Newcomer | undefined> {
    const row = await this.#db.deleteFrom('operators_creation').where('hash', '=', hashSecret(challenge)).returningAll().executeTakeFirst();
    if (row === undefined || row.expires_at <= this.#now()) return undefined;
    return { operatorId: row.operator_id, name: row.name, codeHash: row.code_hash };
  }
}
