/** The facts of OTC trading written into SQL, in one transaction with how far history is read. */
import { laterText, type OtcActor, type OtcNews, type OtcOrderStatus } from '@orrery/api';
import type {
  AdvertisementChanged,
  AdvertisementPublished,
  MerchantDepositPaid,
  OtcDeadlinesMoved,
  OtcDisputeDecided,
  OtcEvent,
  OtcOrderCreated,
  OtcOrderStepped,
  Pricing,
} from '@orrery/protocol';
import { type AccountId, accountId, unreachable } from '@orrery/units';
import { sql } from 'kysely';
import { isEnd } from './ids.ts';
import { addStep, addSystemLine, sayAutoReply } from './history-lines.ts';
import { type Announcements, type OtcAnnouncement, stepText } from './news.ts';
import type { PersonKeysPort } from './ports.ts';
import type { OtcTx } from './tables.ts';
import type { Traders } from './traders.ts';

/** An event with the time of its command. */
export interface Happened {
  readonly event: OtcEvent;
  readonly at: number;
}

export interface FoldParts {
  readonly keys: PersonKeysPort;
  readonly traders: Traders;
  readonly announcements: Announcements;
}

/** @param announced gets what is announced when it is committed */
export async function fold(tx: OtcTx, { event, at }: Happened, parts: FoldParts, announced: OtcAnnouncement[]): Promise<void> {
  switch (event.type) {
    case 'OtcTermsSet':
    case 'AssistPricesSet':
      return undefined;
    case 'AdvertisementPublished':
      return published(tx, event, at, parts);
    case 'AdvertisementChanged':
      return changed(tx, event, at, announced);
    case 'OtcOrderCreated':
      return created(tx, event, parts, announced);
    case 'OtcOrderStepped':
      return stepped(tx, event, parts, announced);
    case 'OtcDisputeDecided':
      return decided(tx, event, at, announced);
    case 'OtcDeadlinesMoved':
      return deadlinesMoved(tx, event, at, announced);
    case 'OtcDecisionAppealed':
      await tx
        .updateTable('otc_decision')
        .set((of) => ({
          executes_at: null,
          appealed_by: of
            .selectFrom('otc_order')
            .select(sql<string>`case when buyer = ${event.by} then 'BUYER' else 'SELLER' end`.as('role'))
            .where('order_id', '=', event.order),
        }))
        .where('order_id', '=', event.order)
        .where('nth', '=', 1)
        .execute();
      await tx.updateTable('otc_order').set({ deadline: 0, updated_at: at }).where('order_id', '=', event.order).execute();
      return announceToBoth(tx, { orderId: event.order, kind: 'DISPUTE', at }, announced);
    case 'MerchantDeposited': {
      const { account, asset, amount } = event;
      await tx
        .insertInto('otc_deposit')
        .values({ account, asset, amount: String(amount) })
        .onConflict((conflict) => conflict.column('account').doUpdateSet({ asset, amount: String(amount) }))
        .execute();
      await tx
        .updateTable('otc_merchant')
        .set({ state: 'WAITING' })
        .where('account', '=', account)
        .where('state', '=', 'DEPOSITING')
        .execute();
      return announceMerchant(account, at, announced);
    }
    case 'MerchantDepositReturned':
      await tx.deleteFrom('otc_deposit').where('account', '=', event.account).execute();
      // Who was refused stays refused.
      await tx
        .updateTable('otc_merchant')
        .set({ state: 'LEFT' })
        .where('account', '=', event.account)
        .where('state', 'in', ['WAITING', 'APPROVED'])
        .execute();
      return announceMerchant(event.account, at, announced);
    case 'MerchantDepositPaid':
      return depositPaid(tx, event, at, announced);
    default:
      return unreachable(event);
  }
}

const columnsOf = ({ kind, ...rest }: Pricing): { price: string | null; premium: number | null } => ({
  price: kind === 'FIXED' && 'price' in rest ? String(rest.price) : null,
  premium: kind === 'FLOATING' && 'premium' in rest ? rest.premium : null,
});

const advertisementColumns = (event: AdvertisementPublished | AdvertisementChanged) => ({
  ...columnsOf(event.pricing),
  min_total: String(event.minTotal),
  max_total: String(event.maxTotal),
  pay_window_ms: event.payWindowMs,
  available: String(event.available),
  version: event.version,
  state: event.state,
});

async function published(tx: OtcTx, event: AdvertisementPublished, at: number, { traders }: FoldParts): Promise<void> {
  const { advertisement, account, clientAdvertisementId, side, asset, currency } = event;
  await tx
    .insertInto('otc_advertisement')
    .values({
      advertisement,
      account,
      client_id: clientAdvertisementId,
      side,
      asset,
      currency,
      ...advertisementColumns(event),
      created_at: at,
      updated_at: at,
    })
    .execute();
  await traders.note(tx, account);
}

