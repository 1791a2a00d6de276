/** Sends the orders of the ticket: confirmed where the settings want it, once each under an id of its own, and found again when an answer was lost. */
import { useRef } from 'react';
import { isAccountChanged } from '../../../platform/client/failure.ts';
import { orderAnswered, timed } from '../../../platform/client/order-latency.ts';
import { act, answerOf, ask } from '../../../platform/data/calls.ts';
import { accountStream } from '../../../platform/data/streams/streams.ts';
import { useOnce } from '../../../platform/session/use-once.ts';
import type { Once } from '../../../platform/session/use-once.ts';
import { heard } from '../../../kit/settings/heard.ts';
import { useSettings } from '../../../kit/settings/settings.ts';
import { accountInView } from '../../../kit/storage/account-in-view.ts';
import type { By } from '../../../kit/storage/account-in-view.ts';
import type { OpenIntent } from '../../../kit/storage/open-intents.ts';
import { randomHex } from '../../../kit/storage/random-hex.ts';
import { lazyDialog, openDialog } from '../../../kit/ui/dialogs.tsx';
import { showSuccess } from '../../../kit/ui/toast.ts';
import { wasAnnounced } from '../../shared/orders/announced-orders.ts';
import type { OrderQuestion } from './confirm-order.tsx';
import { draftWords } from './draft-words.ts';
import { confirmationSetting } from './confirmation-setting.ts';
import { openOrderIntents } from './open-orders.ts';
import type { OrderDraft } from './order-draft.ts';
import { orderRequest, pairRequest } from './order-request.ts';
import { editTicket } from './ticket-store.ts';

const ConfirmOrder = lazyDialog(async () => (await import('./confirm-order.tsx')).ConfirmOrder);

/** Bytes of chance in the id of an order. */
const ID_BYTES = 16;

export interface Orders extends Omit<Once<OrderDraft>, 'submit'> {
  /** What went wrong was said; silence leaves it open. */
  readonly submit: (asked: OrderQuestion) => Promise<void>;
}

/** @param symbol of the market in view */
export function useOrders(symbol: string): Orders {
  const once = useOnce<OrderDraft>({
    intents: openOrderIntents,
    isMine: (order) => order.symbol === symbol,
    newId: () => randomHex(ID_BYTES),
    send,
    find: isKnown,
    onNews: accountStream.onNews,
    onDone(order, clientOrderId) {
      // What was ordered is no longer to be ordered, and what protects it was written for its price; side, kind and price stay for the next one.
      editTicket({ account: accountInView(), symbol: order.symbol }, { size: '', most: '', takeProfit: '', stopLoss: '' });
      heard('accepted');
      if (!wasAnnounced(clientOrderId)) showSuccess('trade.done.placed', { detail: draftWords(order) });
    },
  });
  const isAsking = useRef(false);
  const isConfirmed = async (asked: OrderQuestion): Promise<boolean> => {
    if (!useSettings.getState()[confirmationSetting(asked.order.kind)]) return true;
    isAsking.current = true;
    const answer = await openDialog(ConfirmOrder, asked);
    isAsking.current = false;
    return answer === 'confirmed';
  };
  return {
    ...once,
    async submit(asked) {
      // One question at a time: the ticket may be sent again before its dialog has the focus.
      if (isAsking.current || once.phase !== 'idle') return;
      if (await isConfirmed(asked)) await once.submit(asked.order).catch(refused);
    },
    repeat: () => once.repeat().catch(refused),
  };
}

/** The call has said in a toast what was wrong. */
function refused(cause: unknown): void {
  if (!isAccountChanged(cause)) heard('rejected');
}

async function send({ account, id, body }: OpenIntent<OrderDraft>): Promise<void> {
  const sentAt = Date.now();
  const orderId = await timed(() => place(body, id, { as: account }));
  orderAnswered({ orderId, sentAt, answeredAt: Date.now() });
}

async function place(draft: OrderDraft, clientOrderId: string, by: By): Promise<string> {
  if (draft.kind !== 'pair') return act('createOrder', { body: orderRequest(draft, clientOrderId) }, by);
  const { above, below } = await act('createPair', { body: pairRequest(draft, clientOrderId) }, by);
  return draft.side === 'buy' ? below : above;
}

/** Newest orders that are over, among which one is looked for. */
const LOOKED_THROUGH = 100;

/** Among the open orders first, as the stream has them; then among those that are over. Rejects when the exchange cannot be reached. */
async function isKnown({ id: clientOrderId, body: { symbol } }: OpenIntent<OrderDraft>): Promise<boolean> {
  if (accountStream.orders().some((order) => order.clientOrderId === clientOrderId)) return true;
  const open = await answerOf('order', { query: { clientOrderId } });
  if (open.status === 200) return true;
  const { items } = await ask('orderHistory', { query: { symbol, page: 1, size: LOOKED_THROUGH } });
  return items.some((order) => order.clientOrderId === clientOrderId);
}
