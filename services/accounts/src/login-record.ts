/**
 * The login record: every way in that was taken or tried, by account. The browser and the first half of the caller's address are stored, encrypted
 * under the key of the person.
 */
import type { LoginRecord, LoginResult, LoginWay } from '@orrery/api';
import { type AccountId, accountId } from '@orrery/units';
import type { Kysely, Selectable, Transaction } from 'kysely';
import type { PersonKeys } from './person-keys.ts';
import type { AccountsTables } from './tables.ts';

/** Milliseconds. */
export const LOGIN_KEPT_MS = 180 * 86_400_000;
const DAY_MS = 86_400_000;
const BATCH = 1_000;
/** Anybody can fail in another's name: beyond this number in a day, failed tries of an account are not written. */
export const FAILED_TRIES_PER_DAY = 100;
export const DEVICE_LENGTH_MAX = 256;

export interface LoginTry {
  readonly account: AccountId;
  readonly way: LoginWay;
  readonly result: LoginResult;
  readonly userAgent: string;
  /** The /24 or /56 of the caller, as `Caller` has it. */
  readonly neighbourhood: string | undefined;
  readonly newDevice: boolean;
}

type Place = Pick<LoginRecord, 'device' | 'ip'>;
type Row = Selectable<AccountsTables['accounts_login']>;

export class LoginRecords {
  readonly #db: Kysely<AccountsTables>;
  readonly #keys: PersonKeys;
  readonly #now: () => number;
  readonly #onTrouble: (error: unknown) => void;
  /** What is noted without a caller who waits. */
  #noting: Promise<void> = Promise.resolve();

  /** @param parts.onTrouble is called with what kept a failure from being noted */
  constructor(parts: { db: Kysely<AccountsTables>; keys: PersonKeys; now: () => number; onTrouble: (error: unknown) => void }) {
    this.#db = parts.db;
    this.#keys = parts.keys;
    this.#now = parts.now;
    this.#onTrouble = parts.onTrouble;
  }

  /** Rows of before there was a key per person lie open: once, before the first call, they are encrypted. */
  async load(): Promise<void> {
    for (;;) {
      const old = await this.#db.selectFrom('accounts_login').selectAll().where('sealed_place', 'is', null).limit(BATCH).execute();
      for (const { id, account, device, ip } of old) {
        const sealed = await this.#sealed(accountId(account), { device, ip });
        await this.#db.updateTable('accounts_login').set({ device: '', ip: '', sealed_place: sealed }).where('id', '=', id).execute();
      }
      if (old.length < BATCH) return;
    }
  }

  /** All records of an account become another's. */
  async move({ from, to }: { from: AccountId; to: AccountId }, tx: Transaction<AccountsTables>): Promise<void> {
    for (const row of await tx.selectFrom('accounts_login').selectAll().where('account', '=', from).execute()) {
      const moved = { account: to, sealed_place: await this.#sealed(to, await this.#placeOf(row)) };
      await tx.updateTable('accounts_login').set(moved).where('id', '=', row.id).execute();
    }
  }

  /** Nobody waits for it: how long an answer takes must not show whether there is an account to note it for. */
  noteLater(tried: LoginTry): void {
    this.#noting = this.#noting.then(() => this.#write(tried)).catch(this.#onTrouble);
  }

  /** Resolves when all that was noted is written. */
  settled(): Promise<void> {
    return this.#noting;
  }

  async note(tried: LoginTry): Promise<void> {
    await this.#noting;
    await this.#write(tried);
  }

  async #write(tried: LoginTry): Promise<void> {
    const now = this.#now();
    if (tried.result === 'FAILED' && (await this.#failuresSince(tried.account, now - DAY_MS)) >= FAILED_TRIES_PER_DAY) return;
    await this.#db
      .insertInto('accounts_login')
      .values({
        account: tried.account,
        at: now,
        way: tried.way,
        result: tried.result,
        device: '',
        ip: '',
        sealed_place: await this.#sealed(tried.account, {
          device: tried.userAgent.slice(0, DEVICE_LENGTH_MAX),
          ip: maskedIp(tried.neighbourhood),
        }),
        new_device: tried.newDevice,
      })
      .execute();
  }

  /** Newest first. */
  async page(account: AccountId, { page, pageSize }: { page: number; pageSize: number }): Promise<{ items: LoginRecord[]; total: number }> {
    await this.#noting;
    const own = this.#db
      .selectFrom('accounts_login')
      .where('account', '=', account)
      .where('at', '>', this.#now() - LOGIN_KEPT_MS);
    const rows = await own
      .selectAll()
      .orderBy('id', 'desc')
      .limit(pageSize)
      .offset((page - 1) * pageSize)
      .execute();
    const { total } = await own.select((select) => select.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
    const items = await Promise.all(
      rows.map(async (row) => ({
        createTime: row.at,
        way: row.way as LoginWay,
        result: row.result as LoginResult,
        ...(await this.#placeOf(row)),
        newDevice: row.new_device,
      })),
    );
    return { items, total };
  }

  async forget(): Promise<void> {
    await this.#db
      .deleteFrom('accounts_login')
      .where('at', '<=', this.#now() - LOGIN_KEPT_MS)
      .execute();
  }

  #sealed(account: AccountId, place: Place): Promise<Buffer> {
    return this.#keys.encrypt(account, Buffer.from(JSON.stringify(place)), boundTo(account));
  }

  /** Empty where the key of the person is erased. */
  async #placeOf({ account: owner, sealed_place: sealed }: Row): Promise<Place> {
    const account = accountId(owner);
    const bytes = sealed === null ? undefined : await this.#keys.decrypt(account, sealed, boundTo(account));
    return bytes === undefined ? { device: '', ip: '' } : (JSON.parse(bytes.toString('utf8')) as Place);
  }

  async #failuresSince(account: AccountId, at: number): Promise<number> {
    const { count } = await this.#db
      .selectFrom('accounts_login')
      .select((select) => select.fn.countAll<number>().as('count'))
      .where('account', '=', account)
      .where('result', '=', 'FAILED')
      .where('at', '>', at)
      .executeTakeFirstOrThrow();
    return count;
  }
}

const boundTo = (account: AccountId): string => `login of ${account}`;

/** `203.0.113.0/24` is `203.0.*.*`, `2001:db8:1:200::/56` is `2001:db8:*`. */
export function maskedIp(neighbourhood: string | undefined): string {
  if (neighbourhood === undefined) return 'unknown';
  if (neighbourhood.includes(':')) return `${neighbourhood.split(':').slice(0, 2).join(':')}:*`;
  return `${neighbourhood.split('.').slice(0, 2).join('.')}.*.*`;
}
