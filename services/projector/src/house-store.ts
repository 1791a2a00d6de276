/** What is kept of the house in SQL: see `house.ts`. */
import { marketId } from '@orrery/units';
import { sql } from 'kysely';
import type { Batch } from './batch.ts';
import { type House, sumFills } from './house.ts';
import { inserted, piecesOf, type Tx } from './insert.ts';

export async function loadHouse(tx: Tx, house: House): Promise<void> {
  const counts = tx
    .selectFrom('projector_house_trade')
    .select(['market', (of) => of.fn.max('number').as('count')])
    .groupBy('market');
  for (const row of await counts.execute()) house.restoreTrades(marketId(row.market), row.count);
}

export async function writeHouse(tx: Tx, { house }: Batch): Promise<void> {
  for (const piece of piecesOf([...house.trades.values()])) {
    await inserted(tx, 'projector_house_trade', piece)
      .onConflict((conflict) =>
        conflict.columns(['market', 'slot']).doUpdateSet((of) => ({
          number: of.ref('excluded.number'),
          trade_id: of.ref('excluded.trade_id'),
          price: of.ref('excluded.price'),
          size: of.ref('excluded.size'),
          side: of.ref('excluded.side'),
          at: of.ref('excluded.at'),
          seq: of.ref('excluded.seq'),
        })),
      )
      .execute();
  }
  for (const piece of piecesOf(sumFills(house.fills))) {
    await inserted(tx, 'projector_house_fill', piece)
      .onConflict((conflict) =>
        conflict.columns(['account', 'day_at', 'market']).doUpdateSet({
          fills: sql`projector_house_fill.fills + excluded.fills`,
          size: sql`projector_house_fill.size + excluded.size`,
          notional: sql`projector_house_fill.notional + excluded.notional`,
          fee: sql`projector_house_fill.fee + excluded.fee`,
          contract_volume: sql`projector_house_fill.contract_volume + excluded.contract_volume`,
          close_profit: sql`projector_house_fill.close_profit + excluded.close_profit`,
        }),
      )
      .execute();
  }
  for (const piece of piecesOf([...house.bills.values()])) {
    await inserted(tx, 'projector_house_bill', piece)
      .onConflict((conflict) =>
        conflict.columns(['account', 'day_at', 'wallet', 'asset', 'kind']).doUpdateSet({
          bills: sql`projector_house_bill.bills + excluded.bills`,
          amount: sql`projector_house_bill.amount + excluded.amount`,
        }),
      )
      .execute();
  }
}

/** Orders of the house that closed: what stood of them while they were open. */
export async function removeClosed(tx: Tx, { house }: Batch): Promise<void> {
  for (const piece of piecesOf([...house.closed])) {
    await tx
      .deleteFrom('projector_order')
      .where('order_id', '=', sql<number>`any(${piece}::bigint[])`)
      .execute();
  }
}
