/** Price and size of a resting limit order, edited in its row: Enter saves, Escape keeps it as it is. */
import type { Order } from '@orrery/api';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { KeyboardEvent, ReactElement } from 'react';
import { subtractDecimals } from '../../../format/decimal.ts';
import { http } from '../../../client/client.ts';
import { say, useText } from '../../../i18n/text.tsx';
import { NumberCell } from '../../../ui/number-cell.tsx';
import { showSuccess } from '../../../ui/toast.ts';
import { canonical } from '../ticket/ticket-form.ts';

export interface Amendment {
  readonly orderId: string;
  readonly price: string;
  /** What is to remain in the book. */
  readonly size: string;
}

/** A change takes the order behind the queue at its price: only orders that rest can be changed. */
export const isAmendable = (order: Order): boolean =>
  (order.state === 1 || order.state === 2) && order.orderType === 'LIMIT' && order.origQty !== null;

export const remainingOf = (order: Pick<Order, 'origQty' | 'executedQty'>): string =>
  subtractDecimals(order.origQty ?? '0', order.executedQty);

export interface Amending {
  readonly amendment: Amendment | undefined;
  readonly isSaving: boolean;
  readonly begin: (order: Order) => void;
  readonly change: (part: Partial<Amendment>) => void;
  readonly save: () => void;
  readonly stop: () => void;
}

export function useAmending(): Amending {
  const [amendment, setAmendment] = useState<Amendment>();
  const update = useMutation({
    mutationFn: ({ orderId, price, size }: Amendment) =>
      http.call('updateOrder', { body: { orderId, price: canonical(price), totalAmount: canonical(size) } }),
    onSuccess: () => {
      setAmendment(undefined);
      showSuccess(say('trade.done.amended'));
    },
  });
  return {
    amendment,
    isSaving: update.isPending,
    begin: (order) => setAmendment({ orderId: order.orderId, price: order.price ?? '', size: remainingOf(order) }),
    change: (part) => setAmendment((now) => now && { ...now, ...part }),
    save: () => {
      if (amendment !== undefined && amendment.price !== '' && amendment.size !== '') update.mutate(amendment);
    },
    stop: () => setAmendment(undefined),
  };
}

export interface AmendFieldProps {
  readonly amending: Amending;
  readonly field: 'price' | 'size';
}

export function AmendField({ amending, field }: AmendFieldProps): ReactElement {
  const text = useText();
  const press = (event: KeyboardEvent): void => {
    if (event.key === 'Enter') amending.save();
    else if (event.key === 'Escape') amending.stop();
  };
  return (
    <NumberCell
      autoFocus={field === 'price'}
      label={text(`trade.${field}`)}
      value={amending.amendment?.[field] ?? ''}
      onChange={(value) => amending.change({ [field]: value })}
      onKeyDown={press}
    />
  );
}
