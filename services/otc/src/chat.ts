/** The chat of an order: texts under the keys of their authors, receipts, a line for each step, and the words of an arbiter. */
import { ApiError, type BodyOf, type DataOf, type OtcActor, type OtcMessage, type otcOrderRoutes, type QueryOf } from '@orrery/api';
import { type AccountId, accountId } from '@orrery/units';
import { type Selectable, sql } from 'kysely';
import { hasHint } from './hints.ts';
import { messageIs, newId } from './ids.ts';
import { malformed } from './money.ts';
import { counterpartOf, type OrderRow, roleOf } from './orders.ts';
import type { PersonKeysPort } from './ports.ts';
import type { Receipts } from './receipts.ts';
import { openedText, sealed } from './sealed.ts';
import type { OtcDb, OtcTables } from './tables.ts';

/** Of one person, over all orders. */
const PER_MINUTE = 30;
/** Of one side of an order, so that no chat grows without bound, and neither side takes the room of the other. */
const PER_SIDE = 500;
const MINUTE_MS = 60_000;
/** What an arbiter reads at once. */
const DESK_MESSAGES = 500;

type Wish = BodyOf<(typeof otcOrderRoutes)['sendOtcMessage']>;
type Row = Selectable<OtcTables['otc_message']>;

interface ChatParts {
  readonly db: OtcDb;
  readonly keys: PersonKeysPort;
  readonly receipts: Receipts;
  readonly now: () => number;
  /** A message for somebody. */
  readonly onMessage: (account: AccountId, orderId: number, at: number) => void;
}

export class Chat {
  readonly #parts: ChatParts;

  constructor(parts: ChatParts) {
    this.#parts = parts;
  }

  /** @throws ApiError TooManyRequests above the rate, UnknownThing of a receipt that is not the author's in this order. */
  async send(account: AccountId, order: OrderRow, { clientMessageId, text, receiptId }: Wish): Promise<OtcMessage> {
    if ((text === undefined) === (receiptId === undefined))
      throw new ApiError('MissingField', { field: 'text', message: 'a message is a text or a receipt, one of the two' });
    const before = await this.#ofClient(account, order.order_id, clientMessageId);
    if (before !== undefined) return this.#shown(account, before);
    if (text?.trim() === '') throw malformed('text');
    const { db, keys, receipts, now, onMessage } = this.#parts;
    if (receiptId !== undefined) await receipts.own(account, order.order_id, receiptId);
    const at = now();
    await this.#checkRate(account, order.order_id, at);
    const messageId = newId();
    const row = {
      message_id: messageId,
      order_id: order.order_id,
      account,
      by_role: roleOf(account, order),
      kind: text === undefined ? 'RECEIPT' : 'TEXT',
      sealed: text === undefined ? null : await sealed(keys, account, messageIs(messageId), text.trim()),
      plain: null,
      receipt_id: receiptId ?? null,
      hint: text !== undefined && hasHint(text),
      client_message_id: clientMessageId,
      at,
    };
    await db
      .insertInto('otc_message')
      .values(row)
      .onConflict((conflict) => conflict.columns(['order_id', 'account', 'client_message_id']).doNothing())
      .execute();
    if (receiptId !== undefined) await receipts.show([receiptId]);
    const written = await this.#ofClient(account, order.order_id, clientMessageId);
    if (written === undefined) throw new Error('a message that was written is not there');
    for (const side of [counterpartOf(account, order), account]) onMessage(side, order.order_id, at);
    return this.#shown(account, written);
  }

  /** As the arbiter of a dispute: both sides read it. */
  async sendAsArbiter({ order_id: orderId, buyer, seller }: OrderRow, text: string): Promise<void> {
    const { db, now, onMessage } = this.#parts;
    const at = now();
    const row = { by_role: 'ARBITER', kind: 'TEXT', sealed: null, plain: text, receipt_id: null, hint: false, client_message_id: null, at };
    await db
      .insertInto('otc_message')
      .values({ message_id: newId(), order_id: orderId, account: null, ...row })
      .execute();
    for (const side of [buyer, seller]) onMessage(accountId(side), orderId, at);
  }

