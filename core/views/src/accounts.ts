/** Who has an account, and what it may do. */
import type { AccountId, Address } from '@orrery/units';
import { ACCOUNT_FLAGS, type AccountFlag, type Event } from '@orrery/protocol';
import type { Fold } from './fold.ts';

export interface AccountState {
  readonly account: AccountId;
  readonly address: Address;
  readonly flags: Readonly<Record<AccountFlag, boolean>>;
}

type Flags = AccountState['flags'];

const NO_FLAGS: Flags = { termsAccepted: false, whitelisted: false, connected: false, blocked: false };

/** One object for each combination, by its bits: accounts are many, and combinations are few. */
const COMBINATIONS: readonly Flags[] = Array.from({ length: 1 << ACCOUNT_FLAGS.length }, (_, bits) =>
  ACCOUNT_FLAGS.reduce((flags, flag, place) => ({ ...flags, [flag]: (bits & (1 << place)) !== 0 }), NO_FLAGS),
);

function withFlag(flags: Flags, changed: AccountFlag, value: boolean): Flags {
  const bits = ACCOUNT_FLAGS.reduce((sum, flag, place) => sum | ((flag === changed ? value : flags[flag]) ? 1 << place : 0), 0);
  return COMBINATIONS[bits] ?? flags;
}

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
