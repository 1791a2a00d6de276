/** What the running hash covers beyond balances, positions and counters: settings, prices and timers of contracts. Since rules 6. */
import type { Atoms } from '@orrery/units';
import {
  FUND_ENDS,
  MARGIN_GROUPS,
  MARGIN_MODES,
  POSITION_MODES,
  POSITION_SIDES,
  STALL_REASONS,
  type Event,
  type OtcEvent,
} from '@orrery/protocol';
import type { RulesVersion } from '@orrery/rules';
import type { RunningHash } from '../ledger/running-hash.ts';
import { halvesOf } from './halves.ts';
import { otcNumbersOf } from './mix-otc.ts';

type Covered = OtcEvent | CoveredOfMarkets;
type CoveredOfMarkets = Extract<
  Event,
  {
    type:
      | 'LeverageSet'
      | 'MarginModeSet'
      | 'PositionModeSet'
      | 'AutoMarginSet'
      | 'FeeTierSet'
      | 'CollateralSet'
      | 'LiquidatorSet'
      | 'PricesSet'
      | 'CancelScheduled'
      | 'TwapAccepted'
      | 'TwapClosed'
      | 'FundingSettled'
      | 'PracticeAssetSet'
      | 'PracticeGranted'
      | 'CollateralPriced'
      | 'TriggerStalled'
      | 'ProtectionSet'
      | 'TrailingStarted'
      | 'FundOpened'
      | 'FundCapacitySet'
      | 'FundSubscriptionQueued'
      | 'FundRedemptionQueued'
      | 'FundSubscribed'
      | 'FundValued'
      | 'FundValuationMissed'
      | 'FundFeeTaken'
      | 'FundClosing'
      | 'QuotaUsed';
  }
>;

/** By the rules since which it is covered. */
const COVERED: Readonly<Record<Covered['type'], RulesVersion>> = {
  LeverageSet: 6,
  MarginModeSet: 6,
  PositionModeSet: 6,
  AutoMarginSet: 6,
  FeeTierSet: 6,
  CollateralSet: 6,
  LiquidatorSet: 6,
  PricesSet: 6,
  CancelScheduled: 6,
  TwapAccepted: 6,
  TwapClosed: 6,
  FundingSettled: 7,
  PracticeAssetSet: 7,
  PracticeGranted: 7,
  CollateralPriced: 7,
  TriggerStalled: 8,
  ProtectionSet: 8,
  TrailingStarted: 8,
  FundOpened: 9,
  FundCapacitySet: 9,
  FundSubscriptionQueued: 9,
  FundRedemptionQueued: 9,
  FundSubscribed: 9,
  FundValued: 9,
  FundValuationMissed: 9,
  FundFeeTaken: 9,
  FundClosing: 9,
  QuotaUsed: 10,
  OtcTermsSet: 9,
  AssistPricesSet: 9,
  AdvertisementPublished: 9,
  AdvertisementChanged: 9,
  OtcOrderCreated: 9,
  OtcOrderStepped: 9,
  OtcDisputeDecided: 9,
  OtcDecisionAppealed: 9,
  OtcDeadlinesMoved: 9,
  MerchantDeposited: 9,
  MerchantDepositReturned: 9,
  MerchantDepositPaid: 9,
};

const isCovered = (event: Event, rules: RulesVersion): event is Covered => (COVERED[event.type as Covered['type']] ?? rules + 1) <= rules;

export function mixEvents(events: readonly Event[], hash: RunningHash, rules: RulesVersion): void {
  for (const event of events) if (isCovered(event, rules)) for (const value of numbersOf(event)) hash.mix(value);
}

function numbersOf(event: Covered): readonly number[] {
  switch (event.type) {
    case 'LeverageSet':
      return [event.account, event.market, POSITION_SIDES.indexOf(event.positionSide), event.leverage];
    case 'MarginModeSet':
      return [event.account, event.market, MARGIN_MODES.indexOf(event.mode)];
    case 'PositionModeSet':
      return [event.account, MARGIN_GROUPS.indexOf(event.payoff), POSITION_MODES.indexOf(event.mode)];
    case 'AutoMarginSet':
      return [event.account, event.market, POSITION_SIDES.indexOf(event.positionSide), Number(event.value)];
    case 'FeeTierSet':
      return [event.account, event.tier, event.rebateTier];
    case 'CollateralSet':
      return [event.asset, event.ratioPpm, event.market, low(event.cap)];
    case 'LiquidatorSet':
      return [event.account];
    case 'PricesSet':
      return [
        event.market,
        ...halvesOf(event.index),
        ...halvesOf(event.mark),
        event.state === 'READY' ? 1 : 0,
        event.freshRounds,
        event.fundingPpb,
      ];
    case 'CancelScheduled':
      return [event.account, ...halvesOf(event.at)];
    case 'TwapAccepted':
      return [event.twapId, event.account, event.market, ...halvesOf(event.size), event.minutes, event.seed];
    case 'TwapClosed':
      return [event.twapId, ...halvesOf(event.filled)];
    case 'FundingSettled':
      return [event.market, ...halvesOf(event.interval), event.ratePpb, ...halvesOf(event.price)];
    case 'PracticeAssetSet':
      return [event.asset];
    case 'PracticeGranted':
      return [event.account, ...halvesOf(event.day)];
    case 'CollateralPriced':
      return [event.asset, ...halvesOf(event.price), ...halvesOf(event.at)];
    case 'TriggerStalled':
      return [event.orderId, STALL_REASONS.indexOf(event.reason), ...halvesOf(event.triggerPrice), ...halvesOf(event.remaining)];
    case 'ProtectionSet':
      return [event.account, event.market, ...halvesOf(event.size), event.takeProfit, event.stopLoss];
    case 'TrailingStarted':
      return [event.orderId, ...halvesOf(event.lastPrice)];
    case 'FundOpened':
      return [event.fund, event.account, event.leader, event.asset, low(event.capacity)];
    case 'FundCapacitySet':
      return [event.fund, low(event.capacity)];
    case 'FundSubscriptionQueued':
      return [event.fund, event.account, low(event.amount), ...halvesOf(event.interval)];
    case 'FundRedemptionQueued':
      return [event.fund, event.account, low(event.shares), ...halvesOf(event.interval)];
    case 'FundSubscribed':
      return [event.fund, event.account, low(event.highWaterMark), ...halvesOf(event.lockedUntil)];
    case 'FundValued':
      return [event.fund, ...halvesOf(event.interval), low(event.worth), low(event.nav)];
    case 'FundValuationMissed':
      return [event.fund, ...halvesOf(event.interval), event.market];
    case 'FundFeeTaken':
      return [event.fund, event.account, low(event.nav)];
    case 'FundClosing':
      return [event.fund, FUND_ENDS.indexOf(event.reason)];
    case 'QuotaUsed':
      return [event.account, ...halvesOf(event.since), low(event.worth)];
    default:
      return otcNumbersOf(event);
  }
}

const low = (amount: Atoms): number => Number(BigInt.asIntN(32, amount));
