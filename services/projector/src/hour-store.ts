/** The hours of portfolios in SQL. */
import { accountId, assetId, atoms, marketId, ticks } from '@orrery/units';
import type { Kysely, Selectable } from 'kysely';
import type { AssetHour, Batch, Row } from './batch.ts';
import { endOfHour, type Hours } from './hours.ts';
import { inserted, piecesOf, type Tx } from './insert.ts';
import type { ProjectorTables } from './tables.ts';

/** @param at of the last command that is written, unix milliseconds */
export async function loadHours(tx: Tx, hours: Hours, at: number): Promise<void> {
  for (const { market, price } of await pricesAt(tx, endOfHour(at))) hours.restorePrice(marketId(market), ticks(price));
  const open = tx.selectFrom('projector_hour').selectAll().where('ends_at', '=', endOfHour(at));
  for (const row of await open.execute()) hours.restoreOpen(hourOf(row));
}

/** The index price of each market that held at `at`, a full hour. */
export async function pricesAt(
  db: Kysely<ProjectorTables>,
  at: number,
): Promise<readonly Selectable<ProjectorTables['projector_index_price']>[]> {
  const newest = db
    .selectFrom('projector_index_price')
    .select((of) => ['market', of.fn.max<number>('ends_at').as('ends_at')])
    .where('ends_at', '<=', at)
    .groupBy('market')
    .as('newest');
  return db
    .selectFrom('projector_index_price as held')
    .innerJoin(newest, (on) => on.onRef('newest.market', '=', 'held.market').onRef('newest.ends_at', '=', 'held.ends_at'))
    .select(['held.market', 'held.ends_at', 'held.price'])
    .orderBy('held.market')
    .execute();
}

export async function writeHours(tx: Tx, batch: Batch): Promise<void> {
  for (const piece of piecesOf([...batch.hours.values()].map(rowOf))) {
    await inserted(tx, 'projector_hour', piece)
      .onConflict((conflict) =>
        conflict.columns(['account', 'ends_at', 'asset']).doUpdateSet((of) => ({
          total: of.ref('excluded.total'),
          net_deposits: of.ref('excluded.net_deposits'),
          trades: of.ref('excluded.trades'),
          volume: of.ref('excluded.volume'),
          fees: of.ref('excluded.fees'),
          fees_value: of.ref('excluded.fees_value'),
          futures_total: of.ref('excluded.futures_total'),
          futures_net: of.ref('excluded.futures_net'),
          contract_trades: of.ref('excluded.contract_trades'),
          contract_volume: of.ref('excluded.contract_volume'),
          contract_fees: of.ref('excluded.contract_fees'),
          contract_fees_value: of.ref('excluded.contract_fees_value'),
        })),
      )
      .execute();
  }
  const prices = [...batch.prices.values()].map(({ market, endsAt, price }) => ({ market, ends_at: endsAt, price }));
  for (const piece of piecesOf(prices)) {
    await inserted(tx, 'projector_index_price', piece)
      .onConflict((conflict) => conflict.columns(['market', 'ends_at']).doUpdateSet((of) => ({ price: of.ref('excluded.price') })))
      .execute();
  }
}

const rowOf = (hour: AssetHour): Row<'projector_hour'> => ({
  account: hour.account,
  asset: hour.asset,
  ends_at: hour.endsAt,
  total: String(hour.total),
  net_deposits: String(hour.netDeposits),
  trades: hour.trades,
  volume: String(hour.volume),
  fees: String(hour.fees),
  fees_value: String(hour.feesValue),
  futures_total: String(hour.futuresTotal),
  futures_net: String(hour.futuresNet),
  contract_trades: hour.contractTrades,
  contract_volume: String(hour.contractVolume),
  contract_fees: String(hour.contractFees),
  contract_fees_value: String(hour.contractFeesValue),
});

const hourOf = (row: Selectable<ProjectorTables['projector_hour']>): AssetHour => ({
  account: accountId(row.account),
  asset: assetId(row.asset),
  endsAt: row.ends_at,
  total: atoms(BigInt(row.total)),
  netDeposits: atoms(BigInt(row.net_deposits)),
  trades: row.trades,
  volume: atoms(BigInt(row.volume)),
  fees: atoms(BigInt(row.fees)),
  feesValue: atoms(BigInt(row.fees_value)),
  futuresTotal: atoms(BigInt(row.futures_total)),
  futuresNet: atoms(BigInt(row.futures_net)),
  contractTrades: row.contract_trades,
  contractVolume: atoms(BigInt(row.contract_volume)),
  contractFees: atoms(BigInt(row.contract_fees)),
  contractFeesValue: atoms(BigInt(row.contract_fees_value)),
});