async function changed(tx: OtcTx, event: AdvertisementChanged, at: number, announced: OtcAnnouncement[]): Promise<void> {
  const { advertisement, account } = event;
  await tx
    .updateTable('otc_advertisement')
    .set({ ...advertisementColumns(event), updated_at: at })
    .where('advertisement', '=', advertisement)
    .execute();
  announced.push({ account, news: newsOf({ kind: 'ADVERTISING', advertisingId: advertisement, at }), notice: null });
}

async function created(tx: OtcTx, event: OtcOrderCreated, parts: FoldParts, announced: OtcAnnouncement[]): Promise<void> {
  const {
    order: orderId,
    clientOrderId,
    advertisement,
    advertiser,
    taker,
    buyer,
    seller,
    asset,
    currency,
    price,
    amount,
    total,
    createdAt,
    deadline,
  } = event;
  await tx
    .insertInto('otc_order')
    .values({
      order_id: orderId,
      client_order_id: clientOrderId,
      advertisement,
      advertiser,
      taker,
      buyer,
      seller,
      asset,
      currency,
      price: String(price),
      amount: String(amount),
      total: String(total),
      status: 'CREATED',
      deadline,
      disputable_at: 0,
      created_at: createdAt,
      paid_at: null,
      disputed_at: null,
      ended_at: null,
      updated_at: createdAt,
      buyer_seen_at: 0,
      seller_seen_at: 0,
    })
    .execute();
  await parts.traders.note(tx, taker);
  await copyMethods(tx, event);
  await addStep(tx, { orderId, status: 'CREATED', at: createdAt, by: taker === buyer ? 'BUYER' : 'SELLER' });
  await sayAutoReply(tx, event, parts.keys);
  await notify(tx, { orderId, buyer, seller, status: 'CREATED', at: createdAt, by: taker }, parts, announced);
}

/** As the seller has them at this moment: what is changed later is not where the buyer of this order pays. */
async function copyMethods(tx: OtcTx, { order: orderId, advertisement, taker, seller, clientOrderId }: OtcOrderCreated): Promise<void> {
  const { rows } = await (
    seller === taker
      ? sql<{ method_ids: string[] }>`select method_ids from otc_order_wish where account = ${taker} and client_order_id = ${clientOrderId}`
      : sql<{ method_ids: string[] }>`
        select t.method_ids from otc_advertisement a join otc_advertisement_text t on t.account = a.account and t.client_id = a.client_id
        where a.advertisement = ${advertisement}`
  ).execute(tx);
  const methodIds = rows[0]?.method_ids ?? [];
  if (methodIds.length === 0) return;
  await sql`
    insert into otc_order_method (order_id, method_id, account, kind, sealed, masked)
    select ${orderId}, method_id, account, kind, sealed, masked from otc_payment_method
    where account = ${seller} and method_id = any(${methodIds})`.execute(tx);
}

async function stepped(tx: OtcTx, event: OtcOrderStepped, parts: FoldParts, announced: OtcAnnouncement[]): Promise<void> {
  const { order: orderId, buyer, seller, status, by, at, deadline, disputableAt } = event;
  await tx
    .updateTable('otc_order')
    .set({
      status,
      deadline,
      disputable_at: disputableAt,
      updated_at: at,
      ...(status === 'PAID' && { paid_at: at }),
      ...(status === 'DISPUTED' && { disputed_at: at }),
      ...(isEnd(status) && { ended_at: at }),
    })
    .where('order_id', '=', orderId)
    .execute();
  await addStep(tx, { orderId, status, at, by: actorOf(event) });
  if (isEnd(status)) {
    // Nobody is paid there for this order any more.
    await tx.updateTable('otc_order_method').set({ sealed: null }).where('order_id', '=', orderId).execute();
    await tx.updateTable('otc_decision').set({ executes_at: null }).where('order_id', '=', orderId).execute();
  }
  await notify(tx, { orderId, buyer, seller, status, at, by }, parts, announced);
}

function actorOf({ by, buyer, status }: OtcOrderStepped): OtcActor {
  if (by !== 0) return by === buyer ? 'BUYER' : 'SELLER';
  return status === 'RELEASED' || status === 'RETURNED' ? 'ARBITER' : 'EXCHANGE';
}

async function decided(
  tx: OtcTx,
  { order: orderId, outcome, executesAt }: OtcDisputeDecided,
  at: number,
  announced: OtcAnnouncement[],
): Promise<void> {
  const { count } = await tx
    .selectFrom('otc_decision')
    .select((of) => of.fn.countAll<number>().as('count'))
    .where('order_id', '=', orderId)
    .where('at', 'is not', null)
    .executeTakeFirstOrThrow();
  const facts = { outcome, at, executes_at: executesAt === 0 ? null : executesAt };
  await tx
    .insertInto('otc_decision')
    .values({ order_id: orderId, nth: count + 1, reason: '', appealed_by: null, ...facts })
    .onConflict((conflict) => conflict.columns(['order_id', 'nth']).doUpdateSet(facts))
    .execute();
  await tx.updateTable('otc_order').set({ deadline: executesAt, updated_at: at }).where('order_id', '=', orderId).execute();
  await announceToBoth(tx, { orderId, kind: 'DISPUTE', at }, announced, 'The dispute is decided.');
}