  /** Newest first, a page after `id`. What is read is no longer unread. */
  async read(
    account: AccountId,
    order: OrderRow,
    { id, pageSize = 10 }: QueryOf<(typeof otcOrderRoutes)['otcMessages']>,
  ): Promise<DataOf<(typeof otcOrderRoutes)['otcMessages']>> {
    const after = id === undefined ? undefined : Number(id);
    if (after !== undefined && !Number.isSafeInteger(after)) throw malformed('id');
    const { db, now } = this.#parts;
    const all = db.selectFrom('otc_message').where('order_id', '=', order.order_id);
    const rows = await all
      .selectAll()
      .$if(after !== undefined, (of) => of.where('nth', '<', after ?? 0))
      .orderBy('nth', 'desc')
      .limit(pageSize + 1)
      .execute();
    const { total } = await all.select(sql<number>`count(*)`.as('total')).executeTakeFirstOrThrow();
    const page = rows.slice(0, pageSize);
    const last = page.at(-1);
    const seen = order.buyer === account ? { buyer_seen_at: now() } : { seller_seen_at: now() };
    if (after === undefined) await db.updateTable('otc_order').set(seen).where('order_id', '=', order.order_id).execute();
    return {
      list: await Promise.all(page.map((row) => this.#shown(account, row))),
      total,
      next: rows.length > pageSize && last !== undefined ? String(last.nth) : null,
    };
  }

  /** Oldest first, the last of them. */
  async ofDispute(orderId: number): Promise<Omit<OtcMessage, 'messageId' | 'own'>[]> {
    const rows = await this.#parts.db
      .selectFrom('otc_message')
      .selectAll()
      .where('order_id', '=', orderId)
      .orderBy('nth', 'desc')
      .limit(DESK_MESSAGES)
      .execute();
    const shown = await Promise.all(rows.toReversed().map((row) => this.#shown(undefined, row)));
    return shown.map((one) => {
      const { messageId: _, own: __, ...message } = one;
      return message;
    });
  }

  #ofClient(account: AccountId, orderId: number, clientMessageId: string): Promise<Row | undefined> {
    return this.#parts.db
      .selectFrom('otc_message')
      .selectAll()
      .where('order_id', '=', orderId)
      .where('account', '=', account)
      .where('client_message_id', '=', clientMessageId)
      .executeTakeFirst();
  }

  async #checkRate(account: AccountId, orderId: number, at: number): Promise<void> {
    const { db } = this.#parts;
    const { recent } = await db
      .selectFrom('otc_message')
      .select(sql<number>`count(*)`.as('recent'))
      .where('account', '=', account)
      .where('at', '>', at - MINUTE_MS)
      .executeTakeFirstOrThrow();
    if (recent >= PER_MINUTE)
      throw new ApiError('TooManyRequests', { message: `at most ${PER_MINUTE} messages are taken in a minute`, retryAfterSeconds: 60 });
    const { all } = await db
      .selectFrom('otc_message')
      .select(sql<number>`count(*)`.as('all'))
      .where('order_id', '=', orderId)
      .where('account', '=', account)
      .executeTakeFirstOrThrow();
    if (all >= PER_SIDE) throw new ApiError('TooMany', { field: 'messages', message: `a side has at most ${PER_SIDE} messages in a chat` });
  }

  async #shown(reader: AccountId | undefined, row: Row): Promise<OtcMessage> {
    const author = row.account === null ? undefined : accountId(row.account);
    const text =
      author === undefined || row.sealed === null
        ? row.plain
        : ((await openedText(this.#parts.keys, author, messageIs(row.message_id), row.sealed)) ?? null);
    return {
      messageId: row.message_id,
      by: row.by_role as OtcActor,
      own: author !== undefined && author === reader,
      kind: row.kind as OtcMessage['kind'],
      text,
      receiptId: row.receipt_id,
      hint: row.hint,
      at: row.at,
    };
  }
}
