/** Receipts and pictures of an order, by the rules of all files that are handed in. */
import { FILE_BYTES_MAX, FILE_TYPES, SentFile } from '@orrery/api';
import type { By } from '../../kit/storage/account-in-view.ts';
import { ask } from '../../platform/data/calls.ts';

export const RECEIPT_RULE = { types: FILE_TYPES, maxBytes: FILE_BYTES_MAX };

/** @returns the id by which a message or a dispute names it. */
export async function uploadReceipt(orderId: string, file: File, by: By): Promise<string> {
  const body = new SentFile(file.type, new Uint8Array(await file.arrayBuffer()));
  const { receiptId } = await ask('uploadOtcReceipt', { query: { orderId }, body }, by);
  return receiptId;
}
