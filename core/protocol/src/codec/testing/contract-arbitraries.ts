/** Every command and fact of perpetual contracts, at random. */
import * as fc from 'fast-check';
import { millis, signedLots } from '@orrery/units';
import type { ContractCommand } from '../../contract-commands.ts';
import type { ContractEvent } from '../../contract-events.ts';
import {
  CLOSE_ALL_MODES,
  LEFT_REASONS,
  LIQUIDATION_STAGES,
  MARGIN_DIRECTIONS,
  MARGIN_GROUPS,
  MARGIN_MODES,
  ORDER_SOURCES,
  PAYOFFS,
  POSITION_MODES,
  POSITION_SIDES,
  PRICE_STATES,
  PROTECTION_SCOPES,
  REDUCTION_CAUSES,
  STALL_REASONS,
  TRIGGER_DIRECTIONS,
  TRIGGER_PRICES,
} from '../../contract.ts';
import type { ContractOrderTerms } from '../../contract.ts';
import { TWAP_ENDS } from '../../twap.ts';
import { account, amount, asset, market, order, orderWords, price, rate, side, size, text, whole, type Arbitraries } from './values.ts';

const time = whole.map(millis);
const signed = fc.oneof(fc.integer({ min: -300, max: 300 }), fc.integer(), fc.maxSafeInteger());
const position = signed.map(signedLots);
const payoff = fc.constantFrom(...PAYOFFS);
const positionSide = fc.constantFrom(...POSITION_SIDES);
const triggerBy = fc.constantFrom(...TRIGGER_PRICES);
const optionalOrder = fc.oneof(order, fc.constant(0 as const));
const positionOf = { account, market, positionSide };
const contractTerms = {
  positionSide,
  reduceOnly: fc.boolean(),
  closePosition: fc.boolean(),
  triggerBy,
  trailingPpm: rate,
  source: fc.constantFrom(...ORDER_SOURCES),
};
export const plain = { noNullPrototype: true };
const attached = fc.record({ triggerPrice: price, triggerBy, price }, plain);
const protectionLeg = fc.record({ triggerPrice: price, triggerBy, price, clientOrderId: text }, plain);
const sample = { source: text, price, ageMs: whole };
const few = { maxLength: 4 };

export const contractOrderTerms: fc.Arbitrary<ContractOrderTerms> = fc.record(
  {
    ...contractTerms,
    triggerDirection: fc.constantFrom(...TRIGGER_DIRECTIONS),
    parent: optionalOrder,
    group: whole,
    takeProfit: attached,
    stopLoss: attached,
  },
  plain,
);

const contractFields = {
  market,
  symbol: text,
  baseCode: text,
  quoteCode: text,
  payoff,
  settle: asset,
  pricePrecision: whole,
  sizePrecision: whole,
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
  initLeverage: whole,
  tiers: fc.array(fc.record({ maxNotional: amount, maxLeverage: whole }, plain), few),
  openInterestCap: size,
  impactNotional: amount,
  fundingIntervalMs: whole,
  interestPpm8h: rate,
  fundingCapPpm: rate,
  partialLiquidationAbove: amount,
  partialLiquidationPpm: rate,
  liquidationCooldownMs: whole,
};
const collateralFields = { asset, ratioPpm: rate, market, cap: amount };
const twapFields = { account, market, key: text, side, positionSide, size, minutes: whole, reduceOnly: fc.boolean(), seed: whole };
const feeTier = { account, tier: whole, rebateTier: whole };
const marginMode = { account, market, mode: fc.constantFrom(...MARGIN_MODES) };
const positionMode = { account, payoff: fc.constantFrom(...MARGIN_GROUPS), mode: fc.constantFrom(...POSITION_MODES) };
const margin = { ...positionOf, direction: fc.constantFrom(...MARGIN_DIRECTIONS), amount, key: text };
const closeAllMode = fc.constantFrom(...CLOSE_ALL_MODES);

