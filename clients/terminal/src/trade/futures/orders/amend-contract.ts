/** Sends what was edited of an order in a contract. */
import type { FuturesOrder } from '@orrery/api';
import { say } from '../../../kit/i18n/text.tsx';
import { showInfo, showSuccess } from '../../../kit/ui/toast.ts';
import { amendRequest } from '../../shared/tables/amendment.ts';
import type { Amendment } from '../../shared/tables/amendment.ts';
import { change } from '../account.ts';
import type { By } from '../../../kit/storage/account-in-view.ts';

/** @param open the orders as they are now. */
export async function amendContract(amendment: Amendment, open: readonly FuturesOrder[], by: By): Promise<void> {
  const { orderId } = amendment;
  if (open.every((order) => order.orderId !== orderId)) return showInfo(say('trade.tables.amendGone'));
  const body = amendRequest(amendment);
  if (body === undefined) return;
  const { price, totalAmount } = body;
  await change(
    'updateFuturesOrder',
    {
      orderId,
      ...(price !== undefined && { price }),
      // Sizes of orders are counted as the contract counts them.
      ...(totalAmount !== undefined && { origQty: totalAmount, unit: 'SHEET' }),
    },
    by,
  );
  showSuccess('trade.done.amended');
}
