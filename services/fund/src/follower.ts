/** Follows history for what happens in funds: it is written to SQL, with the offset in one transaction. */
import { HistoryReader, isToWrite, type PiecePlace } from '@orrery/foundation';
import type { Applied, FundEvent, Heart } from '@orrery/protocol';
import {
  type AccountId,
  accountId,
  type AssetId,
  assetId,
  type MarketId,
  marketId,
  type Millis,
  type Seq,
  seq,
  ticks,
  type Ticks,
} from '@orrery/units';
import type { Gathered } from '@orrery/views';
import { addDealings, type Dealing, dealingsOf } from './dealings.ts';
import { fold, type Happened, isOfFunds } from './fold.ts';
import { neverPaused, pauseAfter, type Paused } from './pause.ts';
import type { FundDb, FundTx } from './tables.ts';

/** Commands between writes of the offset without a fact of ours: reading commands again is idempotent. */
const OFFSET_EVERY = 10_000;

interface FollowerParts {
  readonly heart: Pick<Heart, 'subscribe'>;
  readonly db: FundDb;
  /** The market whose index price is that of BTC; undefined where none is listed. */
  readonly btcMarket: MarketId | undefined;
  /** Something of ours is written. */
  readonly onChange: () => Promise<void>;
  readonly onTrouble: (error: unknown) => void;
}

interface Piece {
  readonly happened: Happened[];
  readonly dealings: Dealing[];
  readonly marks: Map<MarketId, Ticks>;
  btc: Ticks | undefined;
}

export class FundFollower {
  readonly #parts: FollowerParts;
  readonly #reader: HistoryReader<Piece>;
  #btc: Ticks | undefined;
  /** As far as history is read, and as far as it is written. */
  readonly #marks = new Map<MarketId, Ticks>();
  readonly #written = new Map<MarketId, Ticks>();
  readonly #funds = new Map<AccountId, AssetId>();
  readonly #pauses = new Map<AssetId, Paused>();

  constructor(parts: FollowerParts) {
    this.#parts = parts;
    this.#reader = new HistoryReader({
      heart: parts.heart,
      gathering: {
        begin: (): Piece => ({ happened: [], dealings: [], marks: new Map(), btc: this.#btc }),
        take: (piece, applied) => this.#take(piece, applied),
      },
      fold: (gathered, place) => this.#fold(gathered, place),
      onTrouble: parts.onTrouble,
    });
  }

  async start(): Promise<void> {
    const { db } = this.#parts;
    await db
      .insertInto('fund_offset')
      .values({ id: 1, seq: 0, btc: null })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    const read = db.transaction().setIsolationLevel('repeatable read');
    this.#reader.start(await read.execute((tx) => this.#load(tx)));
  }

  /** All of one moment: another process may be writing. @returns how far it is written */
  async #load(tx: FundTx): Promise<Seq> {
    const { seq: at, btc } = await tx.selectFrom('fund_offset').select(['seq', 'btc']).executeTakeFirstOrThrow();
    if (btc !== null) this.#btc = ticks(Number(btc));
    for (const { market, price } of await tx.selectFrom('fund_mark').selectAll().execute()) {
      this.#marks.set(marketId(market), ticks(price));
      this.#written.set(marketId(market), ticks(price));
    }
    for (const row of await tx.selectFrom('fund').selectAll().execute()) {
      const fund = assetId(row.fund);
      this.#funds.set(accountId(row.account), fund);
      this.#pauses.set(fund, row);
    }
    return seq(at);
  }

  /** Resolves when everything up to `wanted` is in SQL. */
  reached(wanted: Seq): Promise<void> {
    return this.#reader.reached(wanted);
  }

  stop(): Promise<void> {
    return this.#reader.stop();
  }

  #take(piece: Piece, { seq: number, at, events }: Applied): void {
    for (const [place, event] of events.entries()) {
      if (event.type === 'IndexPriceSet') this.#price(event.market, event.price, piece);
      else if (event.type === 'PricesSet') this.#price(event.market, event.mark, piece);
      else if (event.type === 'Trade')
        piece.dealings.push(...dealingsOf(event, { at, funds: this.#funds, marks: this.#marks, pauses: this.#pauses }));
      else if (event.type === 'FundOpened') {
        this.#funds.set(event.account, event.fund);
        this.#pauses.set(event.fund, neverPaused(String(event.capacity)));
      } else if (event.type === 'FundCapacitySet') this.#setCapacity(event, at);
      if (isOfFunds(event) && event.type !== 'FundHeartbeat') piece.happened.push({ event, at, seq: number, place, btc: this.#btc });
    }
    piece.btc = this.#btc;
  }

  #setCapacity({ fund, capacity }: Extract<FundEvent, { type: 'FundCapacitySet' }>, at: Millis): void {
    const before = this.#pauses.get(fund);
    if (before !== undefined) this.#pauses.set(fund, pauseAfter(before, { capacity: String(capacity), at }));
  }

  #price(market: MarketId, price: Ticks, piece: Piece): void {
    if (market === this.#parts.btcMarket) this.#btc = price;
    this.#marks.set(market, price);
    piece.marks.set(market, price);
  }

  async #fold({ piece: { happened, dealings, marks, btc }, last }: Gathered<Piece>, place: PiecePlace): Promise<Seq> {
    const { db, onChange } = this.#parts;
    for (const [market, price] of marks) this.#written.set(market, price);
    if (happened.length === 0 && dealings.length === 0 && last - place.written < OFFSET_EVERY) return place.written;
    await db.transaction().execute(async (tx) => {
      const { seq: row } = await tx.selectFrom('fund_offset').select('seq').forUpdate().executeTakeFirstOrThrow();
      if (!isToWrite('funds', row, place)) return;
      await tx
        .updateTable('fund_offset')
        .set({ seq: last, btc: btc === undefined ? null : String(btc) })
        .execute();
      for (const one of happened) await fold(tx, one);
      await addDealings(tx, dealings);
      for (const [market, price] of this.#written)
        await tx
          .insertInto('fund_mark')
          .values({ market, price })
          .onConflict((conflict) => conflict.column('market').doUpdateSet({ price }))
          .execute();
    });
    if (happened.length > 0) await onChange();
    return last;
  }
}
