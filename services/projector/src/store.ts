/** Reads a projection out of SQL and writes batches into it: rows and offset in one transaction, so that each fact is there once. */
import type {
  ContractOrderTerms,
  Order,
  OrderType,
  SelfTradePrevention,
  Side,
  SpotOrderTerms,
  TimeInForce,
  Wallet,
} from '@orrery/protocol';
import { accountId, assetId, atoms, lots, marketId, millis, orderId, ppm, type Seq, seq, ticks } from '@orrery/units';
import type { HistoryOffset } from '@orrery/foundation';
import type { OrderState } from '@orrery/views';
import { type Kysely, type Selectable, sql } from 'kysely';
import type { Activity, Batch, Row } from './batch.ts';
import { loadContracts, writeContracts } from './contract-store.ts';
import { restartExports } from './export-writer.ts';
import { loadHours, writeHours } from './hour-store.ts';
import type { House } from './house.ts';
import { loadHouse, removeClosed, writeHouse } from './house-store.ts';
import { insertAll, inserted, piecesOf, type Tx } from './insert.ts';
import type { OrderMarks } from './order-marks.ts';
import { Projection } from './projection.ts';
import { type ProjectorTables, TABLES } from './tables.ts';

/** The newest orders of one account that closed without a fill are kept, up to this number: a market maker produces millions a day. */
const UNFILLED_ORDERS_KEPT = 10_000;

/** How far history is written. Where the row is missing and nothing else is there, history begins. */
export async function readOffset(db: Kysely<ProjectorTables>): Promise<HistoryOffset> {
  const row = await db.selectFrom('projector_offset').select('seq').executeTakeFirst();
  const seq = row?.seq ?? (await beginUnlessWritten(db));
  return { name: 'History in SQL', seq, remedy: 'stop the exchange and run `npm run rebuild-history`' };
}

/** @returns 0; undefined when there are rows of history. */
async function beginUnlessWritten(db: Kysely<ProjectorTables>): Promise<number | undefined> {
  const counts = await countRows(db);
  if (Object.values(counts).some((count) => count > 0)) return undefined;
  await emptyProjection(db);
  return 0;
}

/** By table, without the offset. */
export async function countRows(db: Kysely<ProjectorTables>): Promise<Readonly<Record<string, number>>> {
  const counts: Record<string, number> = {};
  for (const table of TABLES) {
    if (table === 'projector_offset') continue;
    const { rows } = await db
      .selectFrom(table)
      .select(sql<number>`count(*)`.as('rows'))
      .executeTakeFirstOrThrow();
    counts[table] = rows;
  }
  return counts;
}

export async function loadProjection(db: Kysely<ProjectorTables>, house: House): Promise<Projection> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (tx) => {
      const offset = await tx.selectFrom('projector_offset').selectAll().executeTakeFirstOrThrow();
      const projection = new Projection({ seq: seq(offset.seq), bills: offset.bills }, house);
      for (const row of await tx.selectFrom('projector_total').selectAll().execute()) {
        projection.restoreTotal(
          { account: accountId(row.account), wallet: row.wallet as Wallet, asset: assetId(row.asset) },
          atoms(BigInt(row.total)),
        );
      }
      await loadHours(tx, projection.hours, offset.at);
      await loadContracts(tx, projection.contracts);
      await loadHouse(tx, house);
      const numbered = tx
        .selectFrom('projector_order')
        .select(['account', (of) => of.fn.max('unfilled_number').as('count')])
        .where('unfilled_number', 'is not', null)
        .groupBy('account');
      for (const row of await numbered.execute()) projection.restoreUnfilled(accountId(row.account), row.count ?? 0);
      const waiting = tx.selectFrom('projector_order').selectAll().where('status', '<>', 'closed').orderBy('order_id');
      for (const row of await waiting.execute()) restoreOrder(projection, stateOf(row));
      return projection;
    });
}

function restoreOrder({ orders, seq: at }: Projection, state: OrderState): void {
  const { order, status, remaining, filled, filledNotional, updatedAt } = state;
  const moment = { seq: at, at: updatedAt };
  orders.apply({ ...order, type: 'OrderAccepted' }, moment);
  // A stop that could act only in part waits on with what is left of it.
  orders.apply({ ...order, type: 'OrderRested', remaining, filled, filledNotional }, moment);
  if (status === 'armed') orders.apply({ ...order, type: 'OrderArmed' }, moment);
}

