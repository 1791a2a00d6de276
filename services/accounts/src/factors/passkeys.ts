/** The passkeys of accounts: a second factor that no other page can be given. */
import {
  ApiError,
  type AskedPasskey,
  PASSKEY_CHALLENGE_MS,
  type Passkey,
  type PasskeyAnswer,
  type PasskeyCreation,
  PASSKEYS_MAX,
} from '@orrery/api';
import { ALGORITHMS, checkMade, checkProven, type MadePasskey, type PasskeyFacts, siteOf } from '@orrery/foundation/passkey-checks';
import { type AccountId, accountId } from '@orrery/units';
import { type Kysely, sql, type Transaction } from 'kysely';
import type { PersonKeys } from '../person-keys.ts';
import type { AccountsTables } from '../tables.ts';
import { PasskeyChallenges } from './passkey-challenges.ts';

const SITE = 'Orrery';

type Tx = Transaction<AccountsTables>;

/** On which page, for what. */
export interface PasskeyUse {
  readonly origin: string;
  readonly purpose: string;
}

interface Owned {
  readonly account: AccountId;
  readonly credentialId: string;
}

export class Passkeys {
  readonly #db: Kysely<AccountsTables>;
  readonly #keys: PersonKeys;
  readonly #now: () => number;
  readonly #challenges: PasskeyChallenges;
  /** Whether a second step is needed is answered from memory, so that no failure of SQL lets anybody past it. */
  readonly #bound = new Map<AccountId, Set<string>>();

  constructor(parts: { db: Kysely<AccountsTables>; keys: PersonKeys; now: () => number }) {
    this.#db = parts.db;
    this.#keys = parts.keys;
    this.#now = parts.now;
    this.#challenges = new PasskeyChallenges(parts);
  }

  load(): Promise<void> {
    return this.readAgain();
  }

  /** As the rows say, whatever memory has. @param account undefined: of all */
  async readAgain(account?: AccountId): Promise<void> {
    const rows = await this.#db
      .selectFrom('accounts_passkey')
      .select(['account', 'credential_id'])
      .$if(account !== undefined, (of) => of.where('account', '=', account ?? 0))
      .orderBy('created_at')
      .execute();
    if (account === undefined) this.#bound.clear();
    else this.#bound.delete(account);
    for (const row of rows) this.added({ account: accountId(row.account), credentialId: row.credential_id });
  }

  has(account: AccountId): boolean {
    return this.#bound.has(account);
  }

