/** Flows and marks of a campaign in SQL. */
import { accountId, type MarketId, marketId, type Ticks, ticks } from '@orrery/units';
import { type Kysely, type Selectable, sql, type Transaction } from 'kysely';
import { type Flow, Flows } from './flows.ts';
import type { CampaignTables } from '../tables/tables.ts';

/** PostgreSQL takes 65,535 parameters in one statement. */
const ROWS_PER_STATEMENT = 1_000;

type Row = Selectable<CampaignTables['campaign_flow']>;

/** Flows are sums: where the offset is missing they are folded again from the first command. */
export async function beginOffset(db: Kysely<CampaignTables>): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const begun = await tx
      .insertInto('campaign_flow_offset')
      .values({ id: 1, seq: 0 })
      .onConflict((conflict) => conflict.doNothing())
      .returning('id')
      .executeTakeFirst();
    if (begun === undefined) return;
    await tx.deleteFrom('campaign_flow').execute();
    await tx.deleteFrom('campaign_mark').execute();
    await tx.deleteFrom('campaign_outside_price').execute();
  });
}

export async function loadFlows(db: Kysely<CampaignTables>, campaignId: string): Promise<Flows> {
  const flows = new Flows();
  for (const row of await db.selectFrom('campaign_flow').selectAll().where('campaign_id', '=', campaignId).execute())
    flows.add(flowOf(row));
  return flows;
}

export async function loadMarks(db: Kysely<CampaignTables>, campaignId: string): Promise<Map<MarketId, Ticks>> {
  const rows = await db.selectFrom('campaign_mark').selectAll().where('campaign_id', '=', campaignId).execute();
  return new Map(rows.map(({ market, price }) => [marketId(market), ticks(price)]));
}

/** Adds to what is there. */
export async function writeFlows(tx: Transaction<CampaignTables>, campaignId: string, flows: Flows): Promise<void> {
  const rows = Array.from(flows.all(), (flow) => rowOf(campaignId, flow));
  for (let start = 0; start < rows.length; start += ROWS_PER_STATEMENT) {
    await tx
      .insertInto('campaign_flow')
      .values(rows.slice(start, start + ROWS_PER_STATEMENT))
      .onConflict((conflict) => conflict.columns(['campaign_id', 'market', 'block', 'taker', 'maker']).doUpdateSet(SUMS))
      .execute();
  }
}

export async function writeMarks(tx: Transaction<CampaignTables>, campaignId: string, marks: ReadonlyMap<MarketId, Ticks>): Promise<void> {
  const rows = Array.from(marks, ([market, price]) => ({ campaign_id: campaignId, market, price }));
  if (rows.length === 0) return;
  await tx
    .insertInto('campaign_mark')
    .values(rows)
    .onConflict((conflict) => conflict.columns(['campaign_id', 'market']).doUpdateSet((of) => ({ price: of.ref('excluded.price') })))
    .execute();
}

const sum = (column: string) => sql<never>`${sql.ref(`campaign_flow.${column}`)} + ${sql.ref(`excluded.${column}`)}`;

const SUMS = {
  trades: sum('trades'),
  quick: sum('quick'),
  lots: sum('lots'),
  net_lots: sum('net_lots'),
  taker_volume: sum('taker_volume'),
  taker_cash: sum('taker_cash'),
  taker_base: sum('taker_base'),
  taker_gift: sum('taker_gift'),
  maker_volume: sum('maker_volume'),
  maker_cash: sum('maker_cash'),
  maker_base: sum('maker_base'),
  maker_gift: sum('maker_gift'),
  last_seq: sql<never>`excluded.last_seq`,
};

function rowOf(campaignId: string, { takerLeg, makerLeg, ...flow }: Flow): Row {
  return {
    campaign_id: campaignId,
    market: flow.market,
    block: flow.block,
    taker: flow.taker,
    maker: flow.maker,
    trades: flow.trades,
    quick: flow.quick,
    lots: String(flow.lots),
    net_lots: String(flow.netLots),
    taker_volume: String(takerLeg.volume),
    taker_cash: String(takerLeg.cash),
    taker_base: String(takerLeg.base),
    taker_gift: String(takerLeg.gift),
    maker_volume: String(makerLeg.volume),
    maker_cash: String(makerLeg.cash),
    maker_base: String(makerLeg.base),
    maker_gift: String(makerLeg.gift),
    last_seq: flow.lastSeq,
  };
}

function flowOf(row: Row): Flow {
  return {
    market: marketId(row.market),
    block: row.block,
    taker: accountId(row.taker),
    maker: accountId(row.maker),
    trades: row.trades,
    quick: row.quick,
    lots: BigInt(row.lots),
    netLots: BigInt(row.net_lots),
    takerLeg: {
      volume: BigInt(row.taker_volume),
      cash: BigInt(row.taker_cash),
      base: BigInt(row.taker_base),
      gift: BigInt(row.taker_gift),
    },
    makerLeg: {
      volume: BigInt(row.maker_volume),
      cash: BigInt(row.maker_cash),
      base: BigInt(row.maker_base),
      gift: BigInt(row.maker_gift),
    },
    lastSeq: row.last_seq,
  };
}
