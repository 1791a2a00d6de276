/** The words of an order. */
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
  | 'accountBlocked';
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
] as const satisfies readonly CloseReason[];

/** An order as it was accepted. */
export interface Order {
  readonly orderId: OrderId;
  readonly account: AccountId;
  readonly market: MarketId;
  /** Empty when the client gave none. */
  readonly clientOrderId: string;
  readonly side: Side;
  readonly orderType: OrderType;
  readonly timeInForce: TimeInForce;
  /** 0 on market orders without a worst price. */
  readonly price: Ticks;
  /** 0 on orders that spend `funds`. */
  readonly size: Lots;
  /** Quote atoms to spend, of a market buy given by funds; else 0. */
  readonly funds: Atoms;
  /** 0 on orders without a trigger. */
  readonly triggerPrice: Ticks;
  /** How far a market order may trade from the best price when it arrives. */
  readonly slippagePpm: Ppm;
  readonly selfTradePrevention: SelfTradePrevention;
  readonly createdAt: Millis;
}
