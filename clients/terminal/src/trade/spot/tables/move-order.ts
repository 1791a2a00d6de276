/** An order whose line was dragged on the chart gets its new price, after a question when limit orders are confirmed. */
import type { Order } from '@orrery/api';
import { http } from '../../../client/client.ts';
import { shownName } from '../../../feed/market.ts';
import { formatDecimal } from '../../../format/number-format.ts';
import { say } from '../../../i18n/text.tsx';
import { useSettings } from '../../../settings/settings.ts';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { openDialog } from '../../../ui/dialogs.tsx';
import { showSuccess } from '../../../ui/toast.ts';
import { canonical } from '../ticket/ticket-form.ts';
import { remainingOf } from './amend-cells.tsx';

/** @param price decimal text. What is to remain in the book stays as it is. */
export async function moveOrder(order: Order, price: string): Promise<void> {
  if (!(await isWanted(order, price))) return;
  const body = { orderId: order.orderId, price: canonical(price), totalAmount: canonical(remainingOf(order)) };
  // What was wrong is said in a toast, and the line is where it was.
  await http.call('updateOrder', { body }).then(
    () => showSuccess(say('trade.done.amended')),
    () => undefined,
  );
}

async function isWanted(order: Order, price: string): Promise<boolean> {
  const { confirmLimitOrders, numberFormat: format } = useSettings.getState();
  if (!confirmLimitOrders) return true;
  const [base = '', quote = ''] = order.symbol.split('_').map(shownName);
  const number = (value: string): string => formatDecimal(value, { format });
  // Both with the market's decimals, which the place of a line has.
  const decimals = price.split('.')[1]?.length ?? 0;
  const atPrice = (value: string): string => formatDecimal(value, { format, decimals });
  const values = {
    side: say(order.orderSide === 'BUY' ? 'trade.buy' : 'trade.sell'),
    size: number(remainingOf(order)),
    coin: base,
    from: atPrice(order.price ?? ''),
    to: atPrice(price),
    quote,
  };
  const question = {
    title: say('trade.move.title'),
    lead: say('trade.move.lead', values),
    action: say('trade.tables.amend'),
    kind: 'primary',
  } as const;
  return (await openDialog(ConfirmDialog, question)) === true;
}
