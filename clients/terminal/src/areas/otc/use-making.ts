/** Makes an order, then leads to its page. */
import { useNavigate } from '@tanstack/react-router';
import { showSuccess } from '../../kit/ui/toast.ts';
import { randomHex } from '../../kit/storage/random-hex.ts';
import { useOnce } from '../../platform/session/use-once.ts';
import type { Once } from '../../platform/session/use-once.ts';
import { isOrderKnown, openOtcOrders, orderIdOf, sendOrder } from './open-otc-orders.ts';
import type { NewOtcOrder } from './open-otc-orders.ts';

const ID_BYTES = 16;

export function useMaking(onDone: () => void = () => undefined): Once<NewOtcOrder> {
  const navigate = useNavigate();
  return useOnce<NewOtcOrder>({
    intents: openOtcOrders,
    newId: () => randomHex(ID_BYTES),
    send: sendOrder,
    find: isOrderKnown,
    onDone(_order, id) {
      showSuccess('otc.made');
      onDone();
      const orderId = orderIdOf(id);
      if (orderId !== undefined) void navigate({ to: '/otc/order/$orderId', params: { orderId } });
    },
  });
}
