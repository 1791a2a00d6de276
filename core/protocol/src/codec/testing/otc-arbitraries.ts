/** Every command and fact of the OTC desk, at random. */
import * as fc from 'fast-check';
import { advertisementId, cents, fiatPrice, millis, otcOrderId, signedPpm } from '@orrery/units';
import { ADVERTISEMENT_STATES, DISPUTE_OUTCOMES, FIATS, OTC_STATUSES, SETTABLE_STATES } from '../../otc.ts';
import type { OtcCommand, OtcEvent } from '../../otc.ts';
import { plain } from './contract-arbitraries.ts';
import { account, amount, asset, positive, side, text, whole, type Arbitraries } from './values.ts';

const time = whole.map(millis);
const fiat = amount.map(cents);
const price = amount.map(fiatPrice);
const order = positive.map(otcOrderId);
const advertisement = positive.map(advertisementId);
const currency = fc.constantFrom(...FIATS);
const outcome = fc.constantFrom(...DISPUTE_OUTCOMES);
const optionalAccount = fc.oneof(account, fc.constant(0 as const));
const pricing = fc.oneof(
  fc.record({ kind: fc.constant('FIXED' as const), price }, plain),
  fc.record({ kind: fc.constant('FLOATING' as const), premium: fc.maxSafeInteger().map(signedPpm) }, plain),
);
const changeable = { pricing, minTotal: fiat, maxTotal: fiat, payWindowMs: whole };
const terms = { side, asset, currency, ...changeable };
const present = { ...terms, advertisement, account, state: fc.constantFrom(...ADVERTISEMENT_STATES), available: amount, version: whole };
const otcTerms = {
  disputeAfterMs: whole,
  autoDisputeMs: whole,
  appealWindowMs: whole,
  holdMs: whole,
  depositAsset: asset,
  merchantDeposit: amount,
};
const prices = fc.array(fc.record({ asset, currency, price }, plain), { maxLength: 4 });
const step = { account, order };
const sides = { buyer: account, seller: account };
const deposit = { account, key: text };

export const otcCommandFields: { readonly [Type in OtcCommand['type']]: Arbitraries<Extract<OtcCommand, { type: Type }>> } = {
  SetOtcTerms: otcTerms,
  SetAssistPrices: { prices },
  PublishAdvertisement: { account, clientAdvertisementId: text, ...terms, amount },
  UpdateAdvertisement: { account, advertisement, ...changeable, amount, version: whole },
  SetAdvertisementState: { account: optionalAccount, advertisement, state: fc.constantFrom(...SETTABLE_STATES) },
  CreateOtcOrder: { account, clientOrderId: text, advertisement, amount, total: fiat, price },
  MarkOtcOrderPaid: step,
  ReleaseOtcOrder: step,
  CancelOtcOrder: step,
  DisputeOtcOrder: step,
  DecideOtcDispute: { order, outcome, nth: fc.constantFrom(1 as const, 2 as const) },
  AppealOtcDecision: step,
  DepositAsMerchant: deposit,
  ReturnMerchantDeposit: deposit,
  PayFromMerchantDeposit: { key: text, order, amount },
  RunOtcTimers: {},
};

export const otcEventFields: { readonly [Type in OtcEvent['type']]: Arbitraries<Extract<OtcEvent, { type: Type }>> } = {
  OtcTermsSet: otcTerms,
  AssistPricesSet: { at: time, prices },
  AdvertisementPublished: { ...present, clientAdvertisementId: text },
  AdvertisementChanged: present,
  OtcOrderCreated: {
    order,
    clientOrderId: text,
    advertisement,
    advertiser: account,
    taker: account,
    ...sides,
    asset,
    amount,
    currency,
    price,
    total: fiat,
    createdAt: time,
    deadline: time,
    coinsAreHeld: fc.boolean(),
  },
  OtcOrderStepped: {
    order,
    advertisement,
    ...sides,
    asset,
    amount,
    status: fc.constantFrom(...OTC_STATUSES),
    by: optionalAccount,
    at: time,
    disputableAt: time,
    deadline: time,
    heldUntil: time,
  },
  OtcDisputeDecided: { order, ...sides, outcome, executesAt: time },
  OtcDecisionAppealed: { order, by: account },
  OtcDeadlinesMoved: { since: time, by: time },
  MerchantDeposited: { ...deposit, asset, amount },
  MerchantDepositReturned: { ...deposit, asset, amount },
  MerchantDepositPaid: { key: text, order, account, recipient: account, asset, amount, left: amount },
};
