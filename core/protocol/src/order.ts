/** The words of an order. */
import type { ContractOrderTerms } from './contract.ts';
import type { SpotOrderTerms } from './spot-terms.ts';
import type { AccountId, Atoms, Lots, MarketId, Millis, OrderId, Ppm, Ticks } from '@orrery/units';

/** FIX 54. */
export type Side = 'buy' | 'sell';
export const SIDES = ['buy', 'sell'] as const satisfies readonly Side[];

/** FIX 40. Stops wait for their trigger price and then become a market or a limit order. */
export type OrderType = 'limit' | 'market' | 'stopLimit' | 'stopMarket';
export const ORDER_TYPES = ['limit', 'market', 'stopLimit', 'stopMarket'] as const satisfies readonly OrderType[];

/** FIX 59. GTX is post-only: refused whole if it would match. */
export type TimeInForce = 'GTC' | 'IOC' | 'FOK' | 'GTX';
export const TIMES_IN_FORCE = ['GTC', 'IOC', 'FOK', 'GTX'] as const satisfies readonly TimeInForce[];

/** What happens when an account would trade with itself. */
export type SelfTradePrevention = 'expireTaker' | 'expireMaker' | 'expireBoth' | 'decrement';
export const SELF_TRADE_PREVENTIONS = [
  'expireTaker',
  'expireMaker',
  'expireBoth',
  'decrement',
] as const satisfies readonly SelfTradePrevention[];

/** Why an order left the exchange. */
export type CloseReason =
  | 'filled'
  | 'canceledByAccount'
  | 'replaced'
  | 'remainderNotFilled'
  | 'selfTrade'
  | 'slippageBound'
  | 'expired'
  | 'marketClosed'
  /** A stop whose order was refused when it triggered. */
  | 'refusedAtTrigger'
  | 'accountBlocked'
  /** Its account has too little margin for it since a position changed. */
  | 'marginMissing'
  /** Its position has become too small for a reduce-only order. */
  | 'reduceOnly'
  /** A liquidation of its account began. */
  | 'liquidation'
  | 'scheduledCancel'
  /** The position it closes is closed. */
  | 'positionClosed'
  /** Another order of its group has acted. */
  | 'groupTriggered'
  /** The order it protects has ended without a fill. */
  | 'parentClosed'
  | 'closeAll'
  /** It would have opened a position while the prices of its contract cannot be relied on. */
  | 'pricesDegraded'
  /** It was amended to a size that it had filled already. */
  | 'amendedToFilled'
  /** The other order of its pair has ended. */
  | 'groupClosed'
  /** What an order has bought is less than the least order of its market: there is nothing to protect it with. */
  | 'belowMinimum';
export const CLOSE_REASONS = [
  'filled',
  'canceledByAccount',
  'replaced',
  'remainderNotFilled',
  'selfTrade',
  'slippageBound',
  'expired',
  'marketClosed',
  'refusedAtTrigger',
  'accountBlocked',
  'marginMissing',
  'reduceOnly',
  'liquidation',
  'scheduledCancel',
  'positionClosed',
  'groupTriggered',
  'parentClosed',
  'closeAll',
  'pricesDegraded',
  'amendedToFilled',
  'groupClosed',
  'belowMinimum',
] as const satisfies readonly CloseReason[];

/**
 * How the size of an order is meant where it is no number of its own. `most`: the largest up to it that the account can pay for, and its position may have, when the
 * order applies. `reverse`: what the position is then, twice.
 */
export type OrderSizing = 'most' | 'reverse';
export const ORDER_SIZINGS = ['most', 'reverse'] as const satisfies readonly OrderSizing[];

/** What an order requests. */
export interface OrderTerms {
  readonly account: AccountId;
  readonly market: MarketId;
  /** `^[0-9a-zA-Z_-]{1,36}$`, or empty when the client gave none. */
  readonly clientOrderId: string;
  readonly side: Side;
  readonly orderType: OrderType;
  readonly timeInForce: TimeInForce;
  /** The limit; on a market order the worst price, 0 for none. */
  readonly price: Ticks;
  /** 0 when `funds` is given. */
  readonly size: Lots;
  /** Quote atoms to spend at most, fees apart (they are paid in the received asset): market buys only; else 0. */
  readonly funds: Atoms;
  /** Stops only; else 0. A buy stop triggers at or above it, a sell stop at or below it, by last price; a contract order may say another. */
  readonly triggerPrice: Ticks;
  /** Market orders: the furthest from the best price; 0 takes the default of 1 %. */
  readonly slippagePpm: Ppm;
  readonly selfTradePrevention: SelfTradePrevention;
}

/** An order as it was accepted. Every order has every property, so that orders of both kinds are objects of one shape. */
export interface Order extends OrderTerms {
  readonly orderId: OrderId;
  readonly createdAt: Millis;
  /** Undefined for an order of a spot market. */
  readonly contract: ContractOrderTerms | undefined;
  /** Undefined for an order of a contract, and for one of a spot market that has no more than `OrderTerms`. */
  readonly spot: SpotOrderTerms | undefined;
}
