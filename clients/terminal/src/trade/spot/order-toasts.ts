/** Toasts for what happens to the account's orders, whichever client caused it. */
import type { Order } from '@orrery/api';
import { say } from '../../kit/i18n/text.tsx';
import { notify } from '../../areas/notifications/notify.ts';
import { showInfo, showSuccess } from '../../kit/ui/toast.ts';
import { newsOf } from './order-news.ts';
import { rememberAnnounced } from '../shared/orders/announced-orders.ts';

/** Shows what became of an order, when it is over. */
export function toastOrder(order: Order): void {
  const words = newsOf(order);
  if (words === undefined) return;
  rememberAnnounced(order.clientOrderId);
  const { tone, key, values, detail } = words;
  const title = say(key, values);
  if (tone === 'success') showSuccess(key, { values, detail });
  else showInfo(title, detail);
  notify({ id: `order ${order.orderId}`, category: 'orders', title, detail: detail ?? '' });
}
