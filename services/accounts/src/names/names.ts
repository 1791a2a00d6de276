/** Whose name is which. In SQL a name is a keyed hash to find it by and a text under the key of its person; in memory it is what it is. */
import { createHmac } from 'node:crypto';
import { ApiError } from '@orrery/api';
import { Turns } from '@orrery/foundation';
import { type AccountId, accountId } from '@orrery/units';
import type { Kysely, Transaction } from 'kysely';
import type { PersonKeys } from '../person-keys.ts';
import type { SecretBox } from '../sealed-secret.ts';
import type { AccountsTables } from '../tables.ts';
import { masked, type Name } from './name.ts';

type Kind = Name['kind'];

/** What an account shows of its names to its owner. */
export interface NameFacts {
  readonly email: string | null;
  readonly tel: string | null;
  readonly telCountryCode: string | null;
  /** Opened by a name: no wallet signs for it. */
  readonly isWithoutWallet: boolean;
}

export class Names {
  readonly #db: Kysely<AccountsTables>;
  readonly #keys: PersonKeys;
  readonly #key: Buffer;
  readonly #now: () => number;
  readonly #accounts = new Map<string, AccountId>();
  readonly #names = new Map<AccountId, Partial<Record<Kind, Name>>>();
  readonly #withoutWallet = new Set<AccountId>();
  readonly #turns = new Turns<AccountId>();

  constructor(parts: { db: Kysely<AccountsTables>; box: Pick<SecretBox, 'keyFor'>; keys: PersonKeys; now: () => number }) {
    this.#db = parts.db;
    this.#keys = parts.keys;
    this.#key = parts.box.keyFor('names');
    this.#now = parts.now;
  }

  async load(): Promise<void> {
    await this.#sealAgain();
    await this.readAgain();
  }

