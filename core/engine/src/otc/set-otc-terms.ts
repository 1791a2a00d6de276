/** What the exchange itself says at the desk: its terms, and what coins cost outside. */
import type { Millis } from '@orrery/units';
import type { CommandRejected, Event, SetAssistPrices, SetOtcTerms } from '@orrery/protocol';
import { ASSIST_PRICES_MAX, OTC_TERM_MS_MAX, reject } from '@orrery/rules';
import { checkAmount } from '../money/check-money.ts';
import { checkTradedAsset, isFiatPrice } from './check-otc.ts';
import type { OtcState } from './otc-state.ts';

export function setOtcTerms(state: OtcState, command: SetOtcTerms): Event[] {
  const { type: _, ...terms } = command;
  const { disputeAfterMs, autoDisputeMs, appealWindowMs, holdMs, depositAsset, merchantDeposit } = terms;
  const isTerm = (value: number, least: number): boolean => value >= least && value <= OTC_TERM_MS_MAX;
  if (!isTerm(disputeAfterMs, 0)) return [reject('InvalidField', 'disputeAfterMs')];
  if (!isTerm(autoDisputeMs, Math.max(1, disputeAfterMs))) return [reject('InvalidField', 'autoDisputeMs')];
  if (!isTerm(appealWindowMs, 1)) return [reject('InvalidField', 'appealWindowMs')];
  if (!isTerm(holdMs, 0)) return [reject('InvalidField', 'holdMs')];
  if (checkAmount(merchantDeposit) !== undefined) return [reject('InvalidAmount', 'merchantDeposit')];
  const refusal = checkTradedAsset(state, depositAsset);
  if (refusal !== undefined) return [refusal];
  // After this point nothing fails.
  state.otc.terms = terms;
  return [{ type: 'OtcTermsSet', ...terms }];
}

export function setAssistPrices(state: OtcState, { prices }: SetAssistPrices, at: Millis): Event[] {
  const refusal = refusePrices(state, prices);
  if (refusal !== undefined) return [refusal];
  // After this point nothing fails.
  for (const price of prices) state.otc.setPrice({ ...price, at });
  return [{ type: 'AssistPricesSet', at, prices }];
}

function refusePrices(state: OtcState, prices: SetAssistPrices['prices']): CommandRejected | undefined {
  const places = new Set(prices.map(({ asset, currency }) => `${asset} ${currency}`));
  const isSound = prices.length > 0 && prices.length <= ASSIST_PRICES_MAX && places.size === prices.length;
  if (!isSound || !prices.every(({ price }) => isFiatPrice(price))) return reject('InvalidField', 'prices');
  for (const { asset } of prices) {
    const refusal = checkTradedAsset(state, asset);
    if (refusal !== undefined) return refusal;
  }
  return undefined;
}