/** As the engine moves them; the chat of each order of which a time has moved says so. */
async function deadlinesMoved(tx: OtcTx, { since, by }: OtcDeadlinesMoved, at: number, announced: OtcAnnouncement[]): Promise<void> {
  const moved = (column: 'deadline' | 'disputable_at' | 'executes_at') =>
    sql<number>`case when ${sql.ref(column)} > ${since} then ${sql.ref(column)} + ${by} else ${sql.ref(column)} end`;
  const concerned = await tx
    .selectFrom('otc_order')
    .select('order_id')
    .where('ended_at', 'is', null)
    .where((of) => of.or([of('deadline', '>', since), of('disputable_at', '>', since)]))
    .orderBy('order_id')
    .execute();
  for (const { order_id: orderId } of concerned) await addSystemLine(tx, { orderId, text: laterText(by), at, by: 'EXCHANGE' });
  const orders = await tx
    .updateTable('otc_order')
    .set({ deadline: moved('deadline'), disputable_at: moved('disputable_at'), updated_at: at })
    .where('ended_at', 'is', null)
    .returning(['order_id', 'buyer', 'seller'])
    .execute();
  await tx
    .updateTable('otc_decision')
    .set({ executes_at: moved('executes_at') })
    .where('executes_at', 'is not', null)
    .execute();
  for (const { order_id: orderId, buyer, seller } of orders)
    for (const account of [buyer, seller])
      announced.push({ account: accountId(account), news: newsOf({ kind: 'ORDER', orderId, at }), notice: null });
}

async function depositPaid(tx: OtcTx, event: MerchantDepositPaid, at: number, announced: OtcAnnouncement[]): Promise<void> {
  const { order: orderId, account, recipient, amount, left } = event;
  await tx
    .updateTable('otc_deposit')
    .set({ amount: String(left) })
    .where('account', '=', account)
    .execute();
  await tx
    .insertInto('otc_deposit_paid')
    .values({ order_id: orderId, account, amount: String(amount), at })
    .execute();
  announceMerchant(account, at, announced);
  const notice = { title: `OTC order ${orderId}`, text: "You were paid from the merchant's deposit." };
  announced.push({ account: recipient, news: newsOf({ kind: 'DISPUTE', orderId, at }), notice });
}

function announceMerchant(account: AccountId, at: number, announced: OtcAnnouncement[]): void {
  announced.push({ account, news: newsOf({ kind: 'MERCHANT', at }), notice: null });
}

interface Step {
  readonly orderId: number;
  readonly buyer: AccountId;
  readonly seller: AccountId;
  readonly status: OtcOrderStatus;
  readonly at: number;
  readonly by: AccountId | 0;
}

/** Both pages get it, and who did not make the step is notified. */
async function notify(
  tx: OtcTx,
  { orderId, buyer, seller, status, at, by }: Step,
  { announcements }: FoldParts,
  announced: OtcAnnouncement[],
): Promise<void> {
  for (const [account, side] of [
    [buyer, 'buyer'],
    [seller, 'seller'],
  ] as const) {
    const isOwn = account === by;
    if (!isOwn) await announcements.note(tx, { account, orderId, status, at });
    announced.push({
      account,
      news: { ...newsOf({ kind: 'ORDER', orderId, at }), status },
      notice: isOwn ? null : { title: `OTC order ${orderId}`, text: stepText(status, side) },
    });
  }
}

async function announceToBoth(
  tx: OtcTx,
  of: { orderId: number; kind: OtcNews['kind']; at: number },
  announced: OtcAnnouncement[],
  text?: string,
): Promise<void> {
  const order = await tx.selectFrom('otc_order').select(['buyer', 'seller']).where('order_id', '=', of.orderId).executeTakeFirstOrThrow();
  const notice = text === undefined ? null : { title: `OTC order ${of.orderId}`, text };
  for (const account of [order.buyer, order.seller]) announced.push({ account: accountId(account), news: newsOf(of), notice });
}

export const newsOf = ({
  kind,
  orderId,
  advertisingId,
  at,
}: {
  kind: OtcNews['kind'];
  orderId?: number;
  advertisingId?: number;
  at: number;
}): OtcNews => ({
  kind,
  orderId: orderId === undefined ? null : String(orderId),
  advertisingId: advertisingId === undefined ? null : String(advertisingId),
  status: null,
  at,
});
