/** Takes what is free of an asset out of the wallets of one account, in the order of how far the money is from a trade. */
import { addAtoms, minAtoms, NO_ATOMS, subtractAtoms, type AccountId, type AssetId, type Atoms } from '@orrery/units';
import type { Event, Wallet } from '@orrery/protocol';
import { payFunding } from '../clearing/pay-funding.ts';
import type { Balance } from '../ledger/balance.ts';
import { pay } from '../ledger/movements.ts';
import type { MoneyState } from './money-state.ts';

export interface Taken {
  readonly fromFunding: Atoms;
  readonly fromSpot: Atoms;
  readonly fromFutures: Atoms;
  readonly fromCoinFutures: Atoms;
}

interface Wanted {
  readonly account: AccountId;
  readonly asset: AssetId;
  /** The most that is taken. */
  readonly amount: Atoms;
  readonly to: Balance;
}

export const NOTHING_TAKEN: Taken = { fromFunding: NO_ATOMS, fromSpot: NO_ATOMS, fromFutures: NO_ATOMS, fromCoinFutures: NO_ATOMS };

/** @param events receives the funding that the account pays first */
export function takeFree(state: MoneyState, { account, asset, amount, to }: Wanted, events: Event[]): Taken {
  const { ledger, rules, positions } = state;
  // The money of a fund is its holders': what left the chain was no subscription.
  if (state.funds.of(account) !== undefined) return NOTHING_TAKEN;
  const holder = positions.known(account);
  if (holder !== undefined) payFunding(state, holder, events);
  let rest = amount;
  const from = (wallet: Wallet): Atoms => {
    const balance = ledger.of(account, wallet, asset);
    const part = minAtoms(ledger.free(balance), rest);
    pay(ledger, balance, to, part);
    rest = subtractAtoms(rest, part);
    return part;
  };
  return {
    fromFunding: from('funding'),
    fromSpot: from('spot'),
    fromFutures: from('futures'),
    // Before rules 6 it stayed there.
    fromCoinFutures: rules < 6 ? NO_ATOMS : from('coinFutures'),
  };
}

export const sumOf = ({ fromFunding, fromSpot, fromFutures, fromCoinFutures }: Taken): Atoms =>
  addAtoms(addAtoms(fromFunding, fromSpot), addAtoms(fromFutures, fromCoinFutures));
