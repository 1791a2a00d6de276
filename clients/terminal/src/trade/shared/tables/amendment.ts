/** A change of an open order, as it is typed and as it is sent. Pure: what was not edited is not sent, so that the exchange keeps what it has. */
import type { Order, UpdateOrder } from '@orrery/api';
import { subtractDecimals } from '../../../kit/format/decimal.ts';
import { canonical } from '../ticket/ticket-text.ts';

export const AMEND_FIELDS = ['price', 'trigger', 'size'] as const;
export type AmendField = (typeof AMEND_FIELDS)[number];

/** What of an order is edited: of spot or of a contract. */
export type Amendable = Pick<Order, 'orderId' | 'price' | 'stopPrice' | 'origQty'>;

export interface Amendment {
  readonly orderId: string;
  /** Of the order that replaces a stop: made once, so that a repeated change is made once. */
  readonly clientOrderId: string;
  /** As typed. `size` is the whole order, what was filled included. */
  readonly typed: Readonly<Record<AmendField, string>>;
  readonly begun: Readonly<Record<AmendField, string>>;
}

/** Orders that rest can be changed. A stop that waits is replaced. What has a partner or a parent keeps them: it is cancelled and placed again. */
export const isAmendable = (order: Order): boolean => isByItself(order) && (isResting(order) || isWaiting(order));

const isByItself = ({ groupId, parentId }: Order): boolean => groupId === null && parentId === null;

export const isResting = (order: Order): boolean =>
  (order.state === 1 || order.state === 2) && order.orderType === 'LIMIT' && order.origQty !== null;

/** A stop, or a take-profit, before its trigger price is reached; a trailing stop has none of its own. */
export const isWaiting = (order: Order): boolean => order.state === 5 && order.origQty !== null && order.callbackRate === null;

/** Which fields of an order can be changed. */
export function amendFields(order: Order): readonly AmendField[] {
  if (isResting(order)) return ['price', 'size'];
  if (!isWaiting(order)) return [];
  return order.orderType === 'STOP_LIMIT' || order.orderType === 'TAKE_PROFIT_LIMIT' ? ['price', 'trigger', 'size'] : ['trigger', 'size'];
}

export const remainingOf = (order: Pick<Order, 'origQty' | 'executedQty'>): string =>
  subtractDecimals(order.origQty ?? '0', order.executedQty);

export function amendmentOf(order: Amendable, clientOrderId: string): Amendment {
  const begun = { price: order.price ?? '', trigger: order.stopPrice ?? '', size: order.origQty ?? '' };
  return { orderId: order.orderId, clientOrderId, typed: begun, begun };
}

/** What was edited, by its value. */
export function editsOf({ typed, begun }: Amendment): Partial<Record<AmendField, string>> {
  const edits: Partial<Record<AmendField, string>> = {};
  for (const field of AMEND_FIELDS) if (canonical(typed[field]) !== canonical(begun[field])) edits[field] = canonical(typed[field]);
  return edits;
}

/**
 * The call that makes the change, or undefined where nothing was edited. Its size is that of the whole order: the exchange takes off what is filled when the
 * change applies, and made twice it changes nothing more.
 */
export function amendRequest(amendment: Amendment): UpdateOrder | undefined {
  const { price, size } = editsOf(amendment);
  if (price === undefined && size === undefined) return undefined;
  return { orderId: amendment.orderId, ...(price !== undefined && { price }), ...(size !== undefined && { totalAmount: size }) };
}
