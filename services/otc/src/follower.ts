/** Follows history for what happens in OTC trading: first SQL, with the offset in one transaction, then memory, then people. */
import { HistoryReader, isToWrite, type PiecePlace } from '@orrery/foundation';
import type { Event, Heart, OtcEvent } from '@orrery/protocol';
import { type AccountId, type Seq, seq } from '@orrery/units';
import type { Gathered } from '@orrery/views';
import type { Board } from './board.ts';
import type { DeskState } from './desk-state.ts';
import { fold, type FoldParts, type Happened } from './fold.ts';
import type { OtcAnnouncement } from './news.ts';
import { touch } from './touched.ts';
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
      fold: (gathered, place) => this.#fold(gathered, place),
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

  async #fold({ piece, last }: Gathered<Happened[]>, place: PiecePlace): Promise<Seq> {
    const { db, board, desk, traders, announcements } = this.#parts;
    for (const { event } of piece) desk.apply(event);
    const facts = piece.filter(isWritten);
    if (facts.length === 0 && last - place.written < OFFSET_EVERY) return place.written;
    const announced: OtcAnnouncement[] = [];
    await db.transaction().execute(async (tx) => {
      const { seq: row } = await tx.selectFrom('otc_offset').select('seq').forUpdate().executeTakeFirstOrThrow();
      if (!isToWrite('OTC trading', row, place)) return;
      await tx.updateTable('otc_offset').set({ seq: last }).execute();
      for (const happened of facts) await fold(tx, happened, this.#parts, announced);
    });
    const advertisements = new Set<number>();
    const accounts = new Set<AccountId>();
    for (const { event } of facts) touch(event, { advertisements, accounts });
    await board.readAgain([...advertisements]);
    for (const account of accounts) traders.forget(account);
    announcements.announce(announced);
    return last;
  }
}
