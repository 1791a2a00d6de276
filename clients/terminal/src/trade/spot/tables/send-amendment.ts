/** Sends what was edited of an order of spot. */
import type { Order } from '@orrery/api';
import { accountStream } from '../../../platform/data/streams/streams.ts';
import { act } from '../../../platform/data/calls.ts';
import { say } from '../../../kit/i18n/text.tsx';
import { showInfo, showSuccess } from '../../../kit/ui/toast.ts';
import { orderWords } from '../order-words.ts';
import { amendRequest, editsOf, isWaiting } from '../../shared/tables/amendment.ts';
import type { Amendment } from '../../shared/tables/amendment.ts';
import { replaceStop, stopRequest } from './replace-stop.ts';
import type { By } from '../../../kit/storage/account-in-view.ts';

const isNamed = (order: Order, { clientOrderId }: Amendment): boolean => order.clientOrderId === clientOrderId;

/** A stop is replaced: an answer that was lost is found by the name of the new one. */
export async function sendAmendment(amendment: Amendment, by: By): Promise<void> {
  const orders = accountStream.orders();
  const made = orders.find((order) => isNamed(order, amendment));
  if (made !== undefined) return showSuccess('trade.done.amended', { detail: changedWords(made, {}) });
  const order = orders.find(({ orderId }) => orderId === amendment.orderId);
  if (order === undefined) return showInfo(say('trade.tables.amendGone'));
  const edits = editsOf(amendment);
  if (Object.keys(edits).length === 0) return;
  if (isWaiting(order)) {
    await replaceStop(order, { edits, clientOrderId: amendment.clientOrderId, by });
    return showSuccess('trade.done.amended', { detail: orderWords(stopRequest(order, edits, amendment.clientOrderId)) });
  }
  const body = amendRequest(amendment);
  if (body === undefined) return;
  await act('updateOrder', { body }, by);
  showSuccess('trade.done.amended', { detail: changedWords(order, body) });
}

/** The order as it is now: the whole of it, at its price. */
export function changedWords(order: Order, { price, totalAmount }: { readonly price?: string; readonly totalAmount?: string }): string {
  const { symbol, orderSide: direction, orderType: tradeType, stopPrice } = order;
  const shown = price ?? order.price;
  return orderWords({
    symbol,
    direction,
    tradeType,
    totalAmount: totalAmount ?? order.origQty ?? '0',
    ...(shown !== null && { price: shown }),
    ...(stopPrice !== null && { stopPrice }),
  });
}