  /** What a browser makes a passkey with. @throws ApiError TooMany. */
  async creation(account: AccountId, { origin, label }: { origin: string; label: string }) {
    if (this.#idsOf(account).length >= PASSKEYS_MAX) throw tooMany();
    const creation: PasskeyCreation = {
      challenge: await this.#challenges.make(creationOf(account)),
      rp: { id: siteOf(origin), name: SITE },
      user: { id: Buffer.from(`account ${account}`).toString('base64url'), name: label, displayName: label },
      pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: 'public-key', alg })),
      timeout: PASSKEY_CHALLENGE_MS,
      attestation: 'none',
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    };
    return { ...creation, excludeCredentials: this.#namedOf(account) };
  }

  /** @throws ApiError InvalidPasskey unless this answers the challenge of `creation`, which is used up by it. */
  made(account: AccountId, made: MadePasskey, origin: string): Promise<PasskeyFacts> {
    return checkMade(made, { origin, isExpected: (challenge) => this.#challenges.use(challenge, creationOf(account)) });
  }

  /** What a browser proves a passkey with. */
  async request(account: AccountId, { origin, purpose }: PasskeyUse): Promise<AskedPasskey> {
    const challenge = await this.#challenges.make(purposeOf(account, purpose));
    const allowCredentials = this.#namedOf(account);
    return { challenge, rpId: siteOf(origin), timeout: PASSKEY_CHALLENGE_MS, userVerification: 'required', allowCredentials };
  }

  /** @throws ApiError InvalidPasskey unless a passkey of the account answers the challenge of this purpose, which is used up by it. */
  async prove(account: AccountId, answer: PasskeyAnswer, { origin, purpose }: PasskeyUse): Promise<void> {
    const { credentialId } = answer;
    const row = await this.#db
      .selectFrom('accounts_passkey')
      .select(['public_key', 'counter'])
      .where('credential_id', '=', credentialId)
      .where('account', '=', account)
      .executeTakeFirst();
    if (row === undefined) throw new ApiError('InvalidPasskey');
    const passkey = { credentialId, publicKey: row.public_key, counter: row.counter };
    const isExpected = (challenge: string): Promise<boolean> => this.#challenges.use(challenge, purposeOf(account, purpose));
    const counter = await checkProven(answer, passkey, { origin, isExpected });
    // Of two answers at once, made by a device and its copy, one has the counter that was read.
    const { numUpdatedRows } = await this.#db
      .updateTable('accounts_passkey')
      .set({ counter, last_used_at: this.#now() })
      .where('credential_id', '=', credentialId)
      .where('account', '=', account)
      .where('counter', '=', row.counter)
      .executeTakeFirstOrThrow();
    if (numUpdatedRows !== 1n) throw new ApiError('InvalidPasskey');
  }

  /** @throws ApiError TooMany, AlreadyThere. */
  async insert(account: AccountId, passkey: PasskeyFacts & { readonly name: string; readonly site: string }, tx: Tx): Promise<void> {
    await sql`select pg_advisory_xact_lock(hashtextextended(${`passkeys ${account}`}, 0))`.execute(tx);
    const rows = await tx.selectFrom('accounts_passkey').select('credential_id').where('account', '=', account).execute();
    if (rows.length >= PASSKEYS_MAX) throw tooMany();
    const { credentialId, publicKey, counter, name, site } = passkey;
    const inserted = await tx
      .insertInto('accounts_passkey')
      .values({
        credential_id: credentialId,
        account,
        public_key: publicKey,
        counter,
        site,
        sealed_name: await this.#encrypt({ account, credentialId }, name),
        created_at: this.#now(),
        last_used_at: null,
      })
      .onConflict((conflict) => conflict.column('credential_id').doNothing())
      .returning('credential_id')
      .executeTakeFirst();
    if (inserted === undefined) throw new ApiError('AlreadyThere', { field: 'credentialId' });
  }

  /** After the transaction in which it was inserted. */
  added({ account, credentialId }: Owned): void {
    const own = this.#bound.get(account) ?? new Set();
    this.#bound.set(account, own.add(credentialId));
  }

  /** Oldest first. */
  async list(account: AccountId): Promise<Passkey[]> {
    const rows = await this.#db.selectFrom('accounts_passkey').selectAll().where('account', '=', account).orderBy('created_at').execute();
    return Promise.all(
      rows.map(async (row) => ({
        credentialId: row.credential_id,
        name: (await this.#keys.decrypt(account, row.sealed_name, nameOf(row.credential_id)))?.toString('utf8') ?? '',
        site: row.site,
        createdTime: row.created_at,
        lastUsedTime: row.last_used_at,
      })),
    );
  }

  /** @throws ApiError UnknownThing unless it is a passkey of the account. */
  async rename(owned: Owned, name: string): Promise<void> {
    const { numUpdatedRows } = await this.#db
      .updateTable('accounts_passkey')
      .set({ sealed_name: await this.#encrypt(owned, name) })
      .where('credential_id', '=', owned.credentialId)
      .where('account', '=', owned.account)
      .executeTakeFirstOrThrow();
    if (numUpdatedRows !== 1n) throw unknown();
  }

  /** @throws ApiError UnknownThing where none is bound. */
  checkAny(account: AccountId): void {
    if (!this.has(account)) throw new ApiError('UnknownThing', { field: 'passkey' });
  }

  /** @throws ApiError UnknownThing unless it is a passkey of the account. */
  checkOwn({ account, credentialId }: Owned): void {
    if (this.#bound.get(account)?.has(credentialId) !== true) throw unknown();
  }

  /** @throws ApiError UnknownThing unless it is a passkey of the account. */
  async remove({ account, credentialId }: Owned, tx: Tx): Promise<void> {
    const { numDeletedRows } = await tx
      .deleteFrom('accounts_passkey')
      .where('credential_id', '=', credentialId)
      .where('account', '=', account)
      .executeTakeFirstOrThrow();
    if (numDeletedRows !== 1n) throw unknown();
  }

  /** After the transaction in which it was removed. */
  removed({ account, credentialId }: Owned): void {
    const own = this.#bound.get(account);
    own?.delete(credentialId);
    if (own?.size === 0) this.#bound.delete(account);
  }

  /** They become another account's. */
  async move({ from, to }: { from: AccountId; to: AccountId }, tx: Tx): Promise<void> {
    const rows = await tx.selectFrom('accounts_passkey').selectAll().where('account', '=', from).execute();
    for (const { credential_id: credentialId, sealed_name: sealed } of rows) {
      const name = (await this.#keys.decrypt(from, sealed, nameOf(credentialId)))?.toString('utf8') ?? '';
      await tx
        .updateTable('accounts_passkey')
        .set({ account: to, sealed_name: await this.#encrypt({ account: to, credentialId }, name) })
        .where('credential_id', '=', credentialId)
        .execute();
    }
  }

  /** After the transaction in which they moved. */
  moved({ from, to }: { from: AccountId; to: AccountId }): void {
    const own = this.#bound.get(from);
    if (own === undefined) return;
    this.#bound.delete(from);
    this.#bound.set(to, own);
  }

  /** After the transaction in which they were deleted. */
  erased(account: AccountId): void {
    this.#bound.delete(account);
  }

  forget(): Promise<void> {
    return this.#challenges.forget();
  }

  #idsOf(account: AccountId): readonly string[] {
    return [...(this.#bound.get(account) ?? [])];
  }

  #namedOf(account: AccountId): { type: 'public-key'; id: string }[] {
    return this.#idsOf(account).map((id) => ({ type: 'public-key', id }));
  }

  #encrypt({ account, credentialId }: Owned, name: string): Promise<Buffer> {
    return this.#keys.encrypt(account, Buffer.from(name), nameOf(credentialId));
  }
}

const unknown = (): ApiError => new ApiError('UnknownThing', { field: 'credentialId' });
const tooMany = (): ApiError =>
  new ApiError('TooMany', { field: 'passkeys', message: `an account has at most ${PASSKEYS_MAX} passkeys: remove one first` });

const nameOf = (credentialId: string): string => `passkey ${credentialId}`;
const creationOf = (account: AccountId): string => `create ${account}`;
const purposeOf = (account: AccountId, purpose: string): string => `prove ${account} ${purpose}`;
