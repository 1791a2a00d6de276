/** What came of a command: a reject becomes a refusal in the words of the public contract. */
import { ApiError } from '@orrery/api';
import type { Receipt } from '@orrery/protocol';

/** The fields of commands by the names callers know them by. */
const FIELD_NAMES: Readonly<Record<string, string>> = {
  market: 'symbol',
  side: 'direction',
  orderType: 'tradeType',
  size: 'totalAmount',
  triggerPrice: 'stopPrice',
  slippagePpm: 'slippage',
  asset: 'coin',
};

/**
 * Gives the receipt of a command back when it took effect; throws an `ApiError` when it was refused.
 * @param names of the command's fields, where callers know them by others
 */
export function tookEffect(receipt: Receipt, names = FIELD_NAMES): Receipt {
  const [first] = receipt.events;
  if (first?.type === 'CommandRejected') {
    throw new ApiError(first.reason, { field: names[first.field] ?? first.field });
  }
  return receipt;
}
