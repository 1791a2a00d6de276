/** Contracts in SQL: what the next fact needs is read back, what came of facts is written. */
import type { MarginMode, PositionSide } from '@orrery/protocol';
import { accountId, atoms, marketId } from '@orrery/units';
import { sql } from 'kysely';
import type { ContractBatch, OpenPosition } from './contract-batch.ts';
import type { Contracts } from './contracts.ts';
import { insertAll, inserted, piecesOf, type Tx } from './insert.ts';

export async function loadContracts(tx: Tx, contracts: Contracts): Promise<void> {
  for (const row of await tx.selectFrom('projector_leverage').selectAll().execute()) {
    const place = { account: accountId(row.account), market: marketId(row.market), positionSide: row.position_side as PositionSide };
    contracts.restoreLeverage(place, row.leverage);
  }
  for (const row of await tx.selectFrom('projector_margin_mode').selectAll().execute())
    contracts.restoreMode(accountId(row.account), marketId(row.market), row.mode as MarginMode);
  for (const row of await tx.selectFrom('projector_position').selectAll().execute()) {
    contracts.restorePosition({
      account: accountId(row.account),
      market: marketId(row.market),
      positionSide: row.position_side as PositionSide,
      size: row.size,
      cost: atoms(BigInt(row.cost)),
      fees: atoms(BigInt(row.fees)),
      funding: atoms(BigInt(row.funding)),
      openedAt: row.opened_at,
      maxSize: row.max_size,
      closed: {
        size: row.closed_size,
        notional: atoms(BigInt(row.closed_notional)),
        releasedCost: atoms(BigInt(row.released_cost)),
        profit: atoms(BigInt(row.profit)),
      },
    });
  }
}

export async function writeContracts(tx: Tx, batch: ContractBatch): Promise<void> {
  await writeSettings(tx, batch);
  await writePositions(tx, batch);
  await insertAll(tx, 'projector_closed_position', batch.closedPositions);
  await insertAll(tx, 'projector_funding', batch.fundings);
  await insertAll(tx, 'projector_funding_rate', batch.fundingRates);
  await insertAll(tx, 'projector_liquidation', batch.liquidations);
  await insertAll(tx, 'projector_deleveraging', batch.deleveragings);
  await insertAll(tx, 'projector_twap', batch.twaps);
  for (const { twap_id: id, ...end } of batch.twapEnds) await tx.updateTable('projector_twap').set(end).where('twap_id', '=', id).execute();
  await insertAll(tx, 'projector_insurance', batch.insurance);
  await writePrices(tx, batch);
  for (const piece of piecesOf([...batch.positionHours.values()])) {
    await inserted(tx, 'projector_position_hour', piece)
      .onConflict((conflict) =>
        conflict
          .columns(['account', 'ends_at', 'market', 'position_side'])
          .doUpdateSet((of) => ({ size: of.ref('excluded.size'), cost: of.ref('excluded.cost') })),
      )
      .execute();
  }
}

async function writeSettings(tx: Tx, { leverages, marginModes }: ContractBatch): Promise<void> {
  const levers = [...leverages.values()].map(({ account, market, positionSide, leverage }) => ({
    account,
    market,
    position_side: positionSide,
    leverage,
  }));
  for (const piece of piecesOf(levers)) {
    await inserted(tx, 'projector_leverage', piece)
      .onConflict((conflict) =>
        conflict.columns(['account', 'market', 'position_side']).doUpdateSet((of) => ({ leverage: of.ref('excluded.leverage') })),
      )
      .execute();
  }
  const modes = [...marginModes.values()].map(({ account, market, mode }) => ({ account, market, mode }));
  for (const piece of piecesOf(modes)) {
    await inserted(tx, 'projector_margin_mode', piece)
      .onConflict((conflict) => conflict.columns(['account', 'market']).doUpdateSet((of) => ({ mode: of.ref('excluded.mode') })))
      .execute();
  }
}

async function writePositions(tx: Tx, { positions }: ContractBatch): Promise<void> {
  const open = [...positions.values()].flatMap((one) => (one.open === undefined ? [] : [positionRow(one.open)]));
  for (const piece of piecesOf(open)) {
    await inserted(tx, 'projector_position', piece)
      .onConflict((conflict) =>
        conflict.columns(['account', 'market', 'position_side']).doUpdateSet((of) => ({
          size: of.ref('excluded.size'),
          cost: of.ref('excluded.cost'),
          fees: of.ref('excluded.fees'),
          funding: of.ref('excluded.funding'),
          opened_at: of.ref('excluded.opened_at'),
          max_size: of.ref('excluded.max_size'),
          closed_size: of.ref('excluded.closed_size'),
          closed_notional: of.ref('excluded.closed_notional'),
          released_cost: of.ref('excluded.released_cost'),
          profit: of.ref('excluded.profit'),
        })),
      )
      .execute();
  }
  const gone = [...positions.values()].filter((one) => one.open === undefined).map(({ place }) => place);
  for (const { account, market, positionSide } of gone) {
    await tx
      .deleteFrom('projector_position')
      .where('account', '=', account)
      .where('market', '=', market)
      .where('position_side', '=', positionSide)
      .execute();
  }
}

const positionRow = ({ account, market, positionSide, size, cost, fees, funding, openedAt, maxSize, closed }: OpenPosition) => ({
  account,
  market,
  position_side: positionSide,
  size,
  cost: String(cost),
  fees: String(fees),
  funding: String(funding),
  opened_at: openedAt,
  max_size: maxSize,
  closed_size: closed.size,
  closed_notional: String(closed.notional),
  released_cost: String(closed.releasedCost),
  profit: String(closed.profit),
});

async function writePrices(tx: Tx, { priceCandles, markPrices }: ContractBatch): Promise<void> {
  const candles = [...priceCandles.values()].map(({ openTime, ...candle }) => ({ ...candle, open_time: openTime }));
  for (const piece of piecesOf(candles)) {
    await inserted(tx, 'projector_price_candle', piece)
      .onConflict((conflict) =>
        conflict.columns(['market', 'source', 'open_time']).doUpdateSet({
          high: sql`greatest(projector_price_candle.high, excluded.high)`,
          low: sql`least(projector_price_candle.low, excluded.low)`,
          close: sql`excluded.close`,
        }),
      )
      .execute();
  }
  for (const piece of piecesOf([...markPrices.values()])) {
    await inserted(tx, 'projector_mark_price', piece)
      .onConflict((conflict) => conflict.columns(['market', 'ends_at']).doUpdateSet((of) => ({ price: of.ref('excluded.price') })))
      .execute();
  }
}
