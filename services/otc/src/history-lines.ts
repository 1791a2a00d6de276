/** The lines that history writes into the chat of an order: its steps, a deadline that has moved, and the first message of its advertiser. */
import type { OtcActor, OtcOrderStatus } from '@orrery/api';
import type { OtcOrderCreated } from '@orrery/protocol';
import type { AdvertisementText } from './board.ts';
import { advertisementIs, messageIs, newId } from './ids.ts';
import type { PersonKeysPort } from './ports.ts';
import { opened, sealed } from './sealed.ts';
import type { OtcTx } from './tables.ts';

export async function addStep(
  tx: OtcTx,
  { orderId, status, at, by }: { orderId: number; status: OtcOrderStatus; at: number; by: OtcActor },
): Promise<void> {
  const { count } = await tx
    .selectFrom('otc_step')
    .select((of) => of.fn.countAll<number>().as('count'))
    .where('order_id', '=', orderId)
    .executeTakeFirstOrThrow();
  await tx
    .insertInto('otc_step')
    .values({ order_id: orderId, nth: count + 1, status, at, by_role: by })
    .execute();
  await addSystemLine(tx, { orderId, text: status, at, by });
}

export async function addSystemLine(
  tx: OtcTx,
  { orderId, text, at, by }: { orderId: number; text: string; at: number; by: OtcActor },
): Promise<void> {
  const line = { kind: 'SYSTEM', sealed: null, plain: text, receipt_id: null, hint: false, client_message_id: null };
  await tx
    .insertInto('otc_message')
    .values({ message_id: newId(), order_id: orderId, account: null, by_role: by, ...line, at })
    .execute();
}

export async function sayAutoReply(
  tx: OtcTx,
  { order: orderId, advertisement, advertiser, buyer, createdAt }: OtcOrderCreated,
  keys: PersonKeysPort,
): Promise<void> {
  const row = await tx
    .selectFrom('otc_advertisement')
    .innerJoin('otc_advertisement_text', (join) =>
      join
        .onRef('otc_advertisement_text.account', '=', 'otc_advertisement.account')
        .onRef('otc_advertisement_text.client_id', '=', 'otc_advertisement.client_id'),
    )
    .select(['otc_advertisement.client_id', 'otc_advertisement_text.sealed'])
    .where('otc_advertisement.advertisement', '=', advertisement)
    .executeTakeFirst();
  if (row === undefined) return;
  const text = ((await opened(keys, advertiser, advertisementIs(row.client_id), row.sealed)) as AdvertisementText | undefined)?.autoReply;
  if (text === undefined || text === null) return;
  const messageId = newId();
  await tx
    .insertInto('otc_message')
    .values({
      message_id: messageId,
      order_id: orderId,
      account: advertiser,
      by_role: advertiser === buyer ? 'BUYER' : 'SELLER',
      kind: 'TEXT',
      sealed: await sealed(keys, advertiser, messageIs(messageId), text),
      plain: null,
      receipt_id: null,
      hint: false,
      client_message_id: null,
      at: createdAt,
    })
    .execute();
}
