/** Who has an account, and what it may do. */
import type { AccountId, Address } from '@orrery/units';
import type { AccountFlag, Event } from '@orrery/protocol';
import type { Fold } from './fold.ts';

export interface AccountState {
  readonly account: AccountId;
  readonly address: Address;
  readonly flags: Readonly<Record<AccountFlag, boolean>>;
}

type Flags = AccountState['flags'];

const NO_FLAGS: Flags = { termsAccepted: false, whitelisted: false, connected: false, blocked: false };
const NAMES = ['termsAccepted', 'whitelisted', 'connected', 'blocked'] as const satisfies readonly AccountFlag[];
const bitsOf = (flags: Flags): number => NAMES.reduce((bits, name, place) => bits | (flags[name] ? 1 << place : 0), 0);

/** One object for each combination, by its bits: accounts are many, and combinations are few. */
const COMBINATIONS: readonly Flags[] = Array.from({ length: 1 << NAMES.length }, (_, bits) => ({
  termsAccepted: (bits & 1) !== 0,
  whitelisted: (bits & 2) !== 0,
  connected: (bits & 4) !== 0,
  blocked: (bits & 8) !== 0,
}));

const withFlag = (flags: Flags, flag: AccountFlag, value: boolean): Flags => COMBINATIONS[bitsOf({ ...flags, [flag]: value })] ?? flags;

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
    return before === undefined ? undefined : this.#put({ ...before, flags: withFlag(before.flags, event.flag, event.value) });
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
