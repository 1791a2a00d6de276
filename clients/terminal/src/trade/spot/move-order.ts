/** An order whose line was dragged on the chart gets its new price, after a question when limit orders are confirmed. */
import type { Order } from '@orrery/api';
import { act } from '../../platform/data/calls.ts';
import { shownName } from '../../market/market.ts';
import { formatDecimal } from '../../kit/format/number-format.ts';
import { say } from '../../kit/i18n/text.tsx';
import { useSettings } from '../../kit/settings/settings.ts';
import { randomHex } from '../../kit/storage/random-hex.ts';
import { ConfirmDialog } from '../../kit/ui/confirm-dialog.tsx';
import { openDialog } from '../../kit/ui/dialogs.tsx';
import { showSuccess } from '../../kit/ui/toast.ts';
import { linePrice } from './order-lines.ts';
import { orderWords } from './order-words.ts';
import { isWaiting, remainingOf } from '../shared/tables/amendment.ts';
import { replaceStop, stopRequest } from './tables/replace-stop.ts';
import { changedWords } from './tables/send-amendment.ts';
import { canonical } from '../shared/ticket/ticket-text.ts';
import { actor } from '../../kit/storage/account-in-view.ts';
import type { By } from '../../kit/storage/account-in-view.ts';

const ID_BYTES = 16;

/** @param target decimal text, on the grid of the market. What is to remain in the book stays as it is: the exchange knows it best. */
export async function moveOrder(order: Order, target: string): Promise<void> {
  const by = actor();
  if (!(await isWanted(order, target))) return;
  const price = canonical(target);
  // What was wrong is said in a toast, and the line is where it was.
  const moved = isWaiting(order)
    ? moveStop(order, price, by)
    : act('updateOrder', { body: { orderId: order.orderId, price } }, by).then(() => changedWords(order, { price }));
  await moved.then(
    (words) => showSuccess('trade.done.amended', { detail: words }),
    () => undefined,
  );
}

/** @returns the new one in words */
async function moveStop(order: Order, price: string, by: By): Promise<string> {
  const clientOrderId = randomHex(ID_BYTES);
  await replaceStop(order, { edits: { trigger: price }, clientOrderId, by });
  return orderWords(stopRequest(order, { trigger: price }, clientOrderId));
}

async function isWanted(order: Order, target: string): Promise<boolean> {
  const { confirmLimitOrders, numberFormat: format } = useSettings.getState();
  if (!confirmLimitOrders) return true;
  const [base = '', quote = ''] = order.symbol.split('_').map(shownName);
  // Both with the market's decimals, which the place of a line has.
  const decimals = target.split('.')[1]?.length ?? 0;
  const atPrice = (value: string): string => formatDecimal(value, { format, decimals });
  const values = {
    side: say(order.orderSide === 'BUY' ? 'trade.buy' : 'trade.sell'),
    size: formatDecimal(remainingOf(order), { format }),
    coin: base,
    from: atPrice(linePrice(order) ?? ''),
    to: atPrice(target),
    quote,
  };
  const question = {
    title: say('trade.move.title'),
    lead: say(isWaiting(order) ? 'trade.move.stopLead' : 'trade.move.lead', values),
    action: say('trade.tables.amend'),
    kind: 'primary',
  } as const;
  return (await openDialog(ConfirmDialog, question)) === true;
}
