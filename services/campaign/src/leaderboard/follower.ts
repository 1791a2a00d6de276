/**
 * Folds the trades of history into the flows of their campaigns: each as it arrives, because trades retained until they are
 * written would burden the collector; then writes the sums to SQL, with the offset in one transaction; then updates memory.
 */
import { type AccountDirectory, HistoryReader, isToWrite, type PiecePlace } from '@orrery/foundation';
import type { Applied, Heart, PositionReduced, Trade } from '@orrery/protocol';
import { type AccountId, type MarketId, type Seq, seq, type Ticks } from '@orrery/units';
import type { Gathered, Moment } from '@orrery/views';
import type { Kysely, Transaction } from 'kysely';
import { isCounted } from './counted-markets.ts';
import { blockAt, contractFlowOf, type Flow, flowOf, Flows, reductionFlowOf } from './flows.ts';
import { FreshOrders } from './fresh-orders.ts';
import { type Moved, OutsidePrices } from './outside-prices.ts';
import type { Period, Periods } from './periods.ts';
import { beginOffset, loadFlows, loadMarks, writeFlows, writeMarks } from './store.ts';
import type { CampaignTables } from '../tables/tables.ts';

/** What comes meanwhile is written together. */
const GATHER_MS = 1_000;
/** Commands between writes of the offset without a trade: reading commands again is idempotent. */
const OFFSET_EVERY = 10_000;
/** An order that is taken this soon may have been agreed upon. */
const QUICK_MS = 5_000;

const USDC = 'USDC';

interface News {
  /** The sums of recent trades, by campaign. */
  readonly flows: Map<string, Flows>;
  readonly moved: Moved;
}

/** The sums of one campaign so far. */
export interface Course {
  readonly flows: Flows;
  readonly marks: Map<MarketId, Ticks>;
}

export class FlowFollower {
  readonly #heart: Heart;
  readonly #db: Kysely<CampaignTables>;
  readonly #members: AccountDirectory;
  readonly #periods: Periods;
  readonly #courses = new Map<string, Course>();
  readonly #fresh = new FreshOrders(QUICK_MS);
  readonly #outside = new OutsidePrices();
  #liquidator: AccountId | undefined;
  readonly #reader: HistoryReader<News>;
  #running: Running | undefined;

