/** Checks that the money commands share. */
import { NO_ATOMS, subtractAtoms, type AccountId, type AssetId, type Atoms, type Millis } from '@orrery/units';
import type { CommandRejected } from '@orrery/protocol';
import { AMOUNT_MAX, missingMoney, moneyBeyond, reject, rejectBeyond } from '@orrery/rules';
import { refusePractice } from '../instruments/refuse-practice.ts';
import type { MoneyState } from './money-state.ts';

/** Visible ASCII without spaces: what the journal can hold, and what `bodyOf` can tell apart. */
const KEY = /^[\x21-\x7e]{1,200}$/;

/** 32 bytes: the id by which a withdrawal is paid once. */
const WITHDRAWAL_ID = /^0x[0-9a-f]{64}$/;

export function checkWithdrawalId(withdrawalId: string): CommandRejected | undefined {
  return WITHDRAWAL_ID.test(withdrawalId) ? undefined : reject('InvalidField', 'withdrawalId');
}

export function checkKey(key: string, field: string): CommandRejected | undefined {
  return KEY.test(key) ? undefined : reject('InvalidField', field);
}

export function checkAmount(amount: Atoms): CommandRejected | undefined {
  return amount <= NO_ATOMS || amount > AMOUNT_MAX ? reject('InvalidAmount', 'amount') : undefined;
}

/** Internal assets exist in the ledger only: they are not moved between wallets and never leave. */
export function checkChainAsset(state: MoneyState, id: AssetId): CommandRejected | undefined {
  const practice = refusePractice(state, id);
  if (practice !== undefined) return practice;
  return state.assets.get(id)?.kind === 'internal' ? reject('InvalidCombination', 'asset') : undefined;
}

/** Since rules 4 an account moves no money before it accepts the terms, as it places no order. */
export function checkTerms({ rules, accounts }: MoneyState, account: AccountId): CommandRejected | undefined {
  return rules < 4 || accounts.is(account, 'termsAccepted') ? undefined : reject('TermsNotAccepted', 'account');
}

export function unknownAsset(state: MoneyState, id: AssetId): CommandRejected | undefined {
  return state.assets.has(id) ? undefined : reject('UnknownAsset', 'asset');
}

interface Leaving {
  readonly account: AccountId;
  readonly asset: AssetId;
  readonly amount: Atoms;
}

/** Whether what is free in the funding wallet pays for what leaves it, and leaves there what must not go yet. */
export function refuseUnfunded(
  { ledger, coinHolds }: Pick<MoneyState, 'ledger' | 'coinHolds'>,
  { account, asset, amount }: Leaving,
  at: Millis,
): CommandRejected | undefined {
  const free = ledger.free(ledger.of(account, 'funding', asset));
  const held = coinHolds.within(account, asset, at);
  const limit = free > held ? subtractAtoms(free, held) : NO_ATOMS;
  if (held > NO_ATOMS && amount > limit) return rejectBeyond('OtcCoinsHeld', 'amount', moneyBeyond(asset, { asked: amount, limit }));
  return free < amount
    ? rejectBeyond('InsufficientBalance', 'amount', missingMoney(asset, { needed: amount, available: free }))
    : undefined;
}
