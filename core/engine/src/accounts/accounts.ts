/**
 * All accounts, found by id and by address. Ids count from 1 without a gap.
 *
 * Their flags are a column of bytes, because every order asks for them: those of a million accounts lie in near memory, the accounts themselves
 * do not.
 */
import { accountId, assert, type AccountId, type Address } from '@orrery/units';
import { ACCOUNT_FLAGS, type AccountFlag } from '@orrery/protocol';
import { newAccount, type Account } from './account.ts';

const BIT: Readonly<Record<AccountFlag, number>> = { termsAccepted: 1, whitelisted: 2, connected: 4, blocked: 8 };
const CAPACITY_MIN = 256;

export class Accounts {
  readonly #inOrder: Account[] = [];
  readonly #byAddress = new Map<Address, Account>();
  /** By id. */
  #flags = new Uint8Array(CAPACITY_MIN);

  has(id: AccountId): boolean {
    return id >= 1 && id <= this.#inOrder.length;
  }

  get(id: AccountId): Account | undefined {
    return this.#inOrder[id - 1];
  }

  /** The account of an order, a balance or another record of the state: it must exist. */
  known(id: AccountId): Account {
    const account = this.get(id);
    assert(account !== undefined, 'an account that the state speaks of exists');
    return account;
  }

  at(address: Address): Account | undefined {
    return this.#byAddress.get(address);
  }

  open(address: Address): Account {
    const account = newAccount(accountId(this.#inOrder.length + 1), address);
    this.#inOrder.push(account);
    this.#byAddress.set(address, account);
    if (account.id >= this.#flags.length) this.#grow();
    return account;
  }

  /** False also of an account that does not exist. */
  is(id: AccountId, flag: AccountFlag): boolean {
    return (this.#flagsAt(id) & BIT[flag]) !== 0;
  }

  /** Of an account that exists. */
  set(id: AccountId, flag: AccountFlag, value: boolean): void {
    assert(this.has(id), 'an account that is flagged exists');
    this.#flags[id] = value ? this.#flagsAt(id) | BIT[flag] : this.#flagsAt(id) & ~BIT[flag];
  }

  /** The flags that are set, in a fixed order, whatever the order in which they were. */
  flagsOf(id: AccountId): AccountFlag[] {
    return ACCOUNT_FLAGS.filter((flag) => this.is(id, flag));
  }

  /** By id. */
  [Symbol.iterator](): IterableIterator<Account> {
    return this.#inOrder[Symbol.iterator]();
  }

  #flagsAt(id: AccountId): number {
    return this.#flags[id] ?? 0;
  }

  #grow(): void {
    const flags = new Uint8Array(this.#flags.length * 2);
    flags.set(this.#flags);
    this.#flags = flags;
  }
}
