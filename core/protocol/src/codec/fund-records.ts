/** Commands and events of quanto funds in bytes. Field order and tags are the format: change them only with a new version. */
import { FUND_ENDS, REDEMPTION_ENDS, SUBSCRIPTION_ENDS } from '../fund-events.ts';
import type { FundEvent } from '../fund-events.ts';
import type { FundCommand } from '../fund.ts';
import { account, amount, asset, market, oneOf, text, time, wallet } from './field.ts';
import type { Records } from './record.ts';

const fund = asset;
const subscription = { fund, account, subscriptionId: text, amount };
const paid = { asset, fundAccount: account };
const redemption = { fund, account, redemptionId: text, shares: amount };

export const fundCommandRecords: Records<FundCommand> = {
  OpenFund: { tag: 90, fields: { fund, account, leader: account, asset, amount, capacity: amount } },
  SetFundCapacity: { tag: 91, fields: { fund, capacity: amount } },
  SubscribeToFund: { tag: 92, fields: subscription },
  RedeemFromFund: { tag: 93, fields: redemption },
  ValueFund: { tag: 94, fields: { fund, interval: time } },
  ContinueFund: { tag: 95, fields: { fund } },
  SendFundHeartbeat: { tag: 96, fields: { account } },
  CloseFund: { tag: 97, fields: { fund } },
};

export const fundEventRecords: Records<FundEvent> = {
  FundOpened: { tag: 120, fields: { fund, account, leader: account, asset, capacity: amount, amount, shares: amount } },
  FundCapacitySet: { tag: 121, fields: { fund, capacity: amount } },
  FundSubscriptionQueued: { tag: 122, fields: { ...subscription, interval: time, asset } },
  FundSubscribed: { tag: 123, fields: { ...subscription, shares: amount, nav: amount, highWaterMark: amount, lockedUntil: time, ...paid } },
  FundSubscriptionReturned: { tag: 124, fields: { ...subscription, reason: oneOf(SUBSCRIPTION_ENDS), asset } },
  FundRedemptionQueued: { tag: 125, fields: { ...redemption, interval: time } },
  FundRedeemed: { tag: 126, fields: { ...redemption, fee: amount, amount, nav: amount, left: amount, ...paid, leader: account } },
  FundRedemptionReturned: { tag: 127, fields: { ...redemption, reason: oneOf(REDEMPTION_ENDS) } },
  FundValued: { tag: 128, fields: { fund, interval: time, worth: amount, shares: amount, nav: amount, cash: amount } },
  FundValuationMissed: { tag: 129, fields: { fund, interval: time, market } },
  FundFeeTaken: { tag: 130, fields: { fund, account, shares: amount, nav: amount, leader: account } },
  FundReducing: { tag: 131, fields: { fund, shares: amount, of: amount } },
  FundClosing: { tag: 132, fields: { fund, reason: oneOf(FUND_ENDS) } },
  FundPaidOut: { tag: 133, fields: { fund, account, shares: amount, fee: amount, amount, ...paid, leader: account } },
  FundEnded: { tag: 134, fields: { fund, account, reason: oneOf(FUND_ENDS), worth: amount, shares: amount, dust: amount, asset } },
  FundHeartbeat: { tag: 135, fields: { fund } },
  FundMoneyMoved: { tag: 136, fields: { fund, account, asset, amount, from: wallet, to: wallet } },
};