/** @throws when another projector has written meanwhile: the offset is not where this one left it. */
export async function writeBatch(
  db: Kysely<ProjectorTables>,
  batch: Batch,
  range: { from: Seq; to: Seq; at: number; bills: number },
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    // What a crash of the database loses is written again from the journal, so commits need not wait for its disk.
    await sql`set local synchronous_commit = off`.execute(tx);
    const moved = await tx
      .updateTable('projector_offset')
      .set({ seq: range.to, at: range.at, bills: range.bills })
      .where('id', '=', 1)
      .where('seq', '=', range.from)
      .executeTakeFirst();
    if (moved.numUpdatedRows !== 1n) throw new Error(`the offset of history is not at ${range.from} any more`);
    await removeClosed(tx, batch);
    await writeOrders(tx, batch);
    await insertAll(
      tx,
      'projector_fill',
      batch.fills.filter((row) => !batch.house.rowless.has(row)),
    );
    await insertAll(tx, 'projector_bill', batch.bills);
    await insertAll(tx, 'projector_transfer', batch.transfers);
    await insertAll(tx, 'projector_award', batch.awards);
    await writeTotals(tx, batch);
    await writeWithdrawals(tx, batch);
    await writeCandles(tx, batch);
    await writeActivity(tx, batch);
    await writeDays(tx, batch);
    await writeHours(tx, batch);
    await writeContracts(tx, batch.contracts);
    await writeHouse(tx, batch);
  });
}

/** Empties everything: the next start rebuilds history. */
export async function emptyProjection(db: Kysely<ProjectorTables>): Promise<void> {
  await db.transaction().execute(async (tx) => {
    for (const table of TABLES) await tx.deleteFrom(table).execute();
    await restartExports(tx);
    await tx.insertInto('projector_offset').values({ id: 1, seq: 0, at: 0, bills: 0 }).execute();
  });
}

async function writeOrders(tx: Tx, batch: Batch): Promise<void> {
  const rows = [...batch.orders.values()].map((order) => ({ ...orderRow(order.state, order.unfilledNumber), ...markRow(order.marks) }));
  for (const piece of piecesOf(rows)) {
    await inserted(tx, 'projector_order', piece)
      .onConflict((conflict) =>
        conflict.column('order_id').doUpdateSet((of) => ({
          client_order_id: of.ref('excluded.client_order_id'),
          price: of.ref('excluded.price'),
          size: of.ref('excluded.size'),
          trigger_price: of.ref('excluded.trigger_price'),
          contract: of.ref('excluded.contract'),
          spot: of.ref('excluded.spot'),
          status: of.ref('excluded.status'),
          remaining: of.ref('excluded.remaining'),
          filled: of.ref('excluded.filled'),
          filled_notional: of.ref('excluded.filled_notional'),
          updated_at: of.ref('excluded.updated_at'),
          close_reason: of.ref('excluded.close_reason'),
          unfilled_number: of.ref('excluded.unfilled_number'),
          triggered_seq: sql`coalesce(excluded.triggered_seq, projector_order.triggered_seq)`,
          triggered_at: sql`coalesce(excluded.triggered_at, projector_order.triggered_at)`,
          closed_seq: of.ref('excluded.closed_seq'),
        })),
      )
      .execute();
  }
  for (const [account, count] of batch.unfilled) {
    if (count <= UNFILLED_ORDERS_KEPT) continue;
    await tx
      .deleteFrom('projector_order')
      .where('account', '=', account)
      .where('unfilled_number', '<=', count - UNFILLED_ORDERS_KEPT)
      .execute();
  }
}

async function writeTotals(tx: Tx, batch: Batch): Promise<void> {
  const rows = [...batch.totals.values()].map((row) => ({ ...row, total: String(row.total) }));
  for (const piece of piecesOf(rows)) {
    await inserted(tx, 'projector_total', piece)
      .onConflict((conflict) => conflict.columns(['account', 'wallet', 'asset']).doUpdateSet((of) => ({ total: of.ref('excluded.total') })))
      .execute();
  }
}

async function writeWithdrawals(tx: Tx, batch: Batch): Promise<void> {
  await insertAll(tx, 'projector_withdrawal', batch.withdrawals);
  for (const { withdrawalId, state, txHash, at } of batch.withdrawalSteps) {
    await tx
      .updateTable('projector_withdrawal')
      .set({ state, updated_at: at, ...(txHash === undefined ? {} : { tx_hash: txHash }) })
      .where('withdrawal_id', '=', withdrawalId)
      .execute();
  }
}

async function writeCandles(tx: Tx, batch: Batch): Promise<void> {
  const rows = [...batch.candles.values()].map(({ market, candle }) => ({
    market,
    open_time: candle.openTime,
    open: candle.open,
    high: candle.high,
    low: candle.low,
    close: candle.close,
    volume: candle.volume,
    quote_volume: String(candle.quoteVolume),
  }));
  for (const piece of piecesOf(rows)) {
    await inserted(tx, 'projector_candle', piece)
      .onConflict((conflict) =>
        conflict.columns(['market', 'open_time']).doUpdateSet({
          high: sql`greatest(projector_candle.high, excluded.high)`,
          low: sql`least(projector_candle.low, excluded.low)`,
          close: sql`excluded.close`,
          volume: sql`projector_candle.volume + excluded.volume`,
          quote_volume: sql`projector_candle.quote_volume + excluded.quote_volume`,
        }),
      )
      .execute();
  }
}

