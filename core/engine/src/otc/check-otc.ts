/** Checks that the commands of the OTC desk share. */
import type { AccountId, AssetId, Atoms, Cents, FiatPrice, Millis } from '@orrery/units';
import { FIATS, type ChangeableAdvertisement, type CommandRejected, type Fiat, type RejectFigures } from '@orrery/protocol';
import { AMOUNT_MAX, FIAT_PRICE_MAX, FIAT_TOTAL_MAX, PAY_WINDOW_MS_MAX, PREMIUM_PPM_MAX, reject } from '@orrery/rules';
import { refuseFundAccount } from '../funds/refuse-fund.ts';
import { MONEY_GROUPS, refuseLeavingDegraded } from '../margin/open-positions.ts';
import { checkChainAsset, checkTerms, unknownAsset } from '../money/check-money.ts';
import type { OtcState } from './otc-state.ts';

export const isFiatPrice = (price: FiatPrice): boolean => price >= 1n && price <= FIAT_PRICE_MAX;
const isTotal = (total: Cents): boolean => total >= 1n && total <= FIAT_TOTAL_MAX;

/** @param least the smallest amount that is taken */
export function checkAdvertised(amount: Atoms, least: bigint): CommandRejected | undefined {
  return amount < least || amount > AMOUNT_MAX ? reject('InvalidAmount', 'amount') : undefined;
}

export function checkChangeable({ pricing, minTotal, maxTotal, payWindowMs }: ChangeableAdvertisement): CommandRejected | undefined {
  if (pricing.kind === 'FIXED' && !isFiatPrice(pricing.price)) return reject('InvalidField', 'price');
  if (pricing.kind === 'FLOATING' && Math.abs(pricing.premium) > PREMIUM_PPM_MAX) return reject('InvalidField', 'premium');
  if (!isTotal(minTotal)) return reject('InvalidField', 'minTotal');
  if (!isTotal(maxTotal) || maxTotal < minTotal) return reject('InvalidField', 'maxTotal');
  return payWindowMs < 1 || payWindowMs > PAY_WINDOW_MS_MAX ? reject('InvalidField', 'payWindowMs') : undefined;
}

export const checkTradedAsset = (state: OtcState, asset: AssetId): CommandRejected | undefined =>
  checkChainAsset(state, asset) ?? unknownAsset(state, asset);

/** Of an account that steps: it exists, and is not blocked. */
export function refuseActor({ accounts }: OtcState, account: AccountId): CommandRejected | undefined {
  if (!accounts.has(account)) return reject('UnknownAccount', 'account');
  return accounts.is(account, 'blocked') ? reject('AccountBlocked', 'account') : undefined;
}

/** Of an account that begins something: it may trade. */
export function refuseBeginner(state: OtcState, account: AccountId): CommandRejected | undefined {
  const refusal = refuseActor(state, account) ?? refuseFundAccount(state, account) ?? checkTerms(state, account);
  if (refusal !== undefined) return refusal;
  return state.accounts.is(account, 'whitelisted') ? undefined : reject('NotWhitelisted', 'account');
}

/** What is sold here leaves its account, as by a withdrawal. */
export function refuseSeller(state: OtcState, account: AccountId, at: Millis): CommandRejected | undefined {
  // What left the chain must not move on to somebody who can withdraw it.
  if (state.money.hasOrphan(account)) return reject('DepositInSuspense', 'account');
  return refuseLeavingDegraded(state, account, MONEY_GROUPS, at);
}

const placeOf = (currency: Fiat): number => 1 + FIATS.indexOf(currency);

export const totalBeyond = (currency: Fiat, asked: Cents, limit: Cents): RejectFigures => ({
  unit: 'cents',
  id: placeOf(currency),
  asked,
  limit,
});
export const fiatPriceBeyond = (currency: Fiat, asked: FiatPrice, limit: FiatPrice): RejectFigures => ({
  unit: 'fiatPrice',
  id: placeOf(currency),
  asked,
  limit,
});
export const timeBeyond = (asked: number, limit: number): RejectFigures => ({
  unit: 'millis',
  id: 0,
  asked: BigInt(asked),
  limit: BigInt(limit),
});
