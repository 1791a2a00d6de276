/** Receipts and pictures of an order: files by the rules of those that people hand in, seen by the other side once they are shown. */
import { ApiError, type DataOf, type FileType, type OtcReceipt, type otcReceiptRoutes, type SentFile } from '@orrery/api';
import { type AccountId, accountId } from '@orrery/units';
import { type Selectable, sql } from 'kysely';
import { newId } from './ids.ts';
import type { OrderRow, Orders } from './orders.ts';
import type { ReceiptFilesPort } from './ports.ts';
import type { OtcDb, OtcTables } from './tables.ts';

/** Of each side of an order, so that neither takes the room in which the other one shows what it has. */
const PER_SIDE = 10;

type Row = Selectable<OtcTables['otc_receipt']>;

interface ReceiptsParts {
  readonly db: OtcDb;
  readonly files: ReceiptFilesPort;
  readonly orders: Orders;
  readonly now: () => number;
}

export class Receipts {
  readonly #parts: ReceiptsParts;

  constructor(parts: ReceiptsParts) {
    this.#parts = parts;
  }

  /** @throws ApiError NotNow once the order has ended, TooMany, FileRefused. */
  async upload(account: AccountId, order: OrderRow, sent: SentFile): Promise<OtcReceipt> {
    const { db, files, now } = this.#parts;
    if (order.ended_at !== null) throw new ApiError('OtcOrderNotInState', { field: 'orderId', message: `the order is ${order.status}` });
    await checkRoom(db, order.order_id, account);
    const { fileId, type, bytes } = await files.take(account, sent);
    const row = { receipt_id: newId(), order_id: order.order_id, account, file_id: fileId, type, bytes, shown: false, created_at: now() };
    try {
      await checkRoom(db, order.order_id, account);
      await db.insertInto('otc_receipt').values(row).execute();
    } catch (error) {
      await files.remove(account, fileId);
      throw error;
    }
    return shown(account, row);
  }

  /** With a link. @throws ApiError UnknownThing unless it is the reader's, or shown in an order of the reader's. */
  async detail(account: AccountId, receiptId: string): Promise<DataOf<(typeof otcReceiptRoutes)['otcReceipt']>> {
    const row = await this.#find(receiptId);
    if (row === undefined || (row.account !== account && !row.shown)) throw unknown();
    await this.#parts.orders.row(account, String(row.order_id)).catch(() => {
      throw unknown();
    });
    return { ...shown(account, row), ...(await this.#parts.files.link(accountId(row.account), row.file_id)) };
  }

  /** @throws ApiError UnknownThing unless the account has uploaded it for this order. */
  async own(account: AccountId, orderId: number, receiptId: string): Promise<Row> {
    const row = await this.#find(receiptId);
    if (row === undefined || row.account !== account || row.order_id !== orderId) throw unknown();
    return row;
  }

  /** From here on the other side and arbiters see them. */
  async show(receiptIds: readonly string[]): Promise<void> {
    if (receiptIds.length === 0) return;
    await this.#parts.db
      .updateTable('otc_receipt')
      .set({ shown: true })
      .where('receipt_id', 'in', [...receiptIds])
      .execute();
  }

  /** Those of one side that are shown, with links for an operator. */
  async ofDispute(
    orderId: number,
    account: number,
    reviewer: string,
  ): Promise<{ receiptId: string; type: FileType; url: string; createdTime: number }[]> {
    const rows = await this.#parts.db
      .selectFrom('otc_receipt')
      .selectAll()
      .where('order_id', '=', orderId)
      .where('account', '=', account)
      .where('shown', '=', true)
      .orderBy('created_at')
      .execute();
    const links = await Promise.all(
      rows.map(async (row) => {
        const link = await this.#parts.files.link(accountId(row.account), row.file_id, reviewer).catch(() => undefined);
        return { receiptId: row.receipt_id, type: row.type as FileType, url: link?.url ?? '', createdTime: row.created_at };
      }),
    );
    return links.filter(({ url }) => url !== '');
  }

  #find(receiptId: string): Promise<Row | undefined> {
    return this.#parts.db.selectFrom('otc_receipt').selectAll().where('receipt_id', '=', receiptId).executeTakeFirst();
  }
}

async function checkRoom(db: OtcDb, orderId: number, account: AccountId): Promise<void> {
  const { count } = await db
    .selectFrom('otc_receipt')
    .select(sql<number>`count(*)`.as('count'))
    .where('order_id', '=', orderId)
    .where('account', '=', account)
    .executeTakeFirstOrThrow();
  if (count >= PER_SIDE)
    throw new ApiError('TooMany', { field: 'receipts', message: `a side of an order has at most ${PER_SIDE} receipts` });
}

const shown = (account: AccountId, row: Row): OtcReceipt => ({
  receiptId: row.receipt_id,
  orderId: String(row.order_id),
  type: row.type as FileType,
  bytes: row.bytes,
  own: row.account === account,
  createdTime: row.created_at,
});

const unknown = (): ApiError => new ApiError('UnknownThing', { field: 'receiptId' });
