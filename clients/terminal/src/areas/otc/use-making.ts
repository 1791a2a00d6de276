/** Makes an order, then leads to its page. */
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { showSuccess } from '../../kit/ui/toast.ts';
import { randomHex } from '../../kit/storage/random-hex.ts';
import { useOnce } from '../../platform/session/use-once.ts';
import type { Once } from '../../platform/session/use-once.ts';
import { isOrderKnown, openOtcOrders, orderIdOf, sendOrder } from './open-otc-orders.ts';
import type { NewOtcOrder } from './open-otc-orders.ts';

const ID_BYTES = 16;

/** It counts as being sent until the page of the order is there: until then another press would make another order. */
export function useMaking(onDone: () => void = () => undefined): Once<NewOtcOrder> {
  const navigate = useNavigate();
  const [isLeaving, setLeaving] = useState(false);
  const leave = async (orderId: string): Promise<void> => {
    setLeaving(true);
    await navigate({ to: '/otc/order/$orderId', params: { orderId } });
    setLeaving(false);
  };
  const once = useOnce<NewOtcOrder>({
    intents: openOtcOrders,
    newId: () => randomHex(ID_BYTES),
    send: sendOrder,
    find: isOrderKnown,
    onDone(_order, id) {
      showSuccess('otc.made');
      onDone();
      const orderId = orderIdOf(id);
      if (orderId !== undefined) void leave(orderId);
    },
  });
  return isLeaving ? { ...once, phase: 'sending' } : once;
}
