/** Sessions in SQL: what is there survives a restart. Tokens are there as hashes only; from where it was opened, under the key of its person. */
import { type AccountId, accountId, type Address, addressOf } from '@orrery/units';
import { type Kysely, type Selectable, sql, type Transaction } from 'kysely';
import { LOGIN_KEPT_MS } from './login-record.ts';
import type { PersonKeys } from './person-keys.ts';
import type { AccountsTables } from './tables.ts';

export interface Session {
  readonly sessionId: string;
  readonly account: AccountId;
  readonly address: Address;
  readonly createdAt: number;
  lastSeenAt: number;
  readonly endsAt: number;
  readonly userAgent: string;
  readonly ip: string;
}

export interface FoundSession {
  readonly session: Session;
  readonly accessTokens: readonly { readonly hash: string; readonly sessionId: string; readonly expiresAt: number }[];
}

type Place = Pick<Session, 'userAgent' | 'ip'>;

interface HashedTokens {
  readonly access: { readonly hash: string; readonly expiresAt: number };
  readonly refresh: string;
}

export class SessionStore {
  readonly #db: Kysely<AccountsTables>;
  readonly #keys: PersonKeys;
  /** Of what was over by then, nothing is left to forget. */
  #forgottenUntil = 0;

  constructor(parts: { db: Kysely<AccountsTables>; keys: PersonKeys }) {
    this.#db = parts.db;
    this.#keys = parts.keys;
  }

  async live(now: number): Promise<{
    readonly sessions: readonly Session[];
    readonly accessTokens: readonly { readonly hash: string; readonly sessionId: string; readonly expiresAt: number }[];
  }> {
    const rows = await this.#db
      .selectFrom('accounts_session')
      .selectAll()
      .where('revoked_at', 'is', null)
      .where('ends_at', '>', now)
      .execute();
    const tokens = await this.#db.selectFrom('accounts_access_token').selectAll().where('expires_at', '>', now).execute();
    return {
      sessions: await Promise.all(rows.map((row) => this.#sessionOf(row))),
      accessTokens: tokens.map((row) => ({ hash: row.hash, sessionId: row.session_id, expiresAt: row.expires_at })),
    };
  }

  /** Live by its row: of an access token, of its id, or all of an account. */
  async find(
    by: { readonly accessHash: string } | { readonly sessionId: string } | { readonly account: AccountId },
    now: number,
  ): Promise<FoundSession[]> {
    const rows = await this.#db
      .selectFrom('accounts_session')
      .selectAll()
      .where('revoked_at', 'is', null)
      .where('ends_at', '>', now)
      .$if('accessHash' in by, (of) =>
        of.where('session_id', 'in', (token) =>
          token
            .selectFrom('accounts_access_token')
            .select('session_id')
            .where('hash', '=', 'accessHash' in by ? by.accessHash : ''),
        ),
      )
      .$if('sessionId' in by, (of) => of.where('session_id', '=', 'sessionId' in by ? by.sessionId : ''))
      .$if('account' in by, (of) => of.where('account', '=', 'account' in by ? by.account : 0))
      .execute();
    return Promise.all(
      rows.map(async (row) => {
        const tokens = await this.#db
          .selectFrom('accounts_access_token')
          .select(['hash', 'expires_at'])
          .where('session_id', '=', row.session_id)
          .where('expires_at', '>', now)
          .execute();
        return {
          session: await this.#sessionOf(row),
          accessTokens: tokens.map((token) => ({ hash: token.hash, sessionId: row.session_id, expiresAt: token.expires_at })),
        };
      }),
    );
  }

  async insert(session: Session, tokens: HashedTokens): Promise<void> {
    await this.#db.transaction().execute(async (tx) => {
      await tx
        .insertInto('accounts_session')
        .values({
          session_id: session.sessionId,
          account: session.account,
          address: session.address,
          created_at: session.createdAt,
          last_seen_at: session.lastSeenAt,
          ends_at: session.endsAt,
          sealed_place: await this.#sealedPlace(session),
          revoked_at: null,
        })
        .execute();
      await insertTokens(tx, session.sessionId, { ...tokens, now: session.createdAt });
    });
  }

  async insertTokens(sessionId: string, tokens: HashedTokens & { readonly now: number }): Promise<void> {
    await this.#db.transaction().execute((tx) => insertTokens(tx, sessionId, tokens));
  }

