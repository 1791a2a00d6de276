/** Identities that people hand in: encrypted under the key of the person, approved by an operator or sent back with a reason. */
import { ApiError, IDENTITY_STATES, IDENTITY_TRIES_PER_DAY, type IdentityState, type IdentityWish } from '@orrery/api';
import { type AccountId, accountId } from '@orrery/units';
import type { Kysely, Transaction } from 'kysely';
import { lockFiles } from '../files/files.ts';
import type { PersonKeys } from '../person-keys.ts';
import { COUNTRIES } from '../names/countries.ts';
import { waitOf } from '../names/tries.ts';
import type { AccountsTables } from '../tables.ts';
import { isRealName, isSameName, tidyName } from './real-name.ts';

const DAY_MS = 24 * 3_600_000;
const TRIES = [{ most: IDENTITY_TRIES_PER_DAY, perMs: DAY_MS }];

type Tried = 'AUTH' | 'NAME_JUDGE';

/** What is known of an identity without reading what it says. */
interface Outcome {
  readonly state: IdentityState;
  readonly backReason: string | null;
}

const NONE: Outcome = { state: 'NONE', backReason: null };

/** What is encrypted. */
export type Said = Omit<IdentityWish, 'fileIds'>;

export class Identities {
  readonly #db: Kysely<AccountsTables>;
  readonly #keys: PersonKeys;
  readonly #now: () => number;
  readonly #outcomes = new Map<AccountId, Outcome>();

  constructor(parts: { db: Kysely<AccountsTables>; keys: PersonKeys; now: () => number }) {
    this.#db = parts.db;
    this.#keys = parts.keys;
    this.#now = parts.now;
  }

  /** Once, before the first call. */
  load(): Promise<void> {
    return this.readAgain();
  }

  /** After a change in SQL. @param account undefined: of all */
  async readAgain(account?: AccountId): Promise<void> {
    const rows = await this.#db
      .selectFrom('accounts_identity')
      .select(['account', 'state', 'back_reason'])
      .$if(account !== undefined, (of) => of.where('account', '=', account ?? 0))
      .execute();
    if (account === undefined) this.#outcomes.clear();
    else this.#outcomes.delete(account);
    for (const row of rows) this.#outcomes.set(accountId(row.account), { state: row.state as IdentityState, backReason: row.back_reason });
  }

  /** After the transaction in which it was deleted. */
  erased(account: AccountId): void {
    this.#outcomes.delete(account);
  }

  /** As the account's information shows them. */
  levelsOf(account: AccountId): { idNoStatus: number; realAuth: boolean; initialAuth: boolean; backReason: string | null } {
    const { state, backReason } = this.#outcomes.get(account) ?? NONE;
    const realAuth = state === 'APPROVED';
    return { idNoStatus: IDENTITY_STATES.indexOf(state), realAuth, initialAuth: realAuth || state === 'HANDED_IN', backReason };
  }

  /** Null unless an identity is approved. */
  async realNameOf(account: AccountId): Promise<string | null> {
    if (this.#outcomes.get(account)?.state !== 'APPROVED') return null;
    const row = await this.#db.selectFrom('accounts_identity').select('sealed').where('account', '=', account).executeTakeFirst();
    return row === undefined ? null : ((await this.open(account, row.sealed))?.realName ?? null);
  }

  /**
   * @throws ApiError MalformedField for a name or country that can not be, AlreadyThere while one is handed in or approved, UnknownThing for files
   * of nobody or of others, TooManyRequests at the sixth within 24 hours. Only what is taken counts.
   */
  async handIn(account: AccountId, { fileIds, ...wish }: IdentityWish): Promise<{ idNoStatus: number; handedInTime: number }> {
    const said = checked(wish);
    const sealed = await this.#keys.encrypt(account, Buffer.from(JSON.stringify(said)), boundTo(account));
    const handedInTime = this.#now();
    await this.#db.transaction().execute(async (tx) => {
      await lockFiles(tx, account);
      const before = await tx.selectFrom('accounts_identity').select('state').where('account', '=', account).executeTakeFirst();
      if (before !== undefined && before.state !== 'SENT_BACK')
        throw new ApiError('AlreadyThere', { field: 'identity', message: 'your identity is handed in or approved already' });
      await checkFiles(tx, account, fileIds);
      await this.#count(tx, account, 'AUTH');
      const row = { state: 'HANDED_IN', sealed, file_ids: [...fileIds], back_reason: null, handed_in_at: handedInTime, decided_at: null };
      await tx
        .insertInto('accounts_identity')
        .values({ account, ...row })
        .onConflict((conflict) => conflict.column('account').doUpdateSet(row))
        .execute();
    });
    await this.readAgain(account);
    return { idNoStatus: IDENTITY_STATES.indexOf('HANDED_IN'), handedInTime };
  }

  /** @throws ApiError TooManyRequests at the sixth within 24 hours. */
  async judge(account: AccountId, text: string): Promise<{ usable: boolean; matches: boolean | null }> {
    await this.#db.transaction().execute(async (tx) => {
      await lockFiles(tx, account);
      await this.#count(tx, account, 'NAME_JUDGE');
    });
    const realName = await this.realNameOf(account);
    return { usable: isRealName(tidyName(text)), matches: realName === null ? null : isSameName(realName, text) };
  }

  /** Tries that no longer count. */
  async forget(): Promise<void> {
    await this.#db
      .deleteFrom('accounts_identity_try')
      .where('at', '<=', this.#now() - DAY_MS)
      .execute();
  }

  /** Undefined where the key of the person is erased. */
  async open(account: AccountId, sealed: Buffer): Promise<Said | undefined> {
    const bytes = await this.#keys.decrypt(account, sealed, boundTo(account));
    return bytes === undefined ? undefined : (JSON.parse(bytes.toString('utf8')) as Said);
  }

  async #count(tx: Transaction<AccountsTables>, account: AccountId, kind: Tried): Promise<void> {
    const now = this.#now();
    const rows = await tx
      .selectFrom('accounts_identity_try')
      .select('at')
      .where('account', '=', account)
      .where('kind', '=', kind)
      .where('at', '>', now - DAY_MS)
      .execute();
    const waitMs = waitOf(
      rows.map(({ at }) => at),
      TRIES,
      now,
    );
    if (waitMs > 0)
      throw new ApiError('TooManyRequests', {
        message: `this is done at most ${IDENTITY_TRIES_PER_DAY} times in 24 hours`,
        retryAfterSeconds: Math.ceil(waitMs / 1_000),
      });
    await tx.insertInto('accounts_identity_try').values({ account, kind, at: now }).execute();
  }
}

const boundTo = (account: AccountId): string => `identity ${account}`;

function checked({ realName: text, country, ...wish }: Said): Said {
  const realName = tidyName(text);
  if (!isRealName(realName))
    throw new ApiError('MalformedField', { field: 'realName', message: 'realName does not have the form of a name' });
  if (!COUNTRIES.some((known) => known.country === country))
    throw new ApiError('MalformedField', { field: 'country', message: 'country is no country of ISO 3166' });
  return { realName, country, ...wish };
}

async function checkFiles(tx: Transaction<AccountsTables>, account: AccountId, fileIds: readonly string[]): Promise<void> {
  const rows = await tx
    .selectFrom('accounts_file')
    .select('file_id')
    .where('account', '=', account)
    .where('purpose', '=', 'identity')
    .where('file_id', 'in', [...fileIds])
    .execute();
  if (rows.length < new Set(fileIds).size) throw new ApiError('UnknownThing', { field: 'fileIds' });
}
