/** Every command and event, at random: each kind of field over its whole range. */
import * as fc from 'fast-check';
import { accountId, assetId, atoms, lots, marketId, millis, orderId, parseAddress, ppm, ticks, tradeId } from '@orrery/units';
import { ACCOUNT_FLAGS, BUDGETS, CLAIM_OUTCOMES, WALLETS } from '../../commands.ts';
import type { Command } from '../../commands.ts';
import type { Event } from '../../events.ts';
import { ASSET_KINDS, MARKET_STATES } from '../../market.ts';
import { CLOSE_REASONS, ORDER_TYPES, SELF_TRADE_PREVENTIONS, SIDES, TIMES_IN_FORCE } from '../../order.ts';
import { REJECT_REASONS } from '../../rejects.ts';

type Arbitraries<Value> = { readonly [Key in Exclude<keyof Value, 'type'>]-?: fc.Arbitrary<Value[Key]> };
type Typed = { readonly type: string };

const whole = fc.oneof(
  fc.integer({ min: 0, max: 300 }),
  fc.maxSafeNat(),
  fc.constantFrom(0, 127, 128, 16_383, 16_384, 2 ** 31 - 1, 2 ** 31, 2 ** 32, Number.MAX_SAFE_INTEGER),
);
const positive = whole.filter((value) => value > 0);
const text = fc.string({ unit: 'binary-ascii', maxLength: 90 });
const amount = fc
  .oneof(
    fc.bigInt(),
    fc.bigInt({ min: -300n, max: 300n }),
    fc.bigInt({ min: -(2n ** 120n), max: 2n ** 120n }),
    fc.constantFrom(0n, 255n, 256n, 2n ** 48n - 1n, 2n ** 48n, 2n ** 53n - 1n, 2n ** 53n, 2n ** 64n, 10n ** 28n, -(2n ** 53n), 2n ** 1000n),
  )
  .map(atoms);
const address = fc.stringMatching(/^0x[0-9a-f]{40}$/).map((value) => parseAddress(value) ?? expect(value));
const account = positive.map(accountId);
const asset = positive.map(assetId);
const market = positive.map(marketId);
const order = positive.map(orderId);
const price = whole.map(ticks);
const size = whole.map(lots);
const rate = whole.map(ppm);
const side = fc.constantFrom(...SIDES);
const wallet = fc.constantFrom(...WALLETS);
const budget = fc.constantFrom(...BUDGETS);
const outcome = fc.constantFrom(...CLAIM_OUTCOMES);
const flag = fc.constantFrom(...ACCOUNT_FLAGS);
const state = fc.constantFrom(...MARKET_STATES);

function expect(value: string): never {
  throw new Error(`the generator of addresses made ${value}`);
}

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
const orderWords = {
  side,
  orderType: fc.constantFrom(...ORDER_TYPES),
  timeInForce: fc.constantFrom(...TIMES_IN_FORCE),
  price,
  size,
  funds: amount,
  triggerPrice: price,
  slippagePpm: rate,
  selfTradePrevention: fc.constantFrom(...SELF_TRADE_PREVENTIONS),
};
const openOrder = { orderId: order, account, market };
const withdrawal = { account, withdrawalId: text };

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
  MarkWithdrawalSent: { withdrawalId: text, txHash: text },
  PostWithdrawal: { withdrawalId: text, txHash: text },
  RefundWithdrawal: { withdrawalId: text },
  FundBudget: { key: text, budget, asset, amount },
  AwardFromBudget: { key: text, budget, account, asset, amount },
  ReserveFaucetClaim: { account, claimId: text },
  SettleFaucetClaim: { claimId: text, outcome },
  PlaceOrder: { account, market, clientOrderId: text, ...orderWords },
  CancelOrder: { account, orderId: fc.oneof(order, fc.constant(0 as const)), clientOrderId: text },
  CancelAllOrders: { account, market: fc.oneof(market, fc.constant(0 as const)) },
  AmendOrder: { account, orderId: order, clientOrderId: text, price, size },
  ExpireOrders: {},
  ReverseAward: { key: text, awardKey: text },
  SuspendDeposit: { key: text },
  ContinueTriggers: { market },
  UpgradeRules: { version: whole },
  SetMarketTerms: changeableFields,
  SetWithdrawalCaps: { asset, hourly: amount, daily: amount },
};

const eventFields: { readonly [Type in Event['type']]: Arbitraries<Extract<Event, { type: Type }>> } = {
  CommandRejected: { reason: fc.constantFrom(...REJECT_REASONS), field: text },
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
  WithdrawalSent: { ...withdrawal, txHash: text },
  WithdrawalPosted: { ...withdrawal, asset, amount, txHash: text },
  WithdrawalRefunded: { ...withdrawal, asset, amount },
  BudgetFunded: { key: text, budget, asset, amount },
  Awarded: { key: text, budget, account, asset, amount },
  FaucetClaimReserved: { account, claimId: text },
  FaucetClaimSettled: { account, claimId: text, outcome },
  OrderAccepted: { ...openOrder, clientOrderId: text, ...orderWords, createdAt: whole.map(millis) },
  OrderRepeated: { orderId: order, account, clientOrderId: text },
  OrderRested: { ...openOrder, side, price, remaining: size, filled: size, filledNotional: amount },
  OrderArmed: openOrder,
  OrderTriggered: { ...openOrder, lastPrice: price },
  OrderReduced: { ...openOrder, side, price, reducedBy: size, remaining: size },
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
  AwardReversed: { key: text, awardKey: text, budget, account, asset, amount },
  DepositSuspended: { key: text, account, asset, amount, fromFunding: amount, fromSpot: amount, fromFutures: amount },
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
export const commandArbitraries = union<Command>(commandFields);
export const eventArbitraries = union<Event>(eventFields);
