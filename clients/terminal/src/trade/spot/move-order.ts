/** An order whose line was dragged on the chart gets its new price, after a question unless it is switched off. */
import type { Order } from '@orrery/api';
import { act } from '../../platform/data/calls.ts';
import { shownName } from '../../market/market.ts';
import { formatDecimal } from '../../kit/format/number-format.ts';
import { say } from '../../kit/i18n/text.tsx';
import { useSettings } from '../../kit/settings/settings.ts';
import { randomHex } from '../../kit/storage/random-hex.ts';
import { ConfirmDialog } from '../../kit/ui/confirm-dialog.tsx';
import { openDialog } from '../../kit/ui/dialogs.tsx';
import { showInfo } from '../../kit/ui/toast.ts';
import { accountStream } from '../../platform/data/streams/streams.ts';
import { showMoved } from '../shared/orders/moved-toast.tsx';
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
  const from = linePrice(order);
  // What was wrong is said in a toast, and the line is where it was.
  const moved = isWaiting(order) ? moveStop(order, price, by) : moveLimit(order, price, by);
  await moved.then(
    ({ words, to }) =>
      showMoved({ message: 'trade.done.amended', detail: words, undo: () => (from === null ? Promise.resolve() : to(from)) }),
    () => undefined,
  );
}

interface Moved {
  readonly words: string;
  /** Moves the order that is there now. */
  readonly to: (price: string) => Promise<unknown>;
}

async function moveLimit(order: Order, price: string, by: By): Promise<Moved> {
  const orderId = await act('updateOrder', { body: { orderId: order.orderId, price } }, by);
  return {
    words: changedWords(order, { price }),
    to: (back) => act('updateOrder', { body: { orderId, price: back } }, by),
  };
}

async function moveStop(order: Order, trigger: string, by: By): Promise<Moved> {
  const clientOrderId = randomHex(ID_BYTES);
  await replaceStop(order, { edits: { trigger }, clientOrderId, by });
  return {
    words: orderWords(stopRequest(order, { trigger }, clientOrderId)),
    async to(back) {
      const now = accountStream.orders().find((one) => one.clientOrderId === clientOrderId);
      if (now === undefined) throw gone();
      await replaceStop(now, { edits: { trigger: back }, clientOrderId: randomHex(ID_BYTES), by });
    },
  };
}

/** Said before it rejects. */
function gone(): Error {
  const words = say('trade.tables.amendGone');
  showInfo(words);
  return new Error(words);
}

async function isWanted(order: Order, target: string): Promise<boolean> {
  const { confirmMovedLines, numberFormat: format } = useSettings.getState();
  if (!confirmMovedLines) return true;
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
    title: say('confirm.move.title'),
    lead: say(isWaiting(order) ? 'confirm.move.stopLead' : 'confirm.move.lead', values),
    action: say('trade.tables.amend'),
    kind: 'primary',
  } as const;
  return (await openDialog(ConfirmDialog, question)) === true;
}
