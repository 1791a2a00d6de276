/** Which browsers get messages, by session: in memory for what announces, in SQL for the next start. The address of a browser is under the key of its person. */
import { createHmac } from 'node:crypto';
import type { PushCategory, PushChoice } from '@orrery/api';
import { type AccountId, accountId } from '@orrery/units';
import { type Kysely, sql } from 'kysely';
import type { PersonKeys } from '../person-keys.ts';
import type { AccountsTables } from '../tables.ts';

/** Where messages of a browser go, and the keys under which only it reads them. */
export interface PushTarget {
  readonly endpoint: string;
  readonly p256dh: string;
  readonly auth: string;
}

export interface Subscription extends PushChoice {
  readonly sessionId: string;
  readonly account: AccountId;
  readonly target: PushTarget;
}

interface Parts {
  readonly db: Kysely<AccountsTables>;
  readonly keys: PersonKeys;
  /** Of the marks by which one browser is known. */
  readonly markKey: Buffer;
}

export class Subscriptions {
  readonly #db: Kysely<AccountsTables>;
  readonly #keys: PersonKeys;
  readonly #markKey: Buffer;
  readonly #bySession = new Map<string, Subscription>();
  readonly #byAccount = new Map<AccountId, Set<Subscription>>();
  #setting: Promise<void> = Promise.resolve();

  constructor({ db, keys, markKey }: Parts) {
    this.#db = db;
    this.#keys = keys;
    this.#markKey = markKey;
  }

  /** @param isLive whether a session is; the others' rows are of before a kill, and go. */
  async load(isLive: (sessionId: string) => boolean): Promise<void> {
    return this.readAgain(undefined, isLive);
  }

  /** As the row says, whatever memory has. @param of undefined: of all sessions */
  async readAgain(of: string | undefined, isLive: (sessionId: string) => boolean): Promise<void> {
    const rows = await this.#db
      .selectFrom('accounts_push')
      .selectAll()
      .$if(of !== undefined, (all) => all.where('session_id', '=', of ?? ''))
      .execute();
    for (const sessionId of of === undefined ? [...this.#bySession.keys()] : [of]) this.forget(sessionId);
    for (const row of rows) {
      const account = accountId(row.account);
      const bytes = isLive(row.session_id) ? await this.#keys.decrypt(account, row.sealed_target, boundTo(row.session_id)) : undefined;
      if (bytes === undefined) await this.#deleteEnded(row.session_id);
      else
        this.#put({
          sessionId: row.session_id,
          account,
          target: JSON.parse(bytes.toString('utf8')) as PushTarget,
          categories: row.categories as PushCategory[],
          showAmounts: row.show_amounts,
          createdTime: row.created_at,
        });
    }
  }

  of(sessionId: string): Subscription | undefined {
    return this.#bySession.get(sessionId);
  }

  /** Those of an account that want this category. */
  wanting(account: AccountId, category: PushCategory): readonly Subscription[] {
    return this.all(account).filter(({ categories }) => categories.includes(category));
  }

  all(account: AccountId): readonly Subscription[] {
    return [...(this.#byAccount.get(account) ?? [])];
  }

  accountsWanting(category: PushCategory): readonly AccountId[] {
    return [...this.#byAccount.keys()].filter((account) => this.wanting(account, category).length > 0);
  }

  /**
   * A browser belongs to the session that has subscribed it last: what it had before, under whatever account, ends. One after the other, so that of two at once
   * one is whole. @returns the sessions whose subscription this one replaces, its own among them.
   */
  set(subscription: Subscription): Promise<readonly string[]> {
    const set = this.#setting.then(() => this.#set(subscription));
    this.#setting = set.then(
      () => undefined,
      () => undefined,
    );
    return set;
  }

  async #set(subscription: Subscription): Promise<readonly string[]> {
    const { sessionId, account, target } = subscription;
    const mark = createHmac('sha256', this.#markKey).update(target.endpoint).digest('base64url');
    const sealed = await this.#keys.encrypt(account, Buffer.from(JSON.stringify(target)), boundTo(sessionId));
    const replaced = await this.#db.transaction().execute(async (tx) => {
      const rows = await tx
        .deleteFrom('accounts_push')
        .where((where) => where.or([where('mark', '=', mark), where('session_id', '=', sessionId)]))
        .returning('session_id')
        .execute();
      await tx
        .insertInto('accounts_push')
        .values({
          session_id: sessionId,
          account,
          mark,
          sealed_target: sealed,
          categories: [...subscription.categories],
          show_amounts: subscription.showAmounts,
          created_at: subscription.createdTime,
        })
        .execute();
      return rows;
    });
    const sessionIds = replaced.map((row) => row.session_id);
    for (const replacedId of sessionIds) this.forget(replacedId);
    this.#put(subscription);
    return sessionIds;
  }

  /** From here on nothing is sent there, whether or not SQL can be written just now. */
  async end(sessionId: string): Promise<void> {
    if (!this.forget(sessionId)) return;
    await this.#delete(sessionId);
  }

  /** In memory alone. @returns whether there was one. */
  forget(sessionId: string): boolean {
    const known = this.#bySession.get(sessionId);
    if (known === undefined) return false;
    this.#bySession.delete(sessionId);
    const others = this.#byAccount.get(known.account);
    others?.delete(known);
    if (others?.size === 0) this.#byAccount.delete(known.account);
    return true;
  }

  #put(subscription: Subscription): void {
    this.#bySession.set(subscription.sessionId, subscription);
    const all = this.#byAccount.get(subscription.account) ?? new Set();
    this.#byAccount.set(subscription.account, all.add(subscription));
  }

  /** Not where another process has just opened it. */
  async #deleteEnded(sessionId: string): Promise<void> {
    await sql`
      delete from accounts_push where session_id = ${sessionId} and not exists (
        select from accounts_session where accounts_session.session_id = accounts_push.session_id and revoked_at is null
      )`.execute(this.#db);
  }

  async #delete(sessionId: string): Promise<void> {
    await this.#db.deleteFrom('accounts_push').where('session_id', '=', sessionId).execute();
  }
}

const boundTo = (sessionId: string): string => `push ${sessionId}`;
