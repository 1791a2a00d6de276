/** Folds the trades of history into the flows of the campaigns they fall into: in SQL with the offset in one transaction, then in memory. */
import type { Event, Heart } from '@orrery/protocol';
import { type MarketId, type OrderId, type Seq, seq, type Ticks } from '@orrery/units';
import { type Moment, sift, type Sifted } from '@orrery/views';
import type { Kysely } from 'kysely';
import { setTimeout as pause } from 'node:timers/promises';
import { blockAt, flowOf, Flows } from './flows.ts';
import type { Period, Periods } from './periods.ts';
import { loadFlows, loadMarks, writeFlows, writeMarks } from './store.ts';
import type { Members } from '../members/members.ts';
import type { CampaignTables } from '../tables.ts';

const RETRY_MS = 500;
/** What comes meanwhile is written together. */
const GATHER_MS = 1_000;
/** Without a trade the offset is written this seldom: telling again what was told changes nothing. */
const OFFSET_EVERY = 10_000;
/** An order that is taken this soon may have been agreed upon. */
const QUICK_MS = 5_000;

type Told = Extract<Event, { type: 'Trade' | 'OrderAccepted' | 'IndexPriceSet' }>;

const isTold = (event: Event): event is Told => event.type === 'Trade' || event.type === 'OrderAccepted' || event.type === 'IndexPriceSet';

/** What one campaign has come to so far. */
export interface Course {
  readonly flows: Flows;
  readonly marks: Map<MarketId, Ticks>;
}

export class FlowFollower {
  readonly #heart: Heart;
  readonly #db: Kysely<CampaignTables>;
  readonly #members: Members;
  readonly #periods: Periods;
  readonly #onTrouble: (error: unknown) => void;
  readonly #courses = new Map<string, Course>();
  /** Orders of the last seconds, oldest first, and when they came. */
  readonly #fresh = new Map<OrderId, number>();
  readonly #stopped = Promise.withResolvers<'stopped'>();
  readonly #waiters = new Set<{ readonly seq: Seq; readonly resolve: () => void }>();
  /** Rung when somebody waits: then nothing is gathered any longer. */
  #bell = Promise.withResolvers<void>();
  #stopping = false;
  #written = seq(0);
  #seq = seq(0);
  #following: Promise<void> = Promise.resolve();

  constructor(parts: {
    heart: Heart;
    db: Kysely<CampaignTables>;
    members: Members;
    periods: Periods;
    onTrouble: (error: unknown) => void;
  }) {
    this.#heart = parts.heart;
    this.#db = parts.db;
    this.#members = parts.members;
    this.#periods = parts.periods;
    this.#onTrouble = parts.onTrouble;
  }

  /** The campaigns must be loaded. */
  async start(): Promise<void> {
    for (const { campaignId, isDecided } of this.#periods.all()) {
      if (isDecided) continue;
      this.#courses.set(campaignId, { flows: await loadFlows(this.#db, campaignId), marks: await loadMarks(this.#db, campaignId) });
    }
    const { seq: at } = await this.#db.selectFrom('campaign_flow_offset').select('seq').executeTakeFirstOrThrow();
    this.#written = seq(at);
    this.#advance(this.#written);
    this.#following = this.#run();
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    this.#stopped.resolve('stopped');
    await this.#following;
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
    if (wanted <= this.#seq) return Promise.resolve();
    this.#bell.resolve();
    return new Promise((resolve) => this.#waiters.add({ seq: wanted, resolve }));
  }

  async #run(): Promise<void> {
    while (!this.#stopping) {
      try {
        await this.#follow();
        return;
      } catch (error) {
        this.#onTrouble(error);
        await Promise.race([pause(RETRY_MS), this.#stopped.promise]);
      }
    }
  }

  async #follow(): Promise<void> {
    const history = sift(this.#heart.subscribe(this.#written), isTold);
    for (;;) {
      const next = await Promise.race([history.next(), this.#stopped.promise]);
      if (next === 'stopped') {
        // It may be waiting for a next command that never comes: it is told, and not waited for.
        void history.return();
        return;
      }
      if (next.done === true) return;
      await this.#fold(next.value);
      if (this.#waiters.size > 0) continue;
      this.#bell = Promise.withResolvers();
      await Promise.race([pause(GATHER_MS), this.#bell.promise, this.#stopped.promise]);
    }
  }

  async #fold({ told, last }: Sifted<Told>): Promise<void> {
    const news = new Map<string, Flows>();
    for (const { event, moment } of told) this.#take(event, moment, news);
    if (news.size > 0 || last - this.#written >= OFFSET_EVERY) {
      const from = this.#written;
      await this.#db.transaction().execute(async (tx) => {
        const moved = await tx.updateTable('campaign_flow_offset').set({ seq: last }).where('seq', '=', from).executeTakeFirst();
        if (moved.numUpdatedRows !== 1n) throw new Error(`the offset of the campaigns' flows is not at ${from} any more`);
        for (const [campaignId, flows] of news) await writeFlows(tx, campaignId, flows);
        for (const campaignId of news.keys()) await writeMarks(tx, campaignId, this.course(campaignId).marks);
      });
      this.#written = last;
      for (const [campaignId, flows] of news) for (const flow of flows.all()) this.course(campaignId).flows.add(flow);
    }
    this.#advance(last);
  }

  #take(event: Told, moment: Moment, news: Map<string, Flows>): void {
    if (event.type === 'OrderAccepted') {
      this.#fresh.set(event.orderId, moment.at);
      return;
    }
    for (const period of this.#periods.runningAt(moment.at)) {
      if (event.type === 'IndexPriceSet') this.course(period.campaignId).marks.set(event.market, event.price);
      else this.#trade(event, moment, { period, news });
    }
  }

  #trade(trade: Extract<Told, { type: 'Trade' }>, { at, seq: place }: Moment, to: { period: Period; news: Map<string, Flows> }): void {
    const { campaignId, startsAt } = to.period;
    const market = this.#members.market(trade.market);
    if (market === undefined) throw new Error(`market ${trade.market} traded before it was registered`);
    for (const [order, acceptedAt] of this.#fresh) {
      if (acceptedAt >= at - QUICK_MS) break;
      this.#fresh.delete(order);
    }
    const flows = to.news.get(campaignId) ?? new Flows();
    to.news.set(campaignId, flows);
    flows.add(flowOf(trade, { market, block: blockAt(at, startsAt), isQuick: this.#fresh.has(trade.makerOrderId), seq: place }));
    const { marks } = this.course(campaignId);
    // Where no price is told from outside, the first trade stands for it.
    if (!marks.has(trade.market)) marks.set(trade.market, trade.price);
  }

  #advance(to: Seq): void {
    this.#seq = to;
    for (const waiter of this.#waiters) {
      if (waiter.seq > to) continue;
      this.#waiters.delete(waiter);
      waiter.resolve();
    }
  }
}
