/** All accounts, found by id and by address. Ids count from 1 without a gap. */
import { accountId, assert, type AccountId, type Address } from '@orrery/units';
import { newAccount, type Account } from './account.ts';

export class Accounts {
  readonly #inOrder: Account[] = [];
  readonly #byAddress = new Map<Address, Account>();

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
    return account;
  }

  /** By id. */
  [Symbol.iterator](): IterableIterator<Account> {
    return this.#inOrder[Symbol.iterator]();
  }
}
