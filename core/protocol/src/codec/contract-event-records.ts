/** Facts of perpetual contracts in bytes. Field order and tags are the format: change them only with a new version. */
import type { ContractEvent, PositionClosing, PositionLeft, PositionsClosed } from '../contract-events.ts';
import {
  closeAllMode,
  collateralFields,
  contractFields,
  leftReason,
  liquidationStage,
  marginDirection,
  marginGroup,
  marginMode,
  positionFields,
  positionMode,
  positionSide,
  priceState,
  protectionScope,
  reductionCause,
  stallReason,
  twapEnd,
  twapFields,
} from './contract-fields.ts';
import {
  account,
  amount,
  asset,
  count,
  market,
  optionalOrder,
  order,
  position,
  price,
  signedCount,
  size,
  text,
  time,
  truth,
} from './field.ts';
import { writePositionChanged, writePositionReduced } from './position-event-writers.ts';
import { list, record } from './record.ts';
import type { Records } from './record.ts';

const positionOf = { account, market, positionSide };

const positionsClosed = record<Omit<PositionsClosed, 'type' | 'closings'>>({
  account,
  key: text,
  mode: closeAllMode,
  left: list(record<PositionLeft>({ market, positionSide, size: position, orderId: optionalOrder })),
});
const positionClosings = list(
  record<PositionClosing>({
    market,
    positionSide,
    asked: position,
    closed: size,
    left: position,
    reason: leftReason,
    orderId: optionalOrder,
  }),
);

export const contractEventRecords: Records<ContractEvent> = {
  PositionChanged: { tag: 35, fields: positionFields, write: writePositionChanged },
  PositionReduced: {
    tag: 36,
    fields: {
      ...positionOf,
      isLong: truth,
      size,
      price,
      notional: amount,
      releasedCost: amount,
      profit: amount,
      fee: amount,
      cause: reductionCause,
    },
    write: writePositionReduced,
  },
  ContractRegistered: { tag: 37, fields: contractFields },
  CollateralSet: { tag: 38, fields: collateralFields },
  LiquidatorSet: { tag: 39, fields: { account } },
  PricesSet: {
    tag: 40,
    fields: { market, index: price, mark: price, state: priceState, fundingPpb: signedCount, freshRounds: count },
  },
  FundingSettled: { tag: 41, fields: { market, interval: time, ratePpb: signedCount, price } },
  FundingPaid: { tag: 42, fields: { ...positionOf, interval: time, amount } },
  LeverageSet: { tag: 43, fields: { ...positionOf, leverage: count } },
  MarginModeSet: { tag: 44, fields: { account, market, mode: marginMode } },
  PositionModeSet: { tag: 45, fields: { account, payoff: marginGroup, mode: positionMode } },
  MarginAdjusted: { tag: 46, fields: { ...positionOf, direction: marginDirection, amount, key: text } },
  AutoMarginSet: { tag: 47, fields: { ...positionOf, value: truth } },
  FeeTierSet: { tag: 48, fields: { account, tier: count, rebateTier: count } },
  CollateralSold: { tag: 49, fields: { account, asset, amount, price, settle: asset, proceeds: amount } },
  LiquidationStep: {
    tag: 50,
    fields: {
      liquidationId: count,
      ...positionOf,
      stage: liquidationStage,
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
  },
  PositionDeleveraged: { tag: 51, fields: { liquidationId: count, ...positionOf, size, price, rank: count, profit: amount } },
  TriggerAmended: { tag: 52, fields: { orderId: order, account, market, triggerPrice: price, price, size } },
  PositionsClosed: {
    tag: 53,
    write: (writer, event) => positionsClosed.write(writer, event),
    read: (reader) => ({ type: 'PositionsClosed', ...positionsClosed.read(reader), closings: [] }),
    other: {
      tag: 80,
      isOf: ({ closings }) => closings.length > 0,
      write: (writer, event) => {
        positionsClosed.write(writer, event);
        positionClosings.write(writer, event.closings);
      },
      read: (reader) => ({ type: 'PositionsClosed', ...positionsClosed.read(reader), closings: positionClosings.read(reader) }),
    },
  },
  TriggerStalled: {
    tag: 81,
    fields: {
      orderId: order,
      account,
      market,
      reason: stallReason,
      triggerPrice: price,
      remaining: size,
      filled: size,
      filledNotional: amount,
    },
  },
  ProtectionSet: {
    tag: 82,
    fields: { ...positionOf, scope: protectionScope, size, takeProfit: optionalOrder, stopLoss: optionalOrder, key: text },
  },
  CancelScheduled: { tag: 54, fields: { account, at: time } },
  TwapAccepted: { tag: 55, fields: { twapId: count, ...twapFields } },
  TwapAdvanced: { tag: 61, fields: { twapId: count, account, market, startedAt: time, filled: size, filledNotional: amount } },
  TwapClosed: { tag: 56, fields: { twapId: count, account, market, reason: twapEnd, filled: size, filledNotional: amount } },
  CollateralPriced: { tag: 66, fields: { asset, market, price, at: time } },
  InsuranceChanged: { tag: 57, fields: { asset, amount, change: amount } },
  DeficitShared: { tag: 64, fields: { liquidationId: count, ...positionOf, mark: price, rank: count, gain: amount, paid: amount } },
  PracticeAssetSet: { tag: 72, fields: { asset } },
  PracticeGranted: { tag: 73, fields: { account, asset, amount, day: time } },
};
