/**
 * Folds the trades of history into the flows of their campaigns: each as it arrives, because trades retained until they are
 * written would burden the collector; then writes the sums to SQL, with the offset in one transaction; then updates memory.
 */
import type { AccountDirectory } from '@orrery/foundation';
import type { Applied, Heart, Trade } from '@orrery/protocol';
import type { MarketId, Seq, Ticks } from '@orrery/units';
import type { Gathered, Moment } from '@orrery/views';
import type { Kysely } from 'kysely';
import { HistoryReader } from '../history/reader.ts';
import { blockAt, contractFlowOf, type Flow, flowOf, Flows } from './flows.ts';
import { FreshOrders } from './fresh-orders.ts';
import type { Period, Periods } from './periods.ts';
import { loadFlows, loadMarks, loadOffset, writeFlows, writeMarks } from './store.ts';
import type { CampaignTables } from '../tables/tables.ts';

/** What comes meanwhile is written together. */
const GATHER_MS = 1_000;
/** Commands between writes of the offset without a trade: reading commands again is idempotent. */
const OFFSET_EVERY = 10_000;
/** An order that is taken this soon may have been agreed upon. */
const QUICK_MS = 5_000;

const USDC = 'USDC';

/** The sums of recent trades, by campaign. */
type News = Map<string, Flows>;

/** The sums of one campaign so far. */
export interface Course {
  readonly flows: Flows;
  readonly marks: Map<MarketId, Ticks>;
}

export class FlowFollower {
  readonly #db: Kysely<CampaignTables>;
  readonly #members: AccountDirectory;
  readonly #periods: Periods;
  readonly #courses = new Map<string, Course>();
  readonly #fresh = new FreshOrders(QUICK_MS);
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
    this.#db = parts.db;
    this.#members = parts.members;
    this.#periods = parts.periods;
    this.#reader = new HistoryReader({
      heart,
      gathering: { begin: (): News => new Map(), take: (news, applied) => this.#take(news, applied) },
      fold: (gathered, written) => this.#fold(gathered, written),
      onTrouble,
      gatherMs: GATHER_MS,
    });
  }

  /** The campaigns must be loaded. */
  async start(): Promise<void> {
    const at = await loadOffset(this.#db);
    for (const { campaignId, isDecided } of this.#periods.all()) {
      if (isDecided) continue;
      this.#courses.set(campaignId, { flows: await loadFlows(this.#db, campaignId), marks: await loadMarks(this.#db, campaignId) });
    }
    this.#reader.start(at);
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
    for (const event of events) {
      if (event.type === 'Trade') this.#trade(event, { seq: place, at }, news);
      else if (event.type === 'OrderAccepted') this.#fresh.accepted(event.orderId, at);
      else if (event.type === 'IndexPriceSet')
        for (const { campaignId } of this.#runningAt(at)) this.course(campaignId).marks.set(event.market, event.price);
      else if (event.type === 'PricesSet')
        for (const { campaignId } of this.#runningAt(at)) this.course(campaignId).marks.set(event.market, event.mark);
    }
  }

  async #fold({ piece: news, last }: Gathered<News>, written: Seq): Promise<Seq> {
    if (news.size === 0 && last - written < OFFSET_EVERY) return written;
    await this.#db.transaction().execute(async (tx) => {
      const moved = await tx.updateTable('campaign_flow_offset').set({ seq: last }).where('seq', '=', written).executeTakeFirst();
      if (moved.numUpdatedRows !== 1n) throw new Error(`the offset of the campaigns' flows is not at ${written} any more`);
      for (const [campaignId, flows] of news) await writeFlows(tx, campaignId, flows);
      for (const campaignId of news.keys()) await writeMarks(tx, campaignId, this.course(campaignId).marks);
    });
    for (const [campaignId, flows] of news) for (const flow of flows.all()) this.course(campaignId).flows.add(flow);
    return last;
  }

  #trade(trade: Trade, { at, seq: place }: Moment, news: News): void {
    const isQuick = this.#fresh.isFresh(trade.makerOrderId, at);
    for (const { campaignId, startsAt } of this.#runningAt(at)) {
      let flows = news.get(campaignId);
      if (flows === undefined) news.set(campaignId, (flows = new Flows()));
      flows.add(this.#flowOf(trade, { block: blockAt(at, startsAt), isQuick, seq: place }));
      const { marks } = this.course(campaignId);
      // Without an outside price the first trade's price is used.
      if (!marks.has(trade.market)) marks.set(trade.market, trade.price);
    }
  }

  #flowOf(trade: Trade, moment: { readonly block: number; readonly isQuick: boolean; readonly seq: Seq }): Flow {
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

interface Running {
  readonly at: number;
  /** All campaigns there were when it was asked. */
  readonly known: readonly Period[];
  readonly periods: readonly Period[];
}
