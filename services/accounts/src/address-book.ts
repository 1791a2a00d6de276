/** Where withdrawals of an account may go: its own wallet always, any other address a while after its entry in the address book. */
import { ApiError, type CheckedAddress, WITHDRAW_ADDRESSES_MAX, type WithdrawAddress } from '@orrery/api';
import type { AccountDirectory } from '@orrery/foundation';
import { type AccountId, accountId, type Address, addressOf } from '@orrery/units';
import { type Kysely, sql } from 'kysely';
import type { BlockedAddresses } from './blocked.ts';
import type { Names } from './names/names.ts';
import type { PersonKeys } from './person-keys.ts';
import type { AccountsTables } from './tables.ts';

const ZERO_ADDRESS = '0x0000000000000000000000000000000000000000';

export interface Owner {
  readonly account: AccountId;
  readonly address: Address;
}

interface Entry {
  readonly address: Address;
  readonly label: string;
}

interface AddressBookParts {
  readonly db: Kysely<AccountsTables>;
  readonly directory: AccountDirectory;
  readonly blocked: BlockedAddresses;
  readonly keys: PersonKeys;
  readonly names: Pick<Names, 'factsOf'>;
  /** What each contract of the exchange is, in words: money sent there would be lost. */
  readonly contracts: ReadonlyMap<Address, string>;
  /** Milliseconds from the entry of an address to the first withdrawal to it. */
  readonly waitMs: number;
  readonly now: () => number;
}

export class AddressBook {
  readonly #parts: AddressBookParts;

  constructor(parts: AddressBookParts) {
    this.#parts = parts;
  }

  /** Labels of before there was a key per person lie open: once, before the first call, they are encrypted. */
  async load(): Promise<void> {
    const { db, keys } = this.#parts;
    const old = await db.selectFrom('accounts_withdraw_address').selectAll().where('sealed_label', 'is', null).execute();
    for (const { id, account, address, label } of old) {
      await db.transaction().execute(async (tx) => {
        const sealed = await keys.encrypt(accountId(account), Buffer.from(label), boundTo(address));
        await tx.updateTable('accounts_withdraw_address').set({ label: '', sealed_label: sealed }).where('id', '=', id).execute();
      });
    }
  }

  get waitMs(): number {
    return this.#parts.waitMs;
  }

  /** Newest first. */
  async list({ account }: Owner): Promise<WithdrawAddress[]> {
    const rows = await this.#parts.db
      .selectFrom('accounts_withdraw_address')
      .selectAll()
      .where('account', '=', account)
      .orderBy('id', 'desc')
      .execute();
    return Promise.all(
      rows.map(async ({ address, sealed_label, created_at: createdTime, usable_at: usableTime }) => ({
        address,
        label: await this.#labelOf({ account, address, sealed: sealed_label }),
        userId: this.#userIdAt(addressOf(address)),
        createdTime,
        usableTime,
      })),
    );
  }

  /** @throws ApiError AddressRefused with the reason, AlreadyThere, TooMany. */
  async add(owner: Owner, { address, label }: Entry): Promise<WithdrawAddress> {
    this.checkReceiver(address);
    if (address === owner.address) throw new ApiError('AlreadyThere', { field: 'address', message: 'your own wallet needs no entry' });
    const { account } = owner;
    const createdTime = this.#parts.now();
    const usableTime = createdTime + this.#parts.waitMs;
    await this.#parts.db.transaction().execute(async (tx) => {
      // One entry of an account at a time: many at once pass no limit.
      await sql`select pg_advisory_xact_lock(hashtext('accounts_withdraw_address'), ${account}::int)`.execute(tx);
      const present = await tx.selectFrom('accounts_withdraw_address').select('address').where('account', '=', account).execute();
      if (present.some((row) => row.address === address)) throw new ApiError('AlreadyThere', { field: 'address' });
      if (present.length >= WITHDRAW_ADDRESSES_MAX) throw new ApiError('TooMany', { field: 'addresses' });
      const sealed = await this.#parts.keys.encrypt(account, Buffer.from(label), boundTo(address));
      await tx
        .insertInto('accounts_withdraw_address')
        .values({ account, address, label: '', sealed_label: sealed, created_at: createdTime, usable_at: usableTime })
        .execute();
    });
    return { address, label, userId: this.#userIdAt(address), createdTime, usableTime };
  }

  /** @throws ApiError UnknownThing when it is not there. */
  async remove({ account }: Owner, address: Address): Promise<void> {
    const { numDeletedRows } = await this.#parts.db
      .deleteFrom('accounts_withdraw_address')
      .where('account', '=', account)
      .where('address', '=', address)
      .executeTakeFirstOrThrow();
    if (numDeletedRows === 0n) throw new ApiError('UnknownThing', { field: 'address' });
  }

  /** @throws ApiError AddressRefused with the reason. */
  async describe(owner: Owner, address: Address): Promise<CheckedAddress> {
    this.checkReceiver(address);
    const userId = this.#userIdAt(address);
    const own = address === owner.address;
    const usableTime = own ? 0 : ((await this.#usableAt(owner, address)) ?? null);
    return { address, userId, internal: userId !== null, own, usableTime };
  }

  /** @throws ApiError AddressNotInBook or AddressWaits unless a withdrawal to the address is taken now. */
  async checkUsable(owner: Owner, address: Address): Promise<void> {
    if (address === owner.address) return;
    const usableAt = await this.#usableAt(owner, address);
    if (usableAt === undefined) throw new ApiError('AddressNotInBook', { field: 'to' });
    if (usableAt <= this.#parts.now()) return;
    const message = `this address is new: withdrawals to it are taken from ${new Date(usableAt).toISOString()} on`;
    throw new ApiError('AddressWaits', { field: 'to', message });
  }

  /** @throws ApiError AddressRefused with the reason when money sent to the address would be lost, or may not go there. */
  checkReceiver(address: Address): void {
    const contract = this.#parts.contracts.get(address);
    if (contract !== undefined) throw refused(`this is ${contract} of the exchange: what is sent there is lost`);
    if (address === ZERO_ADDRESS) throw refused('this is the zero address: what is sent there is lost');
    if (this.#parts.blocked.has(address)) throw refused('this address is blocked');
    const account = this.#parts.directory.find(address)?.account;
    if (account !== undefined && this.#parts.names.factsOf(account).isWithoutWallet)
      throw refused('this account of the exchange has no wallet: nobody holds the key of its address, and what is sent there is lost');
  }

  /** Empty where the key of the person is erased. */
  async #labelOf({ account, address, sealed }: { account: AccountId; address: string; sealed: Buffer | null }): Promise<string> {
    const bytes = sealed === null ? undefined : await this.#parts.keys.decrypt(account, sealed, boundTo(address));
    return bytes?.toString('utf8') ?? '';
  }

  async #usableAt({ account }: Owner, address: Address): Promise<number | undefined> {
    const row = await this.#parts.db
      .selectFrom('accounts_withdraw_address')
      .select('usable_at')
      .where('account', '=', account)
      .where('address', '=', address)
      .executeTakeFirst();
    return row?.usable_at;
  }

  #userIdAt(address: Address): string | null {
    const found = this.#parts.directory.find(address);
    return found === undefined ? null : String(found.account);
  }
}

const refused = (message: string): ApiError => new ApiError('AddressRefused', { field: 'address', message });

const boundTo = (address: string): string => `label of ${address}`;
