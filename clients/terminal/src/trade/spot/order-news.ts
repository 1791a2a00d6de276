/** What is said of an order that is over. */
import type { Order } from '@orrery/api';
import { isOver } from '../../platform/data/streams/use-running.ts';
import { shownName } from '../../market/market.ts';
import { formatDecimal } from '../../kit/format/number-format.ts';
import type { MessageId } from '../../kit/i18n/catalog.ts';
import { say } from '../../kit/i18n/text.tsx';
import type { TextValues } from '../../kit/i18n/text.tsx';
import { useSettings } from '../../kit/settings/settings.ts';
import { isReplaced } from './replaced-stops.ts';

export interface OrderNews {
  readonly tone: 'success' | 'info';
  readonly key: MessageId;
  readonly values: TextValues;
  readonly detail: string | undefined;
}

/** `undefined` for what needs no words: an order that still stands, or one that a change replaced. */
export function newsOf(order: Order): OrderNews | undefined {
  if (!isOver(order) || order.closeReason === 'replaced') return undefined;
  const format = useSettings.getState().numberFormat;
  const [coin = '', quote = ''] = order.symbol.split('_').map(shownName);
  const isFilled = /[1-9]/.test(order.executedQty);
  const size = formatDecimal(order.executedQty, { format });
  const done = { key: order.orderSide === 'BUY' ? 'trade.done.bought' : 'trade.done.sold', values: { size, coin } } as const;
  const filled = say(done.key, done.values);
  const detail =
    isFilled && order.avgPrice !== null ? say('trade.done.at', { price: formatDecimal(order.avgPrice, { format }), quote }) : undefined;
  if (order.state === 3 || (isFilled && order.closeReason === 'remainderNotFilled')) return { tone: 'success', ...done, detail };
  if (order.closeReason === 'canceledByAccount') {
    if (!isFilled && isReplaced(order.clientOrderId)) return undefined;
    return { tone: 'success', key: 'trade.done.cancelled', values: {}, detail: isFilled ? filled : undefined };
  }
  return {
    tone: 'info',
    key: 'trade.done.expired',
    values: { reason: say(`trade.reason.${order.closeReason ?? 'expired'}`) },
    detail: isFilled ? filled : undefined,
  };
}
