/** Folds the trades of history into the flows of the campaigns they fall into: in SQL with the offset in one transaction, then in memory. */
import type { Event, Heart } from '@orrery/protocol';
import { type MarketId, type Seq, seq, type Ticks } from '@orrery/units';
import type { Moment, Sifted } from '@orrery/views';
import type { Kysely } from 'kysely';
import { HistoryReader } from '../history/reader.ts';
import { blockAt, flowOf, Flows } from './flows.ts';
import { FreshOrders } from './fresh-orders.ts';
import type { Period, Periods } from './periods.ts';
import { loadFlows, loadMarks, writeFlows, writeMarks } from './store.ts';
import type { Members } from '../members/members.ts';
import type { CampaignTables } from '../tables.ts';

/** What comes meanwhile is written together. */
const GATHER_MS = 1_000;
/** Without a trade the offset is written this seldom: telling again what was told changes nothing. */
const OFFSET_EVERY = 10_000;
/** An order that is taken this soon may have been agreed upon. */
const QUICK_MS = 5_000;

type Told = Extract<Event, { type: 'Trade' | 'OrderAccepted' | 'IndexPriceSet' }>;

/** Of the orders of one moment the first: no more is asked of them, and what is kept for a while costs the collector. */
function tellsFirstOrders(): (event: Event, moment: Moment) => event is Told {
  let last: Moment | undefined;
  return (event, moment): event is Told => {
    if (event.type === 'Trade' || event.type === 'IndexPriceSet') return true;
    if (event.type !== 'OrderAccepted') return false;
    // History may be told again, from an earlier moment on.
    const isFirst = last === undefined || moment.at !== last.at || moment.seq <= last.seq;
    if (isFirst) last = { seq: moment.seq, at: moment.at };
    return isFirst;
  };
}

/** What one campaign has come to so far. */
export interface Course {
  readonly flows: Flows;
  readonly marks: Map<MarketId, Ticks>;
}

export class FlowFollower {
  readonly #db: Kysely<CampaignTables>;
  readonly #members: Members;
  readonly #periods: Periods;
  readonly #courses = new Map<string, Course>();
  readonly #fresh = new FreshOrders(QUICK_MS);
  readonly #reader: HistoryReader<Told>;

  constructor(parts: {
    heart: Heart;
    db: Kysely<CampaignTables>;
    members: Members;
    periods: Periods;
    onTrouble: (error: unknown) => void;
  }) {
    const { heart, onTrouble } = parts;
    this.#db = parts.db;
    this.#members = parts.members;
    this.#periods = parts.periods;
    const fold = (piece: Sifted<Told>, written: Seq): Promise<Seq> => this.#fold(piece, written);
    this.#reader = new HistoryReader({ heart, sieve: { isWanted: tellsFirstOrders() }, fold, onTrouble, gatherMs: GATHER_MS });
  }

  /** The campaigns must be loaded. */
  async start(): Promise<void> {
    for (const { campaignId, isDecided } of this.#periods.all()) {
      if (isDecided) continue;
      this.#courses.set(campaignId, { flows: await loadFlows(this.#db, campaignId), marks: await loadMarks(this.#db, campaignId) });
    }
    const { seq: at } = await this.#db.selectFrom('campaign_flow_offset').select('seq').executeTakeFirstOrThrow();
    this.#reader.start(seq(at));
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

  async #fold({ told, last }: Sifted<Told>, written: Seq): Promise<Seq> {
    const news = new Map<string, Flows>();
    let running: Running | undefined;
    for (const { event, moment } of told) {
      if (event.type === 'OrderAccepted') {
        this.#fresh.accepted(event.orderId, moment.at);
        continue;
      }
      // Campaigns are not made or stopped while these are folded: of one moment they are the same.
      if (running?.at !== moment.at) running = { at: moment.at, periods: this.#periods.runningAt(moment.at) };
      for (const period of running.periods) {
        if (event.type === 'IndexPriceSet') this.course(period.campaignId).marks.set(event.market, event.price);
        else this.#trade(event, moment, { period, news });
      }
    }
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

  #trade(trade: Extract<Told, { type: 'Trade' }>, { at, seq: place }: Moment, to: { period: Period; news: Map<string, Flows> }): void {
    const { campaignId, startsAt } = to.period;
    const market = this.#members.market(trade.market);
    if (market === undefined) throw new Error(`market ${trade.market} traded before it was registered`);
    let flows = to.news.get(campaignId);
    if (flows === undefined) to.news.set(campaignId, (flows = new Flows()));
    const isQuick = this.#fresh.isFresh(trade.makerOrderId, at);
    flows.add(flowOf(trade, { market, block: blockAt(at, startsAt), isQuick, seq: place }));
    const { marks } = this.course(campaignId);
    // Where no price is told from outside, the first trade stands for it.
    if (!marks.has(trade.market)) marks.set(trade.market, trade.price);
  }
}

interface Running {
  readonly at: number;
  readonly periods: readonly Period[];
}
