/** Every command and event, at random: each kind of field over its whole range. */
import * as fc from 'fast-check';
import { millis, tradeId } from '@orrery/units';
import type { Command } from '../../commands.ts';
import type { CommandRejected, Event } from '../../events.ts';
import { ASSET_KINDS } from '../../market.ts';
import { CLOSE_REASONS, ORDER_TYPES, SELF_TRADE_PREVENTIONS } from '../../order.ts';
import { FIGURE_UNITS, REJECT_REASONS } from '../../rejects.ts';
import { SPOT_SOURCES } from '../../spot-terms.ts';
import { contractCommandFields, contractEventFields, contractOrderTerms, plain } from './contract-arbitraries.ts';
import { otcCommandFields, otcEventFields } from './otc-arbitraries.ts';
import { fundCommandFields, fundEventFields } from './fund-arbitraries.ts';
import {
  account,
  address,
  amount,
  asset,
  budget,
  flag,
  market,
  order,
  orderWords,
  outcome,
  positive,
  price,
  rate,
  side,
  size,
  state,
  text,
  wallet,
  whole,
  type Arbitraries,
} from './values.ts';

type Typed = { readonly type: string };

const assetFields = { asset, code: text, decimals: whole, kind: fc.constantFrom(...ASSET_KINDS) };
const marketFields = {
  market,
  symbol: text,
  base: asset,
  quote: asset,
  pricePrecision: whole,
  sizePrecision: whole,
  lotAtoms: amount,
  tickLotAtoms: amount,
  minPrice: price,
  maxPrice: price,
  minSize: size,
  maxSize: size,
  minNotional: amount,
  maxNotional: amount,
  makerFeePpm: rate,
  takerFeePpm: rate,
  limitBandPpm: rate,
  marketBandPpm: rate,
  maxOpenOrders: whole,
};
const changeableFields = {
  market,
  maxSize: size,
  minNotional: amount,
  maxNotional: amount,
  makerFeePpm: rate,
  takerFeePpm: rate,
  maxOpenOrders: whole,
};
const openOrder = { orderId: order, account, market };
const withdrawal = { account, withdrawalId: text };

const attached = fc.record({ triggerPrice: price, triggerBy: fc.constant('last' as const), price }, plain);
const spotTerms = {
  source: fc.constantFrom(...SPOT_SOURCES),
  trailingPpm: rate,
  activationPrice: price,
  takeProfit: attached,
  stopLoss: attached,
};
const leg = fc.record(
  { clientOrderId: text, orderType: fc.constantFrom(...ORDER_TYPES), price, triggerPrice: price, slippagePpm: rate },
  plain,
);

/** An order of a batch, of spot or of a contract. */
const placed = fc.oneof(
  fc.record({ type: fc.constant('PlaceOrder' as const), account, market, clientOrderId: text, ...orderWords }, plain),
  fc.record(
    {
      type: fc.constant('PlaceSpotOrder' as const),
      account,
      market,
      clientOrderId: text,
      ...orderWords,
      spot: fc.record(spotTerms, plain),
    },
    plain,
  ),
  fc.record({ type: fc.constant('PlaceContractOrder' as const), ...contractCommandFields.PlaceContractOrder }, plain),
);

const commandFields: { readonly [Type in Command['type']]: Arbitraries<Extract<Command, { type: Type }>> } = {
  RegisterAsset: assetFields,
  RegisterMarket: marketFields,
  SetMarketState: { market, state },
  SetIndexPrice: { market, price },
  OpenAccount: { address },
  SetAccountFlag: { account, flag, value: fc.boolean() },
  CreditDeposit: { key: text, address, asset, amount },
  Transfer: { account, transferId: text, asset, amount, from: wallet, to: wallet },
  RequestWithdrawal: { account, withdrawalId: text, asset, amount, to: address },
  WithdrawInternally: { account, withdrawalId: text, asset, amount, to: address },
  MarkWithdrawalSent: { withdrawalId: text, txHash: text },
  PostWithdrawal: { withdrawalId: text, txHash: text },
  RefundWithdrawal: { withdrawalId: text },
  FundBudget: { key: text, budget, asset, amount },
  AwardFromBudget: { key: text, budget, account, asset, amount },
  ReserveFaucetClaim: { account, claimId: text },
  SettleFaucetClaim: { claimId: text, outcome },
  PlaceOrder: { account, market, clientOrderId: text, ...orderWords },
  CancelOrder: { account, orderId: fc.oneof(order, fc.constant(0 as const)), clientOrderId: text },
  PlaceSpotOrder: { account, market, clientOrderId: text, ...orderWords, spot: fc.record(spotTerms, plain) },
  PlacePair: { account, market, side, size, selfTradePrevention: fc.constantFrom(...SELF_TRADE_PREVENTIONS), above: leg, below: leg },
  PlaceOrders: { account, orders: fc.array(placed, { maxLength: 3 }) },
  CancelOrders: { account, orderIds: fc.array(order, { maxLength: 3 }) },
  CancelAllOrders: { account, market: fc.oneof(market, fc.constant(0 as const)) },
  AmendOrder: { account, orderId: order, clientOrderId: text, price, size },
  ExpireOrders: {},
  ReverseAward: { key: text, awardKey: text },
  SuspendDeposit: { key: text },
  WriteOffDeposit: { key: text },
  ContinueTriggers: { market },
  ContinueMatching: { market },
  UpgradeRules: { version: whole },
  SetMarketTerms: changeableFields,
  SetWithdrawalCaps: { asset, hourly: amount, daily: amount },
  ...fundCommandFields,
  ...contractCommandFields,
  ...otcCommandFields,
};

