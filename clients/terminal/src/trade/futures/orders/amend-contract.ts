/** Sends what was edited of an order in a contract. */
import type { FuturesOrder } from '@orrery/api';
import { say } from '../../../kit/i18n/text.tsx';
import { showInfo, showSuccess } from '../../../kit/ui/toast.ts';
import { amendRequest } from '../../shared/tables/amendment.ts';
import type { Amendment } from '../../shared/tables/amendment.ts';
import { change } from '../account.ts';
import type { By } from '../../../kit/storage/account-in-view.ts';

/** An answer that was lost is found by the name of the new order. @param open the orders as they are now. */
export async function amendContract(amendment: Amendment, open: readonly FuturesOrder[], by: By): Promise<void> {
  if (open.some(({ clientOrderId }) => clientOrderId === amendment.clientOrderId)) return showSuccess('trade.done.amended');
  const order = open.find(({ orderId }) => orderId === amendment.orderId);
  if (order === undefined) return showInfo(say('trade.tables.amendGone'));
  const answer = amendRequest(amendment, order);
  if (answer.kind === 'filled') return showInfo(say('trade.tables.amendFilled'));
  if (answer.kind === 'unchanged') return;
  const { orderId, clientOrderId } = amendment;
  const { price, totalAmount } = answer.body;
  await change(
    'updateFuturesOrder',
    {
      orderId,
      clientOrderId,
      ...(price !== undefined && { price }),
      // Sizes of orders are counted as the contract counts them.
      ...(totalAmount !== undefined && { origQty: totalAmount, unit: 'SHEET' }),
    },
    by,
  );
  showSuccess('trade.done.amended');
}
