/** Commands of orders of spot markets that have more than `OrderTerms`: all since rules 8. */
import type { AccountId, Lots, MarketId, Ppm, Ticks } from '@orrery/units';
import type { OrderTerms, OrderType, SelfTradePrevention, Side } from './order.ts';
import type { SpotTerms } from './spot-terms.ts';

/** As `PlaceOrder`, with terms of its own. Since rules 8. */
export interface PlaceSpotOrder extends OrderTerms {
  readonly type: 'PlaceSpotOrder';
  readonly spot: SpotTerms;
  /** Left out, the order has its size, or its funds. */
  readonly sizing?: 'most';
}

/** One order of a pair. A limit order is post-only; a triggered one rests, or takes at once when it has no limit. */
export interface PairLeg {
  readonly clientOrderId: string;
  /** `limit`, or a stop type: on the winning side a take-profit, on the losing side a stop. */
  readonly orderType: OrderType;
  /** 0 of a stop market order. */
  readonly price: Ticks;
  /** 0 of a limit order. */
  readonly triggerPrice: Ticks;
  /** As of an order. */
  readonly slippagePpm: Ppm;
}

/**
 * Places two orders of one size of which one acts: a take-profit or a limit order on the winning side of the price, and a stop on the losing side. Both are taken or
 * none, and one reservation is for both. What one trades the other loses; when one is triggered or ends, so does the other. The field of a refusal begins with the
 * name of its leg: `above.price`. Since rules 8.
 */
export interface PlacePair {
  readonly type: 'PlacePair';
  readonly account: AccountId;
  readonly market: MarketId;
  readonly side: Side;
  readonly size: Lots;
  readonly selfTradePrevention: SelfTradePrevention;
  /** Of a sell the take-profit, of a buy the stop. */
  readonly above: PairLeg;
  /** Of a sell the stop, of a buy the take-profit. */
  readonly below: PairLeg;
}
