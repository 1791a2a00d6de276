/** One order at a time is changed in its row. While the answer is open nothing of the change can be edited; a repeated one is made once. */
import type { Order } from '@orrery/api';
import { useState } from 'react';
import { accountStream } from '../../../data/streams/streams.ts';
import { act } from '../../../data/calls.ts';
import { isUnanswered } from '../../../client/failure.ts';
import { say } from '../../../i18n/text.tsx';
import { randomHex } from '../../../storage/random-hex.ts';
import { showInfo, showSuccess } from '../../../ui/toast.ts';
import { orderWords } from '../order-words.ts';
import { AMEND_FIELDS, amendmentOf, amendRequest, editsOf, isWaiting, remainingOf } from './amendment.ts';
import type { Amendment, AmendField } from './amendment.ts';
import { replaceStop, stopRequest } from './replace-stop.ts';

const ID_BYTES = 16;

type Phase = 'editing' | 'sending' | 'unanswered';

export interface Amending {
  readonly amendment: Amendment | undefined;
  readonly phase: Phase;
  readonly begin: (order: Order) => void;
  readonly change: (field: AmendField, typed: string) => void;
  readonly save: () => void;
  readonly stop: () => void;
}

const isNamed = (order: Order, { clientOrderId }: Amendment): boolean => order.clientOrderId === clientOrderId;

/** Sends what was edited. An answer that was lost is found by the name of the new order. */
async function send(amendment: Amendment): Promise<void> {
  const orders = accountStream.orders();
  const made = orders.find((order) => isNamed(order, amendment));
  if (made !== undefined) return showSuccess('trade.done.amended', { detail: changedWords(made, {}) });
  const order = orders.find(({ orderId }) => orderId === amendment.orderId);
  if (order === undefined) return showInfo(say('trade.tables.amendGone'));
  const edits = editsOf(amendment);
  if (Object.keys(edits).length === 0) return;
  if (isWaiting(order)) {
    await replaceStop(order, edits, amendment.clientOrderId);
    return showSuccess('trade.done.amended', { detail: orderWords(stopRequest(order, edits, amendment.clientOrderId)) });
  }
  const answer = amendRequest(amendment, order);
  if (answer.kind === 'filled') return showInfo(say('trade.tables.amendFilled'));
  if (answer.kind === 'unchanged') return;
  await act('updateOrder', { body: answer.body });
  showSuccess('trade.done.amended', { detail: changedWords(order, answer.body) });
}

/** The order as it is now: what remains of it, at its price. */
export function changedWords(order: Order, { price, totalAmount }: { readonly price?: string; readonly totalAmount?: string }): string {
  const { symbol, orderSide: direction, orderType: tradeType, stopPrice } = order;
  const shown = price ?? order.price;
  return orderWords({
    symbol,
    direction,
    tradeType,
    totalAmount: totalAmount ?? remainingOf(order),
    ...(shown !== null && { price: shown }),
    ...(stopPrice !== null && { stopPrice }),
  });
}

/** A field that the order has was emptied: then it says nothing. */
const isBlank = ({ typed, begun }: Amendment): boolean => AMEND_FIELDS.some((field) => begun[field] !== '' && typed[field] === '');

export function useAmending(): Amending {
  const [amendment, setAmendment] = useState<Amendment>();
  const [phase, setPhase] = useState<Phase>('editing');
  const stop = (): void => {
    setAmendment(undefined);
    setPhase('editing');
  };
  const save = async (): Promise<void> => {
    if (amendment === undefined || phase === 'sending' || isBlank(amendment)) return;
    setPhase('sending');
    try {
      await send(amendment);
      stop();
    } catch (cause) {
      setPhase(isUnanswered(cause) ? 'unanswered' : 'editing');
    }
  };
  return {
    amendment,
    phase,
    begin(order) {
      setAmendment(amendmentOf(order, randomHex(ID_BYTES)));
      setPhase('editing');
    },
    change: (field, typed) => setAmendment((now) => now && { ...now, typed: { ...now.typed, [field]: typed } }),
    save: () => void save(),
    stop,
  };
}