  constructor(parts: {
    heart: Heart;
    db: Kysely<CampaignTables>;
    members: AccountDirectory;
    periods: Periods;
    onTrouble: (error: unknown) => void;
  }) {
    const { heart, onTrouble } = parts;
    this.#heart = heart;
    this.#db = parts.db;
    this.#members = parts.members;
    this.#periods = parts.periods;
    this.#reader = new HistoryReader({
      heart,
      gathering: { begin: (): News => ({ flows: new Map(), moved: new Map() }), take: (news, applied) => this.#take(news, applied) },
      fold: (gathered, place) => this.#fold(gathered, place),
      onTrouble,
      gatherMs: GATHER_MS,
    });
  }

  /** The campaigns must be loaded. */
  async start(): Promise<void> {
    await beginOffset(this.#db);
    this.#liquidator = this.#liquidatorNow();
    const read = this.#db.transaction().setIsolationLevel('repeatable read');
    this.#reader.start(await read.execute((tx) => this.#load(tx)));
  }

  /** All of one moment: another process may be writing. @returns how far it is written */
  async #load(tx: Transaction<CampaignTables>): Promise<Seq> {
    await this.#outside.load(tx);
    for (const { campaignId, isDecided } of this.#periods.all()) {
      if (isDecided) continue;
      this.#courses.set(campaignId, { flows: await loadFlows(tx, campaignId), marks: await loadMarks(tx, campaignId) });
    }
    const { seq: at } = await tx.selectFrom('campaign_flow_offset').select('seq').executeTakeFirstOrThrow();
    return seq(at);
  }

  stop(): Promise<void> {
    return this.#reader.stop();
  }

  course(campaignId: string): Course {
    const found = this.#courses.get(campaignId) ?? { flows: new Flows(), marks: new Map<MarketId, Ticks>() };
    this.#courses.set(campaignId, found);
    return found;
  }

  /** Its ranks are decided: its flows are needed no more. */
  forget(campaignId: string): void {
    this.#courses.delete(campaignId);
  }

  /** Resolves when everything up to `wanted` is in the courses. */
  reached(wanted: Seq): Promise<void> {
    return this.#reader.reached(wanted);
  }

  #take(news: News, { seq: place, at, events }: Applied): void {
    this.#outside.begin(place);
    for (const event of events) {
      this.#outside.take(event, at, news.moved);
      if (event.type === 'Trade') this.#trade(event, { seq: place, at }, news);
      else if (event.type === 'PositionReduced') this.#reduction(event, { seq: place, at }, news);
      else if (event.type === 'LiquidatorSet') this.#liquidator = event.account;
      else if (event.type === 'OrderAccepted') this.#fresh.accepted(event.orderId, at);
      else if (event.type === 'IndexPriceSet')
        for (const { campaignId } of this.#runningAt(at)) this.course(campaignId).marks.set(event.market, event.price);
      else if (event.type === 'PricesSet')
        for (const { campaignId } of this.#runningAt(at)) this.course(campaignId).marks.set(event.market, event.mark);
    }
  }

  async #fold({ piece: { flows: news, moved }, last }: Gathered<News>, place: PiecePlace): Promise<Seq> {
    this.#outside.fold(moved);
    if (news.size === 0 && last - place.written < OFFSET_EVERY) return place.written;
    await this.#db.transaction().execute(async (tx) => {
      const { seq: row } = await tx.selectFrom('campaign_flow_offset').select('seq').forUpdate().executeTakeFirstOrThrow();
      if (!isToWrite("the campaigns' flows", row, place)) return;
      await tx.updateTable('campaign_flow_offset').set({ seq: last }).execute();
      for (const [campaignId, flows] of news) await writeFlows(tx, campaignId, flows);
      await this.#outside.write(tx);
      for (const campaignId of news.keys()) await writeMarks(tx, campaignId, this.course(campaignId).marks);
    });
    for (const [campaignId, flows] of news) for (const flow of flows.all()) this.course(campaignId).flows.add(flow);
    return last;
  }

  #trade(trade: Trade, { at, seq: place }: Moment, news: News): void {
    if (!isCounted(trade.market, this.#members)) return;
    const outside = this.#outside.at(trade.market, at);
    const isQuick = this.#fresh.isFresh(trade.makerOrderId, at);
    for (const { campaignId, startsAt } of this.#runningAt(at)) {
      const flow = this.#flowOf(trade, { block: blockAt(at, startsAt), isQuick, seq: place, outside });
      flowsOf(news, campaignId).add(flow);
      const { marks } = this.course(campaignId);
      // Without an outside price the first trade's price is used.
      if (!marks.has(trade.market)) marks.set(trade.market, trade.price);
    }
  }

  /** What the exchange closed without a trade; a trade's own reductions are in its flow. */
  #reduction(event: PositionReduced, { at, seq: place }: Moment, news: News): void {
    const { account, cause, market } = event;
    const exchange = this.#liquidator;
    if ((cause !== 'takeover' && cause !== 'adl') || exchange === undefined || account === exchange) return;
    const contract = this.#members.contract(market);
    if (contract === undefined || !isCounted(market, this.#members)) return;
    for (const { campaignId, startsAt } of this.#runningAt(at)) {
      const flow = reductionFlowOf(event, { contract, exchange, block: blockAt(at, startsAt), seq: place });
      if (flow !== undefined) flowsOf(news, campaignId).add(flow);
    }
  }

  /** Where history is followed from, one may have been set already. */
  #liquidatorNow(): AccountId | undefined {
    const view = this.#heart.open();
    view.close();
    return view.facts.find((fact) => fact.type === 'LiquidatorSet')?.account;
  }

  #flowOf(trade: Trade, moment: { block: number; isQuick: boolean; seq: Seq; outside: Ticks | undefined }): Flow {
    const market = this.#members.market(trade.market);
    if (market !== undefined) return flowOf(trade, { market, ...moment });
    const contract = this.#members.contract(trade.market);
    const usdc = this.#members.asset(USDC);
    if (contract === undefined || usdc === undefined) throw new Error(`market ${trade.market} traded before it was registered`);
    return contractFlowOf(trade, { contract, usdcDecimals: usdc.decimals, ...moment });
  }

  /** Many commands are of one moment. */
  #runningAt(at: number): readonly Period[] {
    const known = this.#periods.all();
    if (this.#running?.at !== at || this.#running.known !== known) this.#running = { at, known, periods: this.#periods.runningAt(at) };
    return this.#running.periods;
  }
}

function flowsOf({ flows }: News, campaignId: string): Flows {
  const found = flows.get(campaignId) ?? new Flows();
  flows.set(campaignId, found);
  return found;
}

interface Running {
  readonly at: number;
  /** All campaigns there were when it was asked. */
  readonly known: readonly Period[];
  readonly periods: readonly Period[];
}
