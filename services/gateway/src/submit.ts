/** Commands on their way into history; a reject comes back as a refusal in the words of the public contract. */
import { ApiError } from '@orrery/api';
import type { Command, Heart, Receipt } from '@orrery/protocol';

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

/** Resolves when the command is durable and took effect; throws an `ApiError` when it was refused. */
export async function submit(heart: Heart, command: Command): Promise<Receipt> {
  const receipt = await heart.submit(command);
  const [first] = receipt.events;
  if (first?.type === 'CommandRejected') {
    throw new ApiError(first.reason, { field: FIELD_NAMES[first.field] ?? first.field });
  }
  return receipt;
}
