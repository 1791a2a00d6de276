/** Sends the ticket's order: asks for confirmation when the settings want it, says what came of it, and finds the answer that did not come. */
import { act, answerOf, ask } from '../../../platform/data/calls.ts';
import { isAccountChanged, isUnanswered } from '../../../platform/client/failure.ts';
import { orderAnswered, timed } from '../../../platform/client/order-latency.ts';
import { accountStream } from '../../../platform/data/streams/streams.ts';
import { say } from '../../../kit/i18n/text.tsx';
import { heard } from '../../../kit/settings/heard.ts';
import { useSettings } from '../../../kit/settings/settings.ts';
import { randomHex } from '../../../kit/storage/random-hex.ts';
import { accountInView } from '../../../kit/storage/account-in-view.ts';
import type { Account } from '../../../kit/storage/account-in-view.ts';
import { lazyDialog, openDialog } from '../../../kit/ui/dialogs.tsx';
import { showError, showSuccess } from '../../../kit/ui/toast.ts';
import { orderWords } from '../order-words.ts';
import { wasAnnounced } from '../announced-orders.ts';
import { confirmationSetting } from './confirmation-setting.ts';
import { openOrderIntents } from './open-orders.ts';
import type { OrderDraft } from './order-draft.ts';
import { orderRequest } from './order-request.ts';
import type { OrderIntent, SubmissionEvent } from './submission.ts';
import { changeTickets, ticketNow } from './ticket-store.ts';
import { submit } from './tickets.ts';
import type { TicketOwner } from './tickets.ts';

const ConfirmOrder = lazyDialog(async () => (await import('./confirm-order.tsx')).ConfirmOrder);

const step = (owner: TicketOwner, event: SubmissionEvent): void => changeTickets((tickets) => submit(tickets, owner, event));

/** Bytes of chance in the id of an order. */
const ID_BYTES = 16;

export async function submitOrder(owner: TicketOwner, order: OrderDraft, notBestPriceRate: string | undefined): Promise<void> {
  const intent: OrderIntent = { order, clientOrderId: randomHex(ID_BYTES) };
  const isAsked = useSettings.getState()[confirmationSetting(order.kind)];
  if (ticketNow(owner).submission.phase !== 'idle') return;
  step(owner, { type: 'submit', ...intent, confirmation: isAsked ? 'asked' : 'skipped' });
  if (isAsked) {
    const answer = await openDialog(ConfirmOrder, { order, notBestPriceRate });
    step(owner, { type: answer === 'confirmed' ? 'confirmed' : 'declined' });
    if (answer !== 'confirmed') return;
  }
  await send(owner, intent);
}

/** The order that was not answered, once more under its id: it is placed once at most. */
export async function repeatOrder(owner: TicketOwner): Promise<void> {
  const { submission } = ticketNow(owner);
  if (submission.phase !== 'unanswered') return;
  step(owner, { type: 'repeated' });
  await send(owner, submission);
}

/** The person no longer waits: if the order stands, it is among the open orders. */
export function dropOrder(owner: TicketOwner): void {
  const { submission } = ticketNow(owner);
  if (submission.phase !== 'unanswered') return;
  openOrderIntents.drop(submission.clientOrderId);
  step(owner, { type: 'dropped' });
}

async function send(owner: TicketOwner, { order, clientOrderId }: OrderIntent): Promise<void> {
  const { account } = owner;
  if (account === undefined || account !== accountInView()) return refuseAway(owner, clientOrderId);
  openOrderIntents.keep({ account, id: clientOrderId, body: order });
  try {
    const sentAt = Date.now();
    const orderId = await timed(() => act('createOrder', { body: orderRequest(order, clientOrderId) }, { as: account }));
    orderAnswered({ orderId, sentAt, answeredAt: Date.now() });
  } catch (cause) {
    // The call has said in a toast what was wrong; only silence leaves a question, and an account that went away between two tries.
    const isRefused = !isUnanswered(cause) && !isAccountChanged(cause);
    if (isRefused) {
      openOrderIntents.drop(clientOrderId);
      heard('rejected');
    }
    return step(owner, { type: isRefused ? 'refused' : 'lost', clientOrderId });
  }
  placed(owner, { order, clientOrderId });
}

/** Another account is in view: nothing is sent. An order that was sent before waits for its owner. */
function refuseAway(owner: TicketOwner, clientOrderId: string): void {
  const { account } = owner;
  const wasSent = account !== undefined && openOrderIntents.of(account).some(({ id }) => id === clientOrderId);
  showError(say('ui.accountChanged'));
  step(owner, { type: wasSent ? 'lost' : 'refused', clientOrderId });
}

function placed(owner: TicketOwner, { order, clientOrderId }: OrderIntent): void {
  openOrderIntents.drop(clientOrderId);
  const before = ticketNow(owner).submission;
  step(owner, { type: 'accepted', clientOrderId });
  if (ticketNow(owner).submission === before || owner.account !== accountInView()) return;
  heard('accepted');
  if (wasAnnounced(clientOrderId)) return;
  showSuccess('trade.done.placed', { detail: orderWords(orderRequest(order, clientOrderId)) });
}

/** What was on its way when the page was left, in the ticket of its market. */
export function restoreOrders(account: Account): void {
  for (const { id, body } of openOrderIntents.of(account)) {
    step({ account, symbol: body.symbol }, { type: 'restored', order: body, clientOrderId: id });
  }
}

/** Asks the exchange for the orders of an account that have no answer yet. What cannot be reached is asked again by the caller. */
export async function findOrders(account: Account): Promise<void> {
  for (const { id, body } of openOrderIntents.of(account)) {
    const owner = { account, symbol: body.symbol };
    const { submission } = ticketNow(owner);
    if (submission.phase !== 'unanswered' || submission.clientOrderId !== id) continue;
    if (await isKnown(body, id)) placed(owner, submission);
  }
}

/** Newest orders that are over, among which one is looked for. */
const LOOKED_THROUGH = 100;

/** Among the open orders first, as the stream has them; then among those that are over. Rejects when the exchange cannot be reached. */
async function isKnown({ symbol }: OrderDraft, clientOrderId: string): Promise<boolean> {
  if (accountStream.orders().some((order) => order.clientOrderId === clientOrderId)) return true;
  const open = await answerOf('order', { query: { clientOrderId } });
  if (open.status === 200) return true;
  const { items } = await ask('orderHistory', { query: { symbol, page: 1, size: LOOKED_THROUGH } });
  return items.some((order) => order.clientOrderId === clientOrderId);
}
