/** Orders that a person makes of an advertisement: each under an id of its own, so that one that had no answer is made once. */
import type { CallBody, OtcCurrency } from '@orrery/api';
import { openIntents } from '../../kit/storage/open-intents.ts';
import type { OpenIntent } from '../../kit/storage/open-intents.ts';
import { ask, refresh } from '../../platform/data/calls.ts';
import type { TakerSide } from './otc-total.ts';

export interface NewOtcOrder {
  readonly side: TakerSide;
  readonly coin: string;
  readonly currency: OtcCurrency;
  /** What it costs, as it was shown. */
  readonly shownTotal: string;
  readonly terms: Pick<CallBody['createOtcOrder'], 'advertisingId' | 'amount' | 'total' | 'price' | 'paymentMethodIds'>;
}

const texts = (...values: readonly unknown[]): boolean => values.every((value) => typeof value === 'string');

export function parseNewOrder(json: unknown): NewOtcOrder | undefined {
  if (typeof json !== 'object' || json === null) return undefined;
  const order = json as NewOtcOrder;
  return texts(order.side, order.coin, order.currency, order.shownTotal, order.terms?.advertisingId) ? order : undefined;
}

export const openOtcOrders = openIntents<NewOtcOrder>({ name: 'openOtcOrders', parse: parseNewOrder });

/** Ids of orders by those that this page gave them. */
const made = new Map<string, string>();

export const orderIdOf = (clientOrderId: string): string | undefined => made.get(clientOrderId);

export async function sendOrder({ account: as, id, body }: OpenIntent<NewOtcOrder>): Promise<void> {
  const { orderId } = await ask('createOtcOrder', { body: { ...body.terms, clientOrderId: id } }, { as });
  made.set(id, orderId);
  await refresh('otcOrders', 'balances');
}

/** Newest orders, among which one is looked for. */
const LOOKED_THROUGH = 50;

export async function isOrderKnown({ id }: OpenIntent<NewOtcOrder>): Promise<boolean> {
  const { list } = await ask('otcOrders', { query: { page: 1, pageSize: LOOKED_THROUGH } });
  const order = list.find(({ clientOrderId }) => clientOrderId === id);
  if (order !== undefined) made.set(id, order.orderId);
  return order !== undefined;
}
