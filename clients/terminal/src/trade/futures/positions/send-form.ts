/** Sends what a dialog of contracts holds: what is refused is said in the dialog, at the field that it is about. */
import { CallError } from '@orrery/sdk';

/** What our dialogs call the fields of the wire and of the engine. */
const FIELDS: Readonly<Record<string, string>> = {
  origQty: 'size',
  totalAmount: 'size',
  reduceOnly: 'size',
  margin: 'amount',
  triggerProfitPrice: 'takeProfit',
  triggerStopPrice: 'stopLoss',
};

/** @throws CallError as it came, its field by the name in the dialog. */
export async function atOwnField<Answer>(sent: Promise<Answer>): Promise<Answer> {
  try {
    return await sent;
  } catch (error) {
    if (!(error instanceof CallError) || FIELDS[error.field] === undefined) throw error;
    const { code, msg, status, reason, retryAfterMs, field } = error;
    throw new CallError({ code, msg, status, reason, retryAfterMs, field: FIELDS[field] ?? field });
  }
}
