/** A stop that waits cannot be changed in place: it is cancelled, and one with the new terms is placed. */
import type { CreateOrder, Order } from '@orrery/api';
import { act, ask } from '../../../platform/data/calls.ts';
import { say } from '../../../kit/i18n/text.tsx';
import { showError } from '../../../kit/ui/toast.ts';
import { replacing } from '../replaced-stops.ts';
import type { AmendField } from '../../shared/tables/amendment.ts';
import type { By } from '../../../kit/storage/account-in-view.ts';

/** The new stop, with what is not edited as it was. */
export function stopRequest(order: Order, edits: Partial<Record<AmendField, string>>, clientOrderId: string): CreateOrder {
  const price = edits.price ?? order.price;
  const stopPrice = edits.trigger ?? order.stopPrice;
  const size = edits.size ?? order.origQty;
  return {
    symbol: order.symbol,
    direction: order.orderSide,
    tradeType: order.orderType,
    timeInForce: order.timeInForce,
    clientOrderId,
    ...(price !== null && { price }),
    ...(stopPrice !== null && { stopPrice }),
    ...(size !== null && { totalAmount: size }),
    ...protectionOf(order),
  };
}

/** What is attached stays attached. */
function protectionOf({ triggerProfitPrice, profitPrice, triggerStopPrice, lossPrice }: Order): Partial<CreateOrder> {
  return {
    ...(triggerProfitPrice !== null && { triggerProfitPrice }),
    ...(profitPrice !== null && { profitPrice }),
    ...(triggerStopPrice !== null && { triggerStopPrice }),
    ...(lossPrice !== null && { lossPrice }),
  };
}

export interface Replacement {
  readonly edits: Partial<Record<AmendField, string>>;
  readonly clientOrderId: string;
  readonly by: By;
}

/** Rejects with what the exchange said. A stop that is gone without its replacement is said in words of its own. */
export async function replaceStop(order: Order, { edits, clientOrderId, by }: Replacement): Promise<void> {
  await replacing(order.clientOrderId, () => act('cancelOrder', { body: { orderId: order.orderId } }, by));
  try {
    await ask('createOrder', { body: stopRequest(order, edits, clientOrderId) }, by);
  } catch (cause) {
    showError(say('trade.done.stopLost'), cause instanceof Error ? cause.message : undefined);
    throw cause;
  }
}
