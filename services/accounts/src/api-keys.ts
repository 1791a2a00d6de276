/**
 * API keys: how programs come in. In SQL secrets are sealed and labels encrypted under the key of their person; in memory they are open, and every
 * look-up answers from there.
 */
import { randomBytes } from 'node:crypto';
import { ApiError, type ApiKey, type NewApiKey, publicKeyOf } from '@orrery/api';
import { type AccountId, accountId, type Address } from '@orrery/units';
import { Turns } from '@orrery/foundation';
import { type Kysely, type Selectable, sql } from 'kysely';
import type { EndedFile } from './ended-file.ts';
import { checkRules, DAY_MS, isWider, KEY_WITHDRAWAL_WAIT_MS, type KeyRequest, lapse, withdraws } from './key-rules.ts';
import { newToken } from './opaque-token.ts';
import type { PersonKeys } from './person-keys.ts';
import type { SecretBox } from './sealed-secret.ts';
import { describe, type FoundKey, fromRow, principalOf, type StoredKey } from './stored-key.ts';
import type { AccountsTables } from './tables.ts';

const API_KEYS_MAX = 30;
/** More often than this nobody changes a key between the look at it and the write. */
const UPDATE_TRIES = 5;
const ACCESS_KEY_BYTES = 18;

export interface KeyOwner {
  readonly account: AccountId;
  readonly address: Address;
}

export interface KeyChange {
  readonly accessKey: string;
  readonly label?: string;
  readonly ipList?: readonly string[];
}

export class ApiKeys {
  readonly #db: Kysely<AccountsTables>;
  readonly #box: SecretBox;
  readonly #persons: PersonKeys;
  readonly #endedFile: EndedFile;
  readonly #now: () => number;
  readonly #onEnded: (accessKey: string) => void;
  readonly #keys = new Map<string, StoredKey>();
  readonly #used = new Set<StoredKey>();
  readonly #turns = new Turns<string>();
  /** Not in SQL yet. */
  readonly #making = new Set<string>();
  readonly #isShared: boolean;
  /** Keys that were switched off here: what was read before one of them is read again. */
  #ends = 0;
  #looks = 0;
  /** The latest look of which memory has the key, where there was one. */
  readonly #seen = new Map<string, number>();

  /** @param parts.isShared whether other processes make and end keys in the same database */
  constructor(parts: {
    db: Kysely<AccountsTables>;
    box: SecretBox;
    persons: PersonKeys;
    endedFile: EndedFile;
    now: () => number;
    onEnded: (accessKey: string) => void;
    isShared: boolean;
  }) {
    this.#isShared = parts.isShared;
    this.#db = parts.db;
    this.#endedFile = parts.endedFile;
    this.#box = parts.box;
    this.#persons = parts.persons;
    this.#now = parts.now;
    this.#onEnded = parts.onEnded;
  }

  async load(): Promise<void> {
    await this.writeWaiting();
    await this.#encryptOldLabels();
    const rows = await this.#db.selectFrom('accounts_api_key').selectAll().orderBy('created_at').execute();
    for (const row of rows) this.#take(fromRow(row, { label: await this.#labelOf(row), box: this.#box }));
  }

  /** Whether memory does not have this key, and another process may have made it. */
  isUnknown(accessKey: string): boolean {
    return this.#isShared && !this.#keys.has(accessKey);
  }

