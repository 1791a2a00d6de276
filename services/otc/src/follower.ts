/** Follows history for what happens in OTC trading: first SQL, with the offset in one transaction, then memory, then people. */
import { HistoryReader } from '@orrery/foundation';
import type { Event, Heart, OtcEvent } from '@orrery/protocol';
import { type Seq, seq } from '@orrery/units';
import type { Gathered } from '@orrery/views';
import type { Board } from './board.ts';
import type { DeskState } from './desk-state.ts';
import { fold, type FoldParts, type Happened, type Touched } from './fold.ts';
import type { OtcDb } from './tables.ts';

/** Commands between writes of the offset without a fact of ours: reading commands again is idempotent. */
const OFFSET_EVERY = 10_000;

const OTC_EVENTS: ReadonlySet<string> = new Set<OtcEvent['type']>([
  'OtcTermsSet',
  'AssistPricesSet',
  'AdvertisementPublished',
  'AdvertisementChanged',
  'OtcOrderCreated',
  'OtcOrderStepped',
  'OtcDisputeDecided',
  'OtcDecisionAppealed',
  'OtcDeadlinesMoved',
  'MerchantDeposited',
  'MerchantDepositReturned',
  'MerchantDepositPaid',
]);
const isOurs = (event: Event): event is OtcEvent => OTC_EVENTS.has(event.type);
/** They are set every few seconds, and nothing of them is written. */
const isWritten = ({ event }: Happened): boolean => event.type !== 'AssistPricesSet' && event.type !== 'OtcTermsSet';

interface FollowerParts extends FoldParts {
  readonly heart: Heart;
  readonly db: OtcDb;
  readonly board: Board;
  readonly desk: DeskState;
  readonly onTrouble: (error: unknown) => void;
}

export class OtcFollower {
  readonly #parts: FollowerParts;
  readonly #reader: HistoryReader<Happened[]>;

  constructor(parts: FollowerParts) {
    this.#parts = parts;
    this.#reader = new HistoryReader({
      heart: parts.heart,
      gathering: {
        begin: (): Happened[] => [],
        take: (news, { at, events }) => {
          for (const event of events) if (isOurs(event)) news.push({ event, at });
        },
      },
      fold: (gathered, written) => this.#fold(gathered, written),
      onTrouble: parts.onTrouble,
    });
  }

  async start(): Promise<void> {
    const { db } = this.#parts;
    await db
      .insertInto('otc_offset')
      .values({ id: 1, seq: 0 })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    const { seq: at } = await db.selectFrom('otc_offset').select('seq').executeTakeFirstOrThrow();
    this.#reader.start(seq(at));
  }

  /** Resolves when everything up to `wanted` is in SQL and in memory. */
  reached(wanted: Seq): Promise<void> {
    return this.#reader.reached(wanted);
  }

  stop(): Promise<void> {
    return this.#reader.stop();
  }

  async #fold({ piece, last }: Gathered<Happened[]>, written: Seq): Promise<Seq> {
    const { db, board, desk, traders, announcements } = this.#parts;
    for (const { event } of piece) desk.apply(event);
    const facts = piece.filter(isWritten);
    if (facts.length === 0 && last - written < OFFSET_EVERY) return written;
    const touched: Touched = { advertisements: new Set(), accounts: new Set(), announcements: [] };
    await db.transaction().execute(async (tx) => {
      const moved = await tx.updateTable('otc_offset').set({ seq: last }).where('seq', '=', written).executeTakeFirst();
      if (moved.numUpdatedRows !== 1n) throw new Error(`the offset of OTC trading is not at ${written} any more`);
      for (const happened of facts) await fold(tx, happened, this.#parts, touched);
    });
    await board.readAgain([...touched.advertisements]);
    for (const account of touched.accounts) traders.forget(account);
    announcements.announce(touched.announcements);
    return last;
  }
}
