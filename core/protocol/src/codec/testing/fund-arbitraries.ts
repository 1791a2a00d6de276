/** Every command and fact of quanto funds, at random. */
import * as fc from 'fast-check';
import { millis } from '@orrery/units';
import { FUND_ENDS, REDEMPTION_ENDS, SUBSCRIPTION_ENDS } from '../../fund-events.ts';
import type { FundEvent } from '../../fund-events.ts';
import type { FundCommand } from '../../fund.ts';
import { account, amount, asset, market, text, wallet, whole, type Arbitraries } from './values.ts';

const fund = asset;
const interval = whole.map(millis);
const subscription = { fund, account, subscriptionId: text, amount };
const paid = { asset, fundAccount: account };
const redemption = { fund, account, redemptionId: text, shares: amount };

export const fundCommandFields: { readonly [Type in FundCommand['type']]: Arbitraries<Extract<FundCommand, { type: Type }>> } = {
  OpenFund: { fund, account, leader: account, asset, amount, capacity: amount },
  SetFundCapacity: { fund, capacity: amount },
  SubscribeToFund: subscription,
  RedeemFromFund: redemption,
  ValueFund: { fund, interval },
  ContinueFund: { fund },
  SendFundHeartbeat: { account },
  CloseFund: { fund },
};

export const fundEventFields: { readonly [Type in FundEvent['type']]: Arbitraries<Extract<FundEvent, { type: Type }>> } = {
  FundOpened: { fund, account, leader: account, asset, capacity: amount, amount, shares: amount },
  FundCapacitySet: { fund, capacity: amount },
  FundSubscriptionQueued: { ...subscription, interval, asset },
  FundSubscribed: { ...subscription, shares: amount, nav: amount, highWaterMark: amount, lockedUntil: interval, ...paid },
  FundSubscriptionReturned: { ...subscription, reason: fc.constantFrom(...SUBSCRIPTION_ENDS), asset },
  FundRedemptionQueued: { ...redemption, interval },
  FundRedeemed: { ...redemption, fee: amount, amount, nav: amount, left: amount, ...paid, leader: account },
  FundRedemptionReturned: { ...redemption, reason: fc.constantFrom(...REDEMPTION_ENDS) },
  FundValued: { fund, interval, worth: amount, shares: amount, nav: amount, cash: amount },
  FundValuationMissed: { fund, interval, market },
  FundFeeTaken: { fund, account, shares: amount, nav: amount, leader: account },
  FundReducing: { fund, shares: amount, of: amount },
  FundClosing: { fund, reason: fc.constantFrom(...FUND_ENDS) },
  FundPaidOut: { fund, account, shares: amount, fee: amount, amount, ...paid, leader: account },
  FundEnded: { fund, account, reason: fc.constantFrom(...FUND_ENDS), worth: amount, shares: amount, dust: amount, asset },
  FundHeartbeat: { fund },
  FundMoneyMoved: { fund, account, asset, amount, from: wallet, to: wallet },
};
