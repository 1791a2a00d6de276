/** Listen keys of processes that share a database: one that was given by one opens streams at any, also after a restart. In SQL as hashes. */
import { createHmac, randomBytes } from 'node:crypto';
import { LISTEN_KEY_LIFE_MS, type ListenKeyKind, type Principal } from '@orrery/api';
import { type ExpressionBuilder, sql } from 'kysely';
import type { GatewayTables } from '../limits/tables.ts';
import { KEY_BYTES, type ListenKeys } from './listen-keys.ts';
import { hashOf, holderOf, type SharedParts } from './shared-tickets.ts';

export class SharedListenKeys implements ListenKeys {
  readonly #parts: SharedParts & { readonly secret: Buffer };

  /** @param parts.secret the same in all processes, and not in the database: keys are derived by it */
  constructor(parts: SharedParts & { readonly secret: Buffer }) {
    this.#parts = parts;
  }

  /** Of several at once, all get the same key. */
  async issue({ account, via, credential }: Principal, kind: ListenKeyKind): Promise<string> {
    const { db, now } = this.#parts;
    const at = now();
    const salt = randomBytes(KEY_BYTES).toString('hex');
    const isOver = sql<boolean>`gateway_listen_key.expires_at <= ${at}`;
    const unlessGood =
      (column: 'hash' | 'salt') =>
      (of: ExpressionBuilder<GatewayTables & { excluded: GatewayTables['gateway_listen_key'] }, 'gateway_listen_key' | 'excluded'>) =>
        of
          .case()
          .when(isOver)
          .then(of.ref(`excluded.${column}`))
          .else(of.ref(`gateway_listen_key.${column}`))
          .end();
    const row = await db
      .insertInto('gateway_listen_key')
      .values({ hash: hashOf(this.#keyOf(salt)), account, via, credential, kind, salt, expires_at: at + LISTEN_KEY_LIFE_MS })
      .onConflict((conflict) =>
        conflict
          .columns(['credential', 'kind'])
          .doUpdateSet({ hash: unlessGood('hash'), salt: unlessGood('salt'), expires_at: at + LISTEN_KEY_LIFE_MS }),
      )
      .returning('salt')
      .executeTakeFirstOrThrow();
    return this.#keyOf(row.salt);
  }

  async ownerOf(key: string, kinds: readonly ListenKeyKind[]): Promise<Principal | undefined> {
    const { db, authenticator, now } = this.#parts;
    const row = await db
      .selectFrom('gateway_listen_key')
      .selectAll()
      .where('hash', '=', hashOf(key))
      .where('expires_at', '>', now())
      .where('kind', 'in', kinds)
      .executeTakeFirst();
    return row === undefined ? undefined : holderOf(row, authenticator);
  }

  /** Whose session or key is over is found out at the use. */
  revoke(): void {}

  #keyOf(salt: string): string {
    return createHmac('sha256', this.#parts.secret).update(salt).digest().subarray(0, KEY_BYTES).toString('hex');
  }
}
