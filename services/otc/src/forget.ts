/** What is kept for a while only, and what goes with its person. */
import { OTC_CHAT_KEPT_DAYS } from '@orrery/api';
import { type AccountId, accountId } from '@orrery/units';
import type { ReceiptFilesPort } from './ports.ts';
import type { OtcDb } from './tables.ts';

const DAY_MS = 86_400_000;
/** Orders of one sweep. */
const ORDERS_MAX = 200;

interface ForgetParts {
  readonly db: OtcDb;
  readonly files: ReceiptFilesPort;
  readonly now: () => number;
}

/** Chat, receipts and what was said in disputes of orders that ended long ago; the orders themselves stay. */
export async function forgetOld({ db, files, now }: ForgetParts): Promise<void> {
  await db
    .deleteFrom('otc_order_wish')
    .where('created_at', '<=', now() - DAY_MS)
    .execute();
  const old = await db
    .selectFrom('otc_order')
    .select('order_id')
    .where('ended_at', '<=', now() - OTC_CHAT_KEPT_DAYS * DAY_MS)
    .where((of) =>
      of.or([
        of.exists(of.selectFrom('otc_message').select('nth').whereRef('otc_message.order_id', '=', 'otc_order.order_id')),
        of.exists(of.selectFrom('otc_receipt').select('receipt_id').whereRef('otc_receipt.order_id', '=', 'otc_order.order_id')),
      ]),
    )
    .orderBy('ended_at')
    .limit(ORDERS_MAX)
    .execute();
  for (const { order_id: orderId } of old) {
    const receipts = await db.selectFrom('otc_receipt').selectAll().where('order_id', '=', orderId).execute();
    for (const { account, file_id: fileId } of receipts) await files.remove(accountId(account), fileId);
    await db.transaction().execute(async (tx) => {
      for (const table of ['otc_receipt', 'otc_statement', 'otc_order_method', 'otc_message'] as const)
        await tx.deleteFrom(table).where('order_id', '=', orderId).execute();
    });
  }
}

const NOTHING = JSON.stringify({ name: '', number: '', bank: null });

/** Where somebody is paid, what was written and what was uploaded; asked for again it changes nothing. Orders stay: they are the other side's as well. */
export async function erasePerson(account: AccountId, { db, files }: Pick<ForgetParts, 'db' | 'files'>): Promise<void> {
  const receipts = await db.selectFrom('otc_receipt').selectAll().where('account', '=', account).execute();
  for (const { file_id: fileId } of receipts) await files.remove(account, fileId);
  await db.transaction().execute(async (tx) => {
    for (const table of [
      'otc_payment_method',
      'otc_advertisement_text',
      'otc_order_wish',
      'otc_receipt',
      'otc_statement',
      'otc_notice',
    ] as const)
      await tx.deleteFrom(table).where('account', '=', account).execute();
    await tx.updateTable('otc_order_method').set({ sealed: null, masked: NOTHING }).where('account', '=', account).execute();
    await tx.updateTable('otc_message').set({ sealed: null }).where('account', '=', account).execute();
    await tx.updateTable('otc_appraisal').set({ sealed: null }).where('account', '=', account).execute();
    await tx
      .updateTable('otc_merchant')
      .set({ name: '', sealed: Buffer.alloc(0), state: 'LEFT' })
      .where('account', '=', account)
      .execute();
  });
}
