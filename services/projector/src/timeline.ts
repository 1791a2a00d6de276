/** What happened to an order, step by step, with the numbers of the commands. */
import { ApiError, type OrderStep, type OrderTimeline, type OrderTimelineSteps } from '@orrery/api';
import { type AccountId, assert, lots, marketId, type OrderId, printLots, printTicks, ticks } from '@orrery/units';
import type { MarketsView } from '@orrery/views';
import type { Kysely, Selectable } from 'kysely';
import type { ProjectorTables } from './tables.ts';

type OrderRow = Selectable<ProjectorTables['projector_order']>;
type FillRow = Selectable<ProjectorTables['projector_fill']>;

/** Decimals of a market's prices and sizes. */
interface Decimals {
  readonly pricePrecision: number;
  readonly sizePrecision: number;
}

/** Fills that are listed: an order of the largest size takes fewer in any book that is quoted. */
const FILLS_MAX = 500;

export class Timelines {
  readonly #db: Kysely<ProjectorTables>;
  readonly #markets: MarketsView;

  readonly #caughtUp: () => Promise<void>;

  /** @param parts.caughtUp resolves when what was committed before the call is in SQL. */
  constructor({ db, markets, caughtUp }: { db: Kysely<ProjectorTables>; markets: MarketsView; caughtUp: () => Promise<void> }) {
    this.#db = db;
    this.#markets = markets;
    this.#caughtUp = caughtUp;
  }

  /** @throws ApiError when the account has no such order. */
  async of(query: { account: AccountId; orderId: OrderId }): Promise<OrderTimeline> {
    // Who has just placed an order asks for it before history has it.
    await this.#caughtUp();
    const found = await findOrder(this.#db, query);
    const listed = this.#markets.market(marketId(found.order.market))?.market;
    assert(listed !== undefined, `market ${found.order.market} was registered before it was used`);
    return timelineOf(found, listed);
  }
}

interface FoundOrder {
  readonly order: OrderRow;
  /** Oldest first. */
  readonly fills: readonly FillRow[];
}

async function findOrder(db: Kysely<ProjectorTables>, query: { account: AccountId; orderId: OrderId }): Promise<FoundOrder> {
  const order = await db
    .selectFrom('projector_order')
    .selectAll()
    .where('order_id', '=', query.orderId)
    .where('account', '=', query.account)
    .where('contract', 'is', null)
    .executeTakeFirst();
  // Another account's order is as unknown as one that never was.
  if (order === undefined) throw new ApiError('UnknownOrder', { field: 'orderId' });
  const fills = await db
    .selectFrom('projector_fill')
    .selectAll()
    .where('order_id', '=', query.orderId)
    .orderBy('trade_id')
    .limit(FILLS_MAX)
    .execute();
  return { order, fills };
}

function timelineOf({ order, fills }: FoundOrder, decimals: Decimals): OrderTimeline {
  const steps: OrderTimelineSteps = [
    { step: 'ACCEPTED', seq: order.accepted_seq, time: order.created_at },
    ...(order.triggered_at === null ? [] : [{ step: 'TRIGGERED' as const, seq: order.triggered_seq, time: order.triggered_at }]),
    ...fills.map((fill) => matched(fill, decimals)),
    ...(order.status === 'closed' ? [closed(order)] : []),
  ];
  return { orderId: String(order.order_id), steps };
}

const matched = (fill: FillRow, { pricePrecision, sizePrecision }: Decimals): OrderStep => ({
  step: 'MATCHED',
  seq: fill.seq,
  time: fill.at,
  execId: String(fill.trade_id),
  price: printTicks(ticks(fill.price), pricePrecision),
  quantity: printLots(lots(fill.size), sizePrecision),
});

const closed = ({ closed_seq: seq, updated_at: time, close_reason: reason }: OrderRow): OrderStep => ({
  step: 'CLOSED',
  seq,
  time,
  reason: reason as NonNullable<OrderStep['reason']>,
});