const reason = fc.constantFrom(...REJECT_REASONS);
const figures = fc.record(
  { unit: fc.constantFrom(...FIGURE_UNITS), id: whole, asked: fc.bigInt(), limit: fc.bigInt() },
  { noNullPrototype: true },
);

const rejectedWithFigures: fc.Arbitrary<CommandRejected> = fc.record(
  { type: fc.constant('CommandRejected'), reason, field: text, figures },
  { noNullPrototype: true },
);

const eventFields: { readonly [Type in Event['type']]: Arbitraries<Omit<Extract<Event, { type: Type }>, 'figures'>> } = {
  CommandRejected: { reason, field: text },
  CommandRepeated: { key: text },
  AssetRegistered: assetFields,
  MarketRegistered: marketFields,
  MarketStateChanged: { market, state },
  IndexPriceSet: { market, price },
  AccountOpened: { account, address },
  AccountFlagSet: { account, flag, value: fc.boolean() },
  BalanceChanged: { account, wallet, asset, free: amount, held: amount },
  DepositCredited: { key: text, account, asset, amount, suspended: fc.boolean() },
  Transferred: { account, transferId: text, asset, amount, from: wallet, to: wallet },
  WithdrawalHeld: { ...withdrawal, asset, amount, to: address },
  WithdrawnInternally: { ...withdrawal, recipient: account, asset, amount, to: address },
  WithdrawalSent: { ...withdrawal, txHash: text },
  WithdrawalPosted: { ...withdrawal, asset, amount, txHash: text },
  WithdrawalRefunded: { ...withdrawal, asset, amount },
  BudgetFunded: { key: text, budget, asset, amount },
  Awarded: { key: text, budget, account, asset, amount },
  FaucetClaimReserved: { account, claimId: text },
  FaucetClaimSettled: { account, claimId: text, outcome },
  OrderAccepted: {
    ...openOrder,
    clientOrderId: text,
    ...orderWords,
    createdAt: whole.map(millis),
    contract: fc.option(contractOrderTerms, { nil: undefined }),
    // An order has terms of one kind at most: those of a spot market have their bytes checked by themselves.
    spot: fc.constant(undefined),
  },
  OrderRepeated: { orderId: order, account, clientOrderId: text },
  OrderRested: { ...openOrder, side, price, remaining: size, filled: size, filledNotional: amount },
  OrderArmed: openOrder,
  OrderPaused: { ...openOrder, remaining: size, filled: size, filledNotional: amount },
  OrderTriggered: { ...openOrder, lastPrice: price },
  TrailingStarted: { ...openOrder, lastPrice: price },
  OrderReduced: { ...openOrder, side, price, reducedBy: size, remaining: size },
  OrderAmended: {
    ...openOrder,
    clientOrderId: text,
    side,
    price,
    size,
    remaining: size,
    oldPrice: price,
    removed: size,
    keepsPlace: fc.boolean(),
  },
  Trade: {
    tradeId: positive.map(tradeId),
    market,
    price,
    size,
    notional: amount,
    takerSide: side,
    takerOrderId: order,
    takerAccount: account,
    takerFee: amount,
    makerOrderId: order,
    makerAccount: account,
    makerFee: amount,
    makerRemaining: size,
  },
  OrderClosed: {
    ...openOrder,
    clientOrderId: text,
    reason: fc.constantFrom(...CLOSE_REASONS),
    side,
    price,
    removed: size,
    filled: size,
    filledNotional: amount,
  },
  RulesUpgraded: { version: whole },
  MarketTermsChanged: changeableFields,
  WithdrawalCapsSet: { asset, hourly: amount, daily: amount },
  OutflowChanged: { asset, minute: whole.map(millis), amount },
  QuotaUsed: { account, since: whole.map(millis), worth: amount },
  AwardReversed: { key: text, awardKey: text, budget, account, asset, amount },
  DepositSuspended: { key: text, account, asset, amount, fromFunding: amount, fromSpot: amount, fromFutures: amount },
  CoinFuturesSuspended: { key: text, account, asset, amount },
  DepositWrittenOff: {
    key: text,
    account,
    asset,
    amount,
    fromSuspense: amount,
    fromFunding: amount,
    fromSpot: amount,
    fromFutures: amount,
    fromCoinFutures: amount,
    fromInsurance: amount,
    uncovered: amount,
  },
  WriteOffRepaid: { key: text, account, asset, amount },
  ...fundEventFields,
  ...contractEventFields,
  ...otcEventFields,
};

function union<Union extends Typed>(fields: { readonly [Type in Union['type']]: object }): ReadonlyMap<string, fc.Arbitrary<Union>> {
  return new Map(
    Object.entries<object>(fields).map(([type, record]) => {
      const arbitrary = fc.record({ type: fc.constant(type), ...record }, { noNullPrototype: true });
      return [type, arbitrary as unknown as fc.Arbitrary<Union>];
    }),
  );
}

/** By type. */
export const commandArbitraries: ReadonlyMap<string, fc.Arbitrary<Command>> = new Map([
  ...union<Command>(commandFields),
  ...(['RequestWithdrawal', 'WithdrawInternally'] as const).map((type): [string, fc.Arbitrary<Command>] => [
    `${type} with a quota`,
    fc.record(
      { type: fc.constant(type), ...commandFields[type], quota: fc.record({ worth: amount, limit: amount }, plain) },
      plain,
    ) as fc.Arbitrary<Command>,
  ]),
]);
export const eventArbitraries: ReadonlyMap<string, fc.Arbitrary<Event>> = new Map([
  ...union<Event>(eventFields),
  ['CommandRejected with figures', rejectedWithFigures],
]);