  /** As the rows say: what another process has made, changed or ended. @param accessKey undefined: of all */
  async readAgain(accessKey: string | undefined): Promise<void> {
    const known = accessKey === undefined ? [...this.#keys.keys()] : [accessKey];
    const look = this.#look();
    const { ends, rows } = await this.#rowsOf(accessKey);
    const there = new Set(rows.map(({ accessKey: each }) => each));
    for (const each of known) if (!there.has(each) && !this.#making.has(each)) this.#remove(each);
    if (ends !== this.#ends) return this.readAgain(accessKey);
    for (const row of rows) if (this.#isNewest(row.accessKey, look)) this.#take(row);
  }

  async #rowsOf(accessKey: string | undefined): Promise<{ ends: number; rows: StoredKey[] }> {
    const ends = this.#ends;
    const rows = await this.#db
      .selectFrom('accounts_api_key')
      .selectAll()
      .$if(accessKey !== undefined, (of) => of.where('access_key', '=', accessKey ?? ''))
      .execute();
    return { ends, rows: await Promise.all(rows.map(async (row) => fromRow(row, { label: await this.#labelOf(row), box: this.#box }))) };
  }

  #remove(accessKey: string): void {
    this.#seen.delete(accessKey);
    if (this.#keys.delete(accessKey)) this.#onEnded(accessKey);
  }

  /** Of two looks at SQL the one that began later has seen no less. */
  #look(): number {
    this.#looks += 1;
    return this.#looks;
  }

  /** Whether memory has nothing of the key that was seen by a later look. From then on it has what was seen by this one. */
  #isNewest(accessKey: string, look: number): boolean {
    if ((this.#seen.get(accessKey) ?? 0) > look) return false;
    this.#seen.set(accessKey, look);
    return true;
  }

  /** Streams of a key that is switched off, or used from other addresses, end. */
  #take(row: StoredKey): void {
    const key = this.#keys.get(row.accessKey);
    const isOff = this.#endedFile.has('apiKey', row.accessKey);
    if (key === undefined) {
      this.#keys.set(row.accessKey, { ...row, enabled: row.enabled && !isOff });
      return;
    }
    const isCut = (key.enabled && !row.enabled) || key.ipList.join() !== row.ipList.join();
    const { label, ipList, endsAt, withdrawsFrom } = row;
    Object.assign(key, { label, ipList, endsAt, withdrawsFrom, enabled: row.enabled && !isOff, found: undefined });
    if (isCut) this.#onEnded(row.accessKey);
  }

  find(accessKey: string): FoundKey | undefined {
    const key = this.#keys.get(accessKey);
    const now = this.#now();
    if (key === undefined || !key.enabled || (key.endsAt !== undefined && key.endsAt <= now)) return undefined;
    key.lastUsedAt = now;
    this.#used.add(key);
    const { secret, publicKey, ipList, legacySigning } = key;
    key.found ??= { principal: principalOf(key), secret, publicKey, ipList, legacySigning };
    return key.found;
  }

  /** @throws ApiError PermissionMissing of a key that withdraws nothing, WithdrawalsHeld of one that is not old enough. */
  checkWithdraws(accessKey: string): void {
    const from = this.#keys.get(accessKey)?.withdrawsFrom;
    if (from === undefined) throw new ApiError('PermissionMissing');
    if (from > this.#now()) {
      const message = `this key is new, or is used from new addresses: it withdraws from ${new Date(from).toISOString()} on`;
      throw new ApiError('WithdrawalsHeld', { message });
    }
  }

  list(account: AccountId): readonly ApiKey[] {
    return this.#of(account).map(describe);
  }

  /** Throws an `ApiError` when a key like this cannot be made. */
  check(owner: KeyOwner, request: KeyRequest): void {
    checkRules(request);
    if (this.#of(owner.account).length >= API_KEYS_MAX) throw tooMany();
  }

  async create(owner: KeyOwner, request: KeyRequest): Promise<NewApiKey> {
    this.check(owner, request);
    const ipList = request.ipList ?? [];
    const permission = request.permission ?? 'READ';
    const now = this.#now();
    const publicKey = request.publicKey === undefined ? undefined : publicKeyOf(request.publicKey);
    const key: StoredKey = {
      ...owner,
      accessKey: randomBytes(ACCESS_KEY_BYTES).toString('base64url'),
      secret: publicKey === undefined ? newToken() : '',
      publicKey,
      moneyRights: [...(request.moneyRights ?? [])],
      label: request.label,
      permission,
      tier: request.tier ?? 'standard',
      ipList,
      legacySigning: request.legacySigning ?? false,
      enabled: true,
      createdAt: now,
      lastUsedAt: undefined,
      endsAt: lapse(request, now),
      chosenEnd: request.lifeDays === undefined ? undefined : now + request.lifeDays * DAY_MS,
      withdrawsFrom: withdraws(request) ? now + KEY_WITHDRAWAL_WAIT_MS : undefined,
      found: undefined,
    };
    // Counted at once, so that many requests at the same time do not slip past the limit.
    this.#keys.set(key.accessKey, key);
    this.#making.add(key.accessKey);
    try {
      const row = {
        access_key: key.accessKey,
        account: key.account,
        address: key.address,
        label: '',
        sealed_label: await this.#sealedLabel(key),
        permission: key.permission,
        tier: key.tier,
        ip_list: [...ipList],
        legacy_signing: key.legacySigning,
        money_rights: [...key.moneyRights],
        public_key: key.publicKey ?? null,
        withdraws_from: key.withdrawsFrom ?? null,
        chosen_end: key.chosenEnd ?? null,
        enabled: true,
        sealed_secret: this.#box.seal(key.secret, key.accessKey),
        created_at: now,
        last_used_at: null,
        ends_at: key.endsAt ?? null,
      };
      await this.#db.transaction().execute(async (tx) => {
        // Counted in SQL too, where another process may have made some.
        await sql`select pg_advisory_xact_lock(hashtextextended(${`API keys ${key.account}`}, 0))`.execute(tx);
        const { count } = await tx
          .selectFrom('accounts_api_key')
          .select((of) => of.fn.countAll<number>().as('count'))
          .where('account', '=', key.account)
          .executeTakeFirstOrThrow();
        if (count >= API_KEYS_MAX) throw tooMany();
        await tx.insertInto('accounts_api_key').values(row).execute();
      });
    } catch (error) {
      this.#keys.delete(key.accessKey);
      throw error;
    } finally {
      this.#making.delete(key.accessKey);
    }
    return { ...describe(key), secret: key.secret };
  }

  /** In a turn of the key: what it will be, where the change lets it be used from more addresses; undefined where it does not. @throws ApiError as `update`. */
  widenedBy(owner: KeyOwner, { accessKey, label, ipList }: KeyChange): KeyRequest | undefined {
    const key = this.#own(owner, accessKey);
    if (ipList === undefined) return undefined;
    const widened = asRequested({ ...key, label: label ?? key.label, ipList });
    checkRules(widened);
    return isWider(ipList, key.ipList) ? widened : undefined;
  }

  /** Changes of one key are decided one after the other, from the look at what it is to the write: none writes back what another has changed. */
  inTurn<Answer>(accessKey: string, change: () => Promise<Answer>): Promise<Answer> {
    return this.#turns.take(accessKey, change);
  }

  /** In a turn of the key. @throws ApiError NotNow when another process changes its addresses at this moment, and the change lets it be used from more of them */
  async update(owner: KeyOwner, change: KeyChange): Promise<ApiKey> {
    const before = this.#own(owner, change.accessKey).ipList;
    const wanted = change.ipList;
    for (let tries = 0; tries < UPDATE_TRIES; tries += 1) {
      const changed = await this.#update(owner, change);
      if (changed !== undefined) return changed;
      await this.readAgain(change.accessKey);
      const { ipList } = this.#own(owner, change.accessKey);
      // What was proved is the change of the list that this process knew.
      if (wanted !== undefined && isWider(wanted, ipList) && !isWider(wanted, before)) break;
    }
    throw new ApiError('NotNow');
  }

  /** @returns undefined when the addresses in SQL are not those that this process knows */
  async #update(owner: KeyOwner, change: KeyChange): Promise<ApiKey | undefined> {
    const key = this.#own(owner, change.accessKey);
    const known = key.ipList;
    const ipList = change.ipList ?? known;
    const label = change.label ?? key.label;
    // Of a list from before the rules only what is changed is judged.
    if (change.ipList !== undefined) checkRules(asRequested({ ...key, ipList }));
    const endsAt = lapse({ label, permission: key.permission, tier: key.tier, ipList }, this.#now());
    // A key that lapses already is not made younger by the change; one that was made for a time does not outlive it.
    const kept = endsAt === undefined ? key.chosenEnd : Math.min(endsAt, key.endsAt ?? endsAt);
    const isWidened = key.withdrawsFrom !== undefined && isWider(ipList, known);
    const withdrawsFrom = isWidened ? this.#now() + KEY_WITHDRAWAL_WAIT_MS : key.withdrawsFrom;
    const look = this.#look();
    const { numUpdatedRows } = await this.#db
      .updateTable('accounts_api_key')
      .set({
        ...(change.label !== undefined && { sealed_label: await this.#sealedLabel({ ...key, label }) }),
        ip_list: [...ipList],
        ends_at: kept ?? null,
        withdraws_from: withdrawsFrom ?? null,
      })
      .where('access_key', '=', key.accessKey)
      .where(sql<boolean>`ip_list = ${[...known]}::text[]`)
      .executeTakeFirstOrThrow();
    if (numUpdatedRows === 0n) return undefined;
    const changed = { label, ipList, endsAt: kept, withdrawsFrom };
    if (this.#isNewest(key.accessKey, look)) Object.assign(key, changed, { found: undefined });
    // Streams opened from an address that is no longer allowed do not stay.
    if (change.ipList !== undefined) this.#onEnded(key.accessKey);
    return describe({ ...key, ...changed });
  }

  setEnabled(owner: KeyOwner, change: { accessKey: string; enabled: boolean }): Promise<ApiKey> {
    // Switched off it is at once, whatever waits.
    if (!change.enabled) this.#disable(this.#own(owner, change.accessKey));
    return this.inTurn(change.accessKey, () => this.#setEnabled(owner, change));
  }

  async #setEnabled(owner: KeyOwner, change: { accessKey: string; enabled: boolean }): Promise<ApiKey> {
    const key = this.#own(owner, change.accessKey);
    if (!change.enabled) this.#disable(key);
    const write = () =>
      this.#db.updateTable('accounts_api_key').set({ enabled: change.enabled }).where('access_key', '=', key.accessKey).execute();
    await (change.enabled ? this.#begin(key, write) : this.#end([key], write));
    key.enabled = change.enabled;
    return describe(key);
  }

  /** Before SQL: a sweep would switch it off again. What cannot be written leaves it off, here and in every other process. */
  async #begin({ accessKey }: StoredKey, write: () => Promise<unknown>): Promise<void> {
    const wasWaiting = this.#endedFile.has('apiKey', accessKey);
    await this.#endedFile.remove('apiKey', [accessKey]);
    try {
      await write();
    } catch (cause) {
      if (wasWaiting) await this.#endedFile.add('apiKey', [accessKey]);
      throw cause;
    }
  }

  delete(owner: KeyOwner, accessKey: string): Promise<void> {
    this.#disable(this.#own(owner, accessKey));
    return this.inTurn(accessKey, () => this.#delete(owner, accessKey));
  }

  async #delete(owner: KeyOwner, accessKey: string): Promise<void> {
    const key = this.#own(owner, accessKey);
    this.#disable(key);
    await this.#end([key], () => this.#db.deleteFrom('accounts_api_key').where('access_key', '=', accessKey).execute());
    this.#keys.delete(accessKey);
    this.#seen.delete(accessKey);
  }

  /** Ends every key of an account for good. @returns their number. */
  async deleteAll(account: AccountId): Promise<number> {
    const keys = this.#of(account);
    for (const key of keys) this.#disable(key);
    await this.#end(keys, () => this.#db.deleteFrom('accounts_api_key').where('account', '=', account).execute());
    for (const { accessKey } of keys) {
      this.#keys.delete(accessKey);
      this.#seen.delete(accessKey);
    }
    return keys.length;
  }

  /** Notifies of the end of every key of a blocked account; look-ups are refused by the account's flag. */
  endAll(account: AccountId): void {
    for (const key of this.#of(account)) this.#onEnded(key.accessKey);
  }

  /** What another process has ended, and could not write. */
  hearEnded(accessKeys: readonly string[]): void {
    for (const accessKey of accessKeys) {
      this.#ends += 1;
      const key = this.#keys.get(accessKey);
      if (key !== undefined) this.#disable(key);
    }
  }

  async sweep(): Promise<void> {
    await this.writeWaiting();
    const used = [...this.#used];
    this.#used.clear();
    for (const { accessKey, lastUsedAt } of used) {
      await this.#db
        .updateTable('accounts_api_key')
        .set({ last_used_at: lastUsedAt ?? null })
        .where('access_key', '=', accessKey)
        .execute();
    }
    const now = this.#now();
    for (const key of this.#keys.values()) {
      if (key.enabled && key.endsAt !== undefined && key.endsAt <= now) this.#disable(key);
    }
  }

  /** When SQL cannot be written, the keys are off all the same, after a restart too; rejects, so that the person tries again. */
  async #end(keys: readonly StoredKey[], write: () => Promise<unknown>): Promise<void> {
    try {
      await write();
    } catch (cause) {
      await this.#endedFile.add(
        'apiKey',
        keys.map(({ accessKey }) => accessKey),
      );
      throw cause;
    }
  }

  /** What was switched off while SQL could not be written, here or in another process. */
  async writeWaiting(): Promise<void> {
    const ended = this.#endedFile.of('apiKey');
    if (ended.length === 0) return;
    await this.#db
      .updateTable('accounts_api_key')
      .set({ enabled: false })
      .where(sql<boolean>`access_key = any(${[...ended]}::text[])`)
      .execute();
    await this.#endedFile.remove('apiKey', ended);
  }

  #sealedLabel({ account, accessKey, label }: Pick<StoredKey, 'account' | 'accessKey' | 'label'>): Promise<Buffer> {
    return this.#persons.encrypt(account, Buffer.from(label), boundTo(accessKey));
  }

  /** Empty where the key of the person is erased. */
  async #labelOf({
    account,
    access_key: accessKey,
    sealed_label: sealed,
  }: Selectable<AccountsTables['accounts_api_key']>): Promise<string> {
    const bytes = sealed === null ? undefined : await this.#persons.decrypt(accountId(account), sealed, boundTo(accessKey));
    return bytes?.toString('utf8') ?? '';
  }

  /** Rows written before there was a key per person are plaintext. */
  async #encryptOldLabels(): Promise<void> {
    const old = await this.#db.selectFrom('accounts_api_key').selectAll().where('sealed_label', 'is', null).execute();
    for (const { account, access_key: accessKey, label } of old) {
      const sealed = await this.#sealedLabel({ account: accountId(account), accessKey, label });
      await this.#db.updateTable('accounts_api_key').set({ label: '', sealed_label: sealed }).where('access_key', '=', accessKey).execute();
    }
  }

  #disable(key: StoredKey): void {
    this.#ends += 1;
    key.enabled = false;
    this.#onEnded(key.accessKey);
  }

  #of(account: AccountId): readonly StoredKey[] {
    return [...this.#keys.values()].filter((key) => key.account === account);
  }

  /** Another's key is answered like one that does not exist. */
  #own(owner: KeyOwner, accessKey: string): StoredKey {
    const key = this.#keys.get(accessKey);
    if (key === undefined || key.account !== owner.account) throw new ApiError('UnknownThing', { field: 'accessKey' });
    return key;
  }
}

/** The key as it would be asked for. */
const asRequested = ({ label, permission, moneyRights, ipList, legacySigning, publicKey, tier }: StoredKey): KeyRequest => ({
  label,
  permission,
  moneyRights,
  ipList,
  legacySigning,
  tier,
  ...(publicKey !== undefined && { publicKey }),
});

const tooMany = (): ApiError => new ApiError('TooMany', { field: 'API keys' });

const boundTo = (accessKey: string): string => `label of key ${accessKey}`;
