/** What every account has of every asset in every wallet. */
import { addAtoms, NO_ATOMS, type AccountId, type AssetId, type Atoms } from '@orrery/units';
import { WALLETS, type Event, type Wallet } from '@orrery/protocol';
import type { Fold } from './fold.ts';

export interface WalletBalance {
  readonly account: AccountId;
  readonly wallet: Wallet;
  readonly asset: AssetId;
  /** Can be used. */
  readonly free: Atoms;
  /** Bound to open orders or withdrawals. */
  readonly held: Atoms;
}

export const totalOf = ({ free, held }: WalletBalance): Atoms => addAtoms(free, held);

export class BalancesView implements Fold {
  readonly #byAccount = new Map<AccountId, Map<number, WalletBalance>>();

  /** @returns the balance that changed. */
  apply(event: Event): WalletBalance | undefined {
    if (event.type !== 'BalanceChanged') return undefined;
    // The fact is the balance itself.
    const own = this.#byAccount.get(event.account);
    if (own === undefined) this.#byAccount.set(event.account, new Map([[placeOf(event), event]]));
    else own.set(placeOf(event), event);
    return event;
  }

  /** Everything the account ever had, emptied balances included; in no particular order. */
  of(account: AccountId): readonly WalletBalance[] {
    return [...(this.#byAccount.get(account)?.values() ?? [])];
  }

  get(place: Pick<WalletBalance, 'account' | 'wallet' | 'asset'>): WalletBalance {
    return this.#byAccount.get(place.account)?.get(placeOf(place)) ?? { ...place, free: NO_ATOMS, held: NO_ATOMS };
  }
}

/** Of one wallet's asset among all that an account may have. */
const placeOf = ({ wallet, asset }: Pick<WalletBalance, 'wallet' | 'asset'>): number => asset * WALLETS.length + WALLETS.indexOf(wallet);