  /** As the rows say, whatever memory has. @param account undefined: of all */
  async readAgain(account?: AccountId): Promise<void> {
    const [names, withoutWallet] = await Promise.all([this.#namesIn(account), this.#withoutWalletIn(account)]);
    if (account === undefined) {
      this.#names.clear();
      this.#accounts.clear();
      this.#withoutWallet.clear();
    } else {
      this.erased(account);
      this.#withoutWallet.delete(account);
    }
    for (const { owner, name } of names) this.#keep(owner, name);
    for (const owner of withoutWallet) this.#withoutWallet.add(owner);
  }

  async #namesIn(account: AccountId | undefined): Promise<{ owner: AccountId; name: Name }[]> {
    const rows = await this.#db
      .selectFrom('accounts_name')
      .selectAll()
      .$if(account !== undefined, (of) => of.where('account', '=', account ?? 0))
      .execute();
    const names: { owner: AccountId; name: Name }[] = [];
    for (const row of rows) {
      const owner = accountId(row.account);
      const said = (await this.#keys.decrypt(owner, row.sealed, boundTo(owner)))?.toString('utf8');
      if (said === undefined) continue;
      const [text = '', telCountryCode] = said.split('\n', 2);
      names.push({ owner, name: { kind: row.kind as Kind, text, telCountryCode } });
    }
    return names;
  }

  async #withoutWalletIn(account: AccountId | undefined): Promise<readonly AccountId[]> {
    const rows = await this.#db
      .selectFrom('accounts_without_wallet')
      .select('account')
      .$if(account !== undefined, (of) => of.where('account', '=', account ?? 0))
      .execute();
    return rows.map((row) => accountId(row.account));
  }

  /** The keyed hash under which everything about a name is counted and found. */
  markOf({ text }: Name): string {
    return createHmac('sha256', this.#key).update(text).digest('base64url');
  }

  accountOf(name: Name): AccountId | undefined {
    return this.#accounts.get(this.markOf(name));
  }

  nameOf(account: AccountId, kind: Kind): Name | undefined {
    return this.#names.get(account)?.[kind];
  }

  factsOf(account: AccountId): NameFacts {
    const { email, phone } = this.#names.get(account) ?? {};
    return {
      email: email === undefined ? null : masked(email),
      tel: phone === undefined ? null : masked(phone),
      telCountryCode: phone?.telCountryCode ?? null,
      isWithoutWallet: this.#withoutWallet.has(account),
    };
  }

  /** From the transaction to the memory of it: of two names of an account that are bound at once, memory keeps the one that is in SQL. */
  inTurn<Answer>(account: AccountId, work: () => Promise<Answer>): Promise<Answer> {
    return this.#turns.take(account, work);
  }

  /** In the place of the name of its kind. @throws ApiError AlreadyThere when it is another account's. */
  async bind(account: AccountId, name: Name, tx: Transaction<AccountsTables>): Promise<void> {
    const mark = this.markOf(name);
    await tx.deleteFrom('accounts_name').where('account', '=', account).where('kind', '=', name.kind).execute();
    const written = await tx
      .insertInto('accounts_name')
      .values({
        mark,
        account,
        kind: name.kind,
        sealed: await this.#encrypt(account, name),
        under_person_key: true,
        tel_country_code: null,
        bound_at: this.#now(),
      })
      .onConflict((conflict) => conflict.column('mark').doNothing())
      .returning('mark')
      .executeTakeFirst();
    if (written === undefined) throw new ApiError('AlreadyThere', { field: name.kind });
  }

  async noteWithoutWallet(account: AccountId, tx: Transaction<AccountsTables>): Promise<void> {
    await tx.insertInto('accounts_without_wallet').values({ account }).execute();
  }

  /** After the transaction in which they were written. */
  bound(account: AccountId, name: Name, opened: 'withoutWallet' | 'before'): void {
    this.#keep(account, name);
    if (opened === 'withoutWallet') this.#withoutWallet.add(account);
  }

  /** All names of an account become another's. */
  async move({ from, to }: { from: AccountId; to: AccountId }, tx: Transaction<AccountsTables>): Promise<void> {
    for (const name of Object.values(this.#names.get(from) ?? {})) {
      const sealed = await this.#encrypt(to, name);
      await tx.updateTable('accounts_name').set({ account: to, sealed }).where('mark', '=', this.markOf(name)).execute();
    }
  }

  /** After the transaction in which they moved. */
  moved({ from, to }: { from: AccountId; to: AccountId }): void {
    const names = Object.values(this.#names.get(from) ?? {});
    this.#names.delete(from);
    for (const name of names) this.#keep(to, name);
  }

  /** After the transaction in which they were deleted. */
  erased(account: AccountId): void {
    for (const name of Object.values(this.#names.get(account) ?? {})) {
      // Another process may have moved it: then it is another account's by now.
      if (this.accountOf(name) === account) this.#accounts.delete(this.markOf(name));
    }
    this.#names.delete(account);
  }

  /** Names of before there was a key per person are sealed by the master key. */
  async #sealAgain(): Promise<void> {
    const old = await this.#db.selectFrom('accounts_name').selectAll().where('under_person_key', '=', false).execute();
    for (const { account, mark, sealed: before } of old) {
      const sealed = await this.#keys.takeOver(accountId(account), before, boundTo(accountId(account)));
      await this.#db.updateTable('accounts_name').set({ sealed, under_person_key: true }).where('mark', '=', mark).execute();
    }
    // Their calling codes lay open longer.
    const open = await this.#db.selectFrom('accounts_name').selectAll().where('tel_country_code', 'is not', null).execute();
    for (const row of open) {
      const account = accountId(row.account);
      const text = (await this.#keys.decrypt(account, row.sealed, boundTo(account)))?.toString('utf8');
      const sealed =
        text === undefined ? row.sealed : await this.#encrypt(account, { text, telCountryCode: row.tel_country_code ?? undefined });
      await this.#db.updateTable('accounts_name').set({ sealed, tel_country_code: null }).where('mark', '=', row.mark).execute();
    }
  }

  /** No name has a line feed in it. */
  #encrypt(account: AccountId, { text, telCountryCode }: Pick<Name, 'text' | 'telCountryCode'>): Promise<Buffer> {
    return this.#keys.encrypt(account, Buffer.from(telCountryCode === undefined ? text : `${text}\n${telCountryCode}`), boundTo(account));
  }

  #keep(account: AccountId, name: Name): void {
    const before = this.#names.get(account);
    const replaced = before?.[name.kind];
    if (replaced !== undefined) this.#accounts.delete(this.markOf(replaced));
    this.#accounts.set(this.markOf(name), account);
    this.#names.set(account, { ...before, [name.kind]: name });
  }
}

const boundTo = (account: AccountId): string => `name ${account}`;
