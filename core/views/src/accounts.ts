/** Who has an account, and what it may do. */
import type { AccountId, Address } from '@orrery/units';
import type { AccountFlag, Event } from '@orrery/protocol';
import type { Fold } from './fold.ts';

export interface AccountState {
  readonly account: AccountId;
  readonly address: Address;
  readonly flags: Readonly<Record<AccountFlag, boolean>>;
}

const NO_FLAGS: AccountState['flags'] = { termsAccepted: false, whitelisted: false, connected: false, blocked: false };

/** True when the account may give orders. */
export const mayTrade = ({ flags }: AccountState): boolean => flags.termsAccepted && flags.whitelisted && flags.connected && !flags.blocked;

export class AccountsView implements Fold {
  readonly #accounts = new Map<AccountId, AccountState>();
  readonly #byAddress = new Map<Address, AccountId>();

  /** @returns the account that changed, as it is now. */
  apply(event: Event): AccountState | undefined {
    if (event.type === 'AccountOpened') {
      const { account, address } = event;
      this.#byAddress.set(address, account);
      return this.#put(this.#accounts.get(account) ?? { account, address, flags: NO_FLAGS });
    }
    if (event.type !== 'AccountFlagSet') return undefined;
    const before = this.#accounts.get(event.account);
    return before === undefined ? undefined : this.#put({ ...before, flags: { ...before.flags, [event.flag]: event.value } });
  }

  account(account: AccountId): AccountState | undefined {
    return this.#accounts.get(account);
  }

  accountOf(address: Address): AccountState | undefined {
    const account = this.#byAddress.get(address);
    return account === undefined ? undefined : this.#accounts.get(account);
  }

  /** In order of opening. */
  accounts(): readonly AccountState[] {
    return [...this.#accounts.values()];
  }

  #put(state: AccountState): AccountState {
    this.#accounts.set(state.account, state);
    return state;
  }
}
