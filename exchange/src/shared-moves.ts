/**
 * Moves of outside prices on a database that processes share: a row for each contract, written by the process at which a tester asks, and followed by the one
 * that submits prices. That one writes how far it is, so that the next one goes on from there.
 */
import { type Changes, CopyKeeper, type Lease, LeaseLost, sendChanges, statements } from '@orrery/foundation';
import { checkMove, type Moves, MoveTaken, type PriceMove, PriceMoves, type Walk } from '@orrery/prices';
import { marketId, type MarketId, millis, type Millis } from '@orrery/units';
import type { Kysely, Selectable } from 'kysely';
import type { Migration } from 'kysely/migration';

const TABLE = 'exchange_price_move';

export interface MoveTables {
  /** `ppm` is where a move leads, `shift_ppm` where the last round was; `ends_at` in unix milliseconds. */
  exchange_price_move: { market: number; ppm: number; ends_at: number; shift_ppm: number; hunt: string | null };
}

export const moveMigrations: Readonly<Record<string, Migration>> = {
  'exchange-004-price-moves': statements([
    `create table ${TABLE} (market integer primary key, ppm integer not null, ends_at bigint not null, shift_ppm integer not null, hunt text)`,
    ...sendChanges(TABLE, 'market', 'insert or update or delete'),
  ]),
};

interface MovesParts {
  readonly db: Kysely<MoveTables>;
  readonly changes: Changes;
  /** Under which rounds are submitted. */
  readonly lease: Lease;
  readonly onTrouble: (error: unknown) => void;
}

type Round = ReturnType<PriceMoves['applied']>;

export class SharedMoves implements Moves {
  readonly #parts: MovesParts;
  readonly #own = new PriceMoves();
  readonly #copies: CopyKeeper;
  /** One look after the other: what was read first never replaces what was read later. */
  #reading: Promise<void> = Promise.resolve();
  #isLoaded = false;
  /** By contract: what its row does not have yet. */
  readonly #unsaved = new Map<MarketId, Walk | { readonly ended: PriceMove }>();
  #saving: Promise<void> | undefined;
  readonly #endForgetting: () => void;

  constructor(parts: MovesParts) {
    this.#parts = parts;
    const { changes, onTrouble } = parts;
    const readAgain = (key: string | undefined): Promise<void> => this.#readAgain(key === undefined ? undefined : marketId(Number(key)));
    this.#copies = new CopyKeeper({ changes, copies: [{ tables: [TABLE], readAgain }], onTrouble });
    // What an earlier hold could not write is older than what others have written since.
    this.#endForgetting = parts.lease.onTaken(() => this.#unsaved.clear());
  }

  /** Before the first round. */
  async load(): Promise<void> {
    await this.#readAgain(undefined);
  }

  async stop(): Promise<void> {
    this.#endForgetting();
    await this.#copies.stop();
    await this.#saving;
  }

  async move(move: PriceMove, now: Millis): Promise<void> {
    checkMove(move, now);
    const { market, ppm, endsAt, hunt = null } = move;
    const written = await this.#parts.db
      .insertInto(TABLE)
      .values({ market, ppm, ends_at: endsAt, shift_ppm: 0, hunt })
      .onConflict((conflict) =>
        conflict
          .column('market')
          .doUpdateSet({ ppm, ends_at: endsAt, hunt })
          .where((row) => {
            const isFree = [row(`${TABLE}.hunt`, 'is', null), row(`${TABLE}.hunt`, '=', hunt), row(`${TABLE}.ends_at`, '<=', now)];
            return hunt === null ? row.lit(true) : row.or(isFree);
          }),
      )
      .returning('market')
      .executeTakeFirst();
    if (written === undefined) throw new MoveTaken('another hunt has the contract');
    await this.#readAgain(market);
  }

  shift(market: MarketId): number {
    return this.#own.shift(market);
  }

  applied(market: MarketId, round: Round, at: Millis): Round {
    const before = this.#own.walk(market);
    const shifted = this.#own.applied(market, round, at);
    const after = this.#own.walk(market);
    if (before !== undefined && after?.ppm !== before.ppm) this.#unsaved.set(market, after ?? { ended: before.move });
    if (this.#unsaved.size > 0) this.#saving ??= this.#save().finally(() => (this.#saving = undefined));
    return shifted;
  }

  /** What cannot be written now is written with the next round. */
  async #save(): Promise<void> {
    try {
      // A contract may take its next step while the one before it is written.
      for (let [next] = this.#unsaved; next !== undefined; [next] = this.#unsaved) {
        const [market, walk] = next;
        await ('ended' in walk ? this.#end(walk.ended) : this.#writeShift(market, walk.ppm));
        if (this.#unsaved.get(market) === walk) this.#unsaved.delete(market);
      }
    } catch (error) {
      // The process that submits prices now writes how far they are.
      if (error instanceof LeaseLost) this.#unsaved.clear();
      else this.#parts.onTrouble(error);
    }
  }

  /** The row goes, unless it is another move by now: that one begins where this one has ended. */
  async #end({ market, ppm, endsAt }: PriceMove): Promise<void> {
    const ofMarket = this.#parts.db.deleteFrom(TABLE).where('market', '=', market);
    await ofMarket.where('ppm', '=', ppm).where('ends_at', '=', endsAt).execute();
    await this.#writeShift(market, 0);
  }

  async #writeShift(market: MarketId, ppm: number): Promise<void> {
    await this.#parts.db.updateTable(TABLE).set({ shift_ppm: ppm }).where('market', '=', market).execute();
  }

  #readAgain(market: MarketId | undefined): Promise<void> {
    const read = this.#reading.then(() => this.#read(market));
    this.#reading = read.catch(() => undefined);
    return read;
  }

  async #read(market: MarketId | undefined): Promise<void> {
    const rows = await this.#parts.db
      .selectFrom(TABLE)
      .selectAll()
      .$if(market !== undefined, (of) => of.where('market', '=', market ?? 0))
      .execute();
    const found = new Set(rows.map((row) => row.market));
    // Who submits prices knows better than the row how far they are.
    const isOwn = this.#isLoaded && this.#parts.lease.hold() !== undefined;
    for (const row of rows) this.#own.set(isOwn ? { move: moveOf(row), ppm: this.#own.shift(marketId(row.market)) } : walkOf(row));
    for (const each of market === undefined ? this.#own.markets() : [market]) if (!found.has(each)) this.#lose(each, isOwn);
    this.#isLoaded = true;
  }

  /** There is no row: a price that is shifted returns in steps. */
  #lose(market: MarketId, isOwn: boolean): void {
    const ppm = this.#own.shift(market);
    if (isOwn && ppm !== 0) this.#own.set({ move: { market, ppm: 0, endsAt: millis(0) }, ppm });
    else this.#own.drop(market);
  }
}

const moveOf = ({ market, ppm, ends_at: endsAt, hunt }: Selectable<MoveTables[typeof TABLE]>): PriceMove => ({
  market: marketId(market),
  ppm,
  endsAt: millis(endsAt),
  ...(hunt !== null && { hunt }),
});

const walkOf = (row: Selectable<MoveTables[typeof TABLE]>): Walk => ({ move: moveOf(row), ppm: row.shift_ppm });