async function writeActivity(tx: Tx, batch: Batch): Promise<void> {
  const rows = [...batch.activity].map(([account, activity]) => activityRow(account, activity));
  for (const piece of piecesOf(rows)) {
    await inserted(tx, 'projector_activity', piece)
      .onConflict((conflict) =>
        conflict.column('account').doUpdateSet({
          orders: sql`projector_activity.orders + excluded.orders`,
          volume: sql`projector_activity.volume + excluded.volume`,
          first_deposit_at: sql`coalesce(projector_activity.first_deposit_at, excluded.first_deposit_at)`,
          first_transfer_at: sql`coalesce(projector_activity.first_transfer_at, excluded.first_transfer_at)`,
          first_order_at: sql`coalesce(projector_activity.first_order_at, excluded.first_order_at)`,
          first_fill_at: sql`coalesce(projector_activity.first_fill_at, excluded.first_fill_at)`,
          first_claim_at: sql`coalesce(projector_activity.first_claim_at, excluded.first_claim_at)`,
        }),
      )
      .execute();
  }
}

async function writeDays(tx: Tx, batch: Batch): Promise<void> {
  const rows = [...batch.days.values()].map((day) => ({
    account: day.account,
    day_at: day.dayAt,
    orders: day.orders,
    trades: day.trades,
    volume: String(day.volume),
    contract_orders: day.contractOrders,
    contract_trades: day.contractTrades,
    contract_volume: String(day.contractVolume),
    contract_maker_volume: String(day.contractMakerVolume),
  }));
  for (const piece of piecesOf(rows)) {
    await inserted(tx, 'projector_day', piece)
      .onConflict((conflict) =>
        conflict.columns(['account', 'day_at']).doUpdateSet({
          orders: sql`projector_day.orders + excluded.orders`,
          trades: sql`projector_day.trades + excluded.trades`,
          volume: sql`projector_day.volume + excluded.volume`,
          contract_orders: sql`projector_day.contract_orders + excluded.contract_orders`,
          contract_trades: sql`projector_day.contract_trades + excluded.contract_trades`,
          contract_volume: sql`projector_day.contract_volume + excluded.contract_volume`,
          contract_maker_volume: sql`projector_day.contract_maker_volume + excluded.contract_maker_volume`,
        }),
      )
      .execute();
  }
}

const activityRow = (account: number, { orders, volume, first }: Activity): Row<'projector_activity'> => ({
  account,
  orders,
  volume: String(volume),
  first_deposit_at: first.deposit ?? null,
  first_transfer_at: first.transfer ?? null,
  first_order_at: first.order ?? null,
  first_fill_at: first.fill ?? null,
  first_claim_at: first.claim ?? null,
});

function orderRow(
  { order, status, remaining, filled, filledNotional, updatedAt, closeReason }: OrderState,
  unfilledNumber: number | undefined,
): Omit<Row<'projector_order'>, keyof ReturnType<typeof markRow>> {
  return {
    order_id: order.orderId,
    account: order.account,
    market: order.market,
    client_order_id: order.clientOrderId,
    side: order.side,
    order_type: order.orderType,
    time_in_force: order.timeInForce,
    price: order.price,
    size: order.size,
    funds: String(order.funds),
    trigger_price: order.triggerPrice,
    slippage_ppm: order.slippagePpm,
    self_trade_prevention: order.selfTradePrevention,
    created_at: order.createdAt,
    status,
    remaining,
    filled,
    filled_notional: String(filledNotional),
    updated_at: updatedAt,
    close_reason: closeReason ?? null,
    unfilled_number: unfilledNumber ?? null,
    contract: order.contract === undefined ? null : { ...order.contract },
    spot: order.spot === undefined ? null : { ...order.spot },
  };
}

const markRow = ({ acceptedSeq, triggered, closedSeq }: OrderMarks) => ({
  accepted_seq: acceptedSeq ?? null,
  triggered_seq: triggered?.seq ?? null,
  triggered_at: triggered?.at ?? null,
  closed_seq: closedSeq ?? null,
});

/** The order as `orderRow` wrote it. */
export function stateOf(row: Selectable<ProjectorTables['projector_order']>): OrderState {
  const order: Order = {
    orderId: orderId(row.order_id),
    account: accountId(row.account),
    market: marketId(row.market),
    clientOrderId: row.client_order_id,
    side: row.side as Side,
    orderType: row.order_type as OrderType,
    timeInForce: row.time_in_force as TimeInForce,
    price: ticks(row.price),
    size: lots(row.size),
    funds: atoms(BigInt(row.funds)),
    triggerPrice: ticks(row.trigger_price),
    slippagePpm: ppm(row.slippage_ppm),
    selfTradePrevention: row.self_trade_prevention as SelfTradePrevention,
    createdAt: millis(row.created_at),
    contract: row.contract === null ? undefined : (row.contract as unknown as ContractOrderTerms),
    spot: row.spot === null ? undefined : (row.spot as unknown as SpotOrderTerms),
  };
  return {
    order,
    status: row.status as OrderState['status'],
    remaining: lots(row.remaining),
    filled: lots(row.filled),
    filledNotional: atoms(BigInt(row.filled_notional)),
    updatedAt: millis(row.updated_at),
    closeReason: (row.close_reason ?? undefined) as OrderState['closeReason'],
    stalled: undefined,
  };
}