  /** Marks it used; `previouslyAt` is the time of an earlier use. */
  async useRefreshToken(
    hash: string,
    now: number,
  ): Promise<{ readonly sessionId: string; readonly previouslyAt: number | undefined } | undefined> {
    return this.#db.transaction().execute(async (tx) => {
      const row = await tx.selectFrom('accounts_refresh_token').selectAll().where('hash', '=', hash).forUpdate().executeTakeFirst();
      if (row === undefined) return undefined;
      if (row.used_at === null) await tx.updateTable('accounts_refresh_token').set({ used_at: now }).where('hash', '=', hash).execute();
      return { sessionId: row.session_id, previouslyAt: row.used_at ?? undefined };
    });
  }

  async sessionOfRefreshToken(hash: string): Promise<string | undefined> {
    const row = await this.#db.selectFrom('accounts_refresh_token').select('session_id').where('hash', '=', hash).executeTakeFirst();
    return row?.session_id;
  }

  /** Of those tokens that are known. */
  async sessionsOfRefreshTokens(hashes: readonly string[]): Promise<readonly string[]> {
    const rows = await this.#db
      .selectFrom('accounts_refresh_token')
      .select('session_id')
      .where(sql<boolean>`hash = any(${[...hashes]}::text[])`)
      .execute();
    return rows.map(({ session_id: sessionId }) => sessionId);
  }

  async end(sessionIds: readonly string[], now: number): Promise<void> {
    await this.#db
      .updateTable('accounts_session')
      .set({ revoked_at: now })
      // As one parameter: a statement has no more than 65,535.
      .where(sql<boolean>`session_id = any(${[...sessionIds]}::text[])`)
      .where('revoked_at', 'is', null)
      .execute();
  }

  /** Sessions and tokens that are over at `now` stay so, whatever the clock says later. */
  async endOver(now: number): Promise<void> {
    await this.#db
      .updateTable('accounts_session')
      .set({ revoked_at: now })
      .where('ends_at', '<=', now)
      .where('revoked_at', 'is', null)
      .execute();
    await this.#db.deleteFrom('accounts_access_token').where('expires_at', '<=', now).execute();
  }

  async saveSeen(sessions: readonly Session[]): Promise<void> {
    if (sessions.length === 0) return;
    const ids = sessions.map(({ sessionId }) => sessionId);
    const times = sessions.map(({ lastSeenAt }) => lastSeenAt);
    await sql`
      update accounts_session set last_seen_at = seen.at from unnest(${ids}::text[], ${times}::bigint[]) as seen (id, at)
      where session_id = seen.id`.execute(this.#db);
  }

  /** Tokens of what is over say nothing any more. A session stays as long as the login that began it is recorded. */
  async forget(now: number): Promise<void> {
    await this.#db.deleteFrom('accounts_access_token').where('expires_at', '<=', now).execute();
    const over = this.#db
      .selectFrom('accounts_session')
      .select('session_id')
      .where('ends_at', '<=', now)
      .where('ends_at', '>', this.#forgottenUntil);
    await this.#db.deleteFrom('accounts_refresh_token').where('session_id', 'in', over).execute();
    await this.#db
      .deleteFrom('accounts_session')
      .where('ends_at', '<=', now - LOGIN_KEPT_MS)
      .execute();
    this.#forgottenUntil = now;
  }

  #sealedPlace({ account, sessionId, userAgent, ip }: Session): Promise<Buffer> {
    return this.#keys.encrypt(account, Buffer.from(JSON.stringify({ userAgent, ip })), boundTo(sessionId));
  }

  /** Empty where the session is from before places were kept encrypted, or the key of the person is erased. */
  async #sessionOf(row: Selectable<AccountsTables['accounts_session']>): Promise<Session> {
    return {
      sessionId: row.session_id,
      account: accountId(row.account),
      address: addressOf(row.address),
      createdAt: row.created_at,
      lastSeenAt: row.last_seen_at,
      endsAt: row.ends_at,
      ...(await this.#placeOf(row)),
    };
  }

  async #placeOf({
    session_id,
    account,
    sealed_place,
  }: {
    session_id: string;
    account: number;
    sealed_place: Buffer | null;
  }): Promise<Place> {
    const bytes = sealed_place === null ? undefined : await this.#keys.decrypt(accountId(account), sealed_place, boundTo(session_id));
    return bytes === undefined ? { userAgent: '', ip: '' } : (JSON.parse(bytes.toString('utf8')) as Place);
  }
}

const boundTo = (sessionId: string): string => `session ${sessionId}`;

async function insertTokens(
  tx: Transaction<AccountsTables>,
  sessionId: string,
  tokens: HashedTokens & { readonly now: number },
): Promise<void> {
  await tx
    .insertInto('accounts_access_token')
    .values({ hash: tokens.access.hash, session_id: sessionId, expires_at: tokens.access.expiresAt })
    .execute();
  await tx
    .insertInto('accounts_refresh_token')
    .values({ hash: tokens.refresh, session_id: sessionId, created_at: tokens.now, used_at: null })
    .execute();
}