export const contractCommandFields: {
  readonly [Type in ContractCommand['type']]: Arbitraries<Extract<ContractCommand, { type: Type }>>;
} = {
  RegisterContract: contractFields,
  SetCollateral: collateralFields,
  SetLiquidator: { account },
  SubmitPrices: {
    market,
    index: fc.array(fc.record({ ...sample, weight: whole }, plain), few),
    external: fc.array(fc.record(sample, plain), few),
  },
  SubmitCollateralPrices: { asset, index: fc.array(fc.record({ ...sample, weight: whole }, plain), few) },
  ResetPrices: {},
  SettleFunding: { market, interval: time },
  ForceFunding: { market, interval: time },
  SetLeverage: { ...positionOf, leverage: whole },
  SetMarginMode: marginMode,
  SetPositionMode: positionMode,
  AdjustMargin: margin,
  SetAutoMargin: { ...positionOf, value: fc.boolean() },
  SetFeeTier: feeTier,
  PlaceContractOrder: {
    account,
    market,
    clientOrderId: text,
    ...orderWords,
    contract: fc.record(contractTerms, plain),
    takeProfit: attached,
    stopLoss: attached,
  },
  AmendTrigger: { account, orderId: order, triggerPrice: price, price, size },
  SetProtection: {
    account,
    market,
    positionSide,
    scope: fc.constantFrom(...PROTECTION_SCOPES),
    size,
    takeProfit: protectionLeg,
    stopLoss: protectionLeg,
    key: text,
  },
  CloseAllPositions: { account, payoff: fc.constantFrom(...MARGIN_GROUPS, 'any' as const), mode: closeAllMode, key: text },
  ScheduleCancel: { account, at: time },
  RunTimers: {},
  PlaceTwap: twapFields,
  CancelTwap: { account, twapId: whole },
  ContinueLiquidations: {},
  ContinueFunding: { market },
  SetPracticeAsset: { asset },
  GrantPractice: { account, day: time },
  StockPractice: { account, upTo: amount },
};

export const contractEventFields: { readonly [Type in ContractEvent['type']]: Arbitraries<Extract<ContractEvent, { type: Type }>> } = {
  ContractRegistered: contractFields,
  CollateralSet: collateralFields,
  CollateralPriced: { asset, market, price, at: time },
  LiquidatorSet: { account },
  PricesSet: { market, index: price, mark: price, state: fc.constantFrom(...PRICE_STATES), fundingPpb: signed, freshRounds: whole },
  PositionChanged: {
    ...positionOf,
    size: position,
    cost: amount,
    margin: amount,
    realised: amount,
    fees: amount,
    funding: amount,
    openedAt: time,
    maxSize: size,
  },
  PositionReduced: {
    ...positionOf,
    isLong: fc.boolean(),
    size,
    price,
    notional: amount,
    releasedCost: amount,
    profit: amount,
    fee: amount,
    cause: fc.constantFrom(...REDUCTION_CAUSES),
  },
  FundingSettled: { market, interval: time, ratePpb: signed, price },
  FundingPaid: { ...positionOf, interval: time, amount },
  LeverageSet: { ...positionOf, leverage: whole },
  MarginModeSet: marginMode,
  PositionModeSet: positionMode,
  MarginAdjusted: margin,
  AutoMarginSet: { ...positionOf, value: fc.boolean() },
  FeeTierSet: feeTier,
  CollateralSold: { account, asset, amount, price, settle: asset, proceeds: amount },
  LiquidationStep: {
    liquidationId: whole,
    ...positionOf,
    stage: fc.constantFrom(...LIQUIDATION_STAGES),
    mark: price,
    equity: amount,
    maintenance: amount,
    size,
    price,
    fromMargin: amount,
    fromLiquidator: amount,
    fromInsurance: amount,
    uncovered: amount,
  },
  PositionDeleveraged: { liquidationId: whole, ...positionOf, size, price, rank: whole, profit: amount },
  DeficitShared: { liquidationId: whole, ...positionOf, mark: price, rank: whole, gain: amount, paid: amount },
  InsuranceChanged: { asset, amount, change: amount },
  TriggerAmended: { orderId: order, account, market, triggerPrice: price, price, size },
  PositionsClosed: {
    account,
    key: text,
    mode: closeAllMode,
    left: fc.array(fc.record({ market, positionSide, size: position, orderId: optionalOrder }, plain), few),
    closings: fc.array(
      fc.record(
        {
          market,
          positionSide,
          asked: position,
          closed: size,
          left: position,
          reason: fc.constantFrom(...LEFT_REASONS),
          orderId: optionalOrder,
        },
        plain,
      ),
      few,
    ),
  },
  TriggerStalled: {
    orderId: order,
    account,
    market,
    reason: fc.constantFrom(...STALL_REASONS),
    triggerPrice: price,
    remaining: size,
    filled: size,
    filledNotional: amount,
  },
  ProtectionSet: {
    account,
    market,
    positionSide,
    scope: fc.constantFrom(...PROTECTION_SCOPES),
    size,
    takeProfit: optionalOrder,
    stopLoss: optionalOrder,
    key: text,
  },
  CancelScheduled: { account, at: time },
  TwapAccepted: { twapId: whole, ...twapFields },
  TwapAdvanced: { twapId: whole, account, market, startedAt: whole.map(millis), filled: size, filledNotional: amount },
  TwapClosed: { twapId: whole, account, market, reason: fc.constantFrom(...TWAP_ENDS), filled: size, filledNotional: amount },
  PracticeAssetSet: { asset },
  PracticeGranted: { account, asset, amount, day: time },
};
