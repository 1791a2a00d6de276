/**
 * Follows the heart and writes history: each command once, in order, or not at all. Trading never waits for it. Of several processes the holder of a lease
 * writes; the others read along, and know how far it is written.
 */
import { type Hold, type Lease, localLease, offsetFault, systemTimer, type Timer, whenFollowed, whileHeld } from '@orrery/foundation';
import type { Applied, Heart, View } from '@orrery/protocol';
import { assert, AssertionError, type Seq, seq } from '@orrery/units';
import { advance, load, mayRegister, StopSignal } from '@orrery/views';
import type { Kysely } from 'kysely';
import { Batch } from './batch.ts';
import type { Listed } from './export-terms.ts';
import { House } from './house.ts';
import { HistoryGap, HistoryMismatch, type Projection } from './projection.ts';
import { loadProjection, readOffset, writeBatch } from './store.ts';
import type { ProjectorTables } from './tables.ts';
import { Unwritten } from './unwritten.ts';
import { Written } from './written.ts';

/** Bounds a transaction while history is rebuilt. */
const COMMANDS_PER_BATCH = 1_000;
const RETRY_MS = 500;
/** The interval at which a process that does not write looks how far history is written, while no reader waits. */
const STAND_BY_MS = 500;
/** The interval between writes of history while no reader waits: many commands share a transaction. */
const PACE_MS = 50;
/** While others need the processors more; less than what makes history stale. */
const BUSY_PACE_MS = 4_000;

/** Where commands and their events come from: the heart, or a follower of its folder. */
export interface HistorySource extends Pick<Heart, 'subscribe'> {
  /** The newest durable command. */
  seq(): Seq;
  /** Whether every command after `after` can be read. */
  covers(after: number): boolean;
  present(): Pick<View, 'seq' | 'facts'>;
}

export interface ProjectorStatus {
  /** Everything up to it can be read. */
  readonly seq: Seq;
  /** Commands that wait to be written. */
  readonly lag: number;
  /** Why nothing more is written; undefined while it goes on. */
  readonly failure: string | undefined;
}

export interface ProjectorOptions {
  readonly source: HistorySource;
  readonly db: Kysely<ProjectorTables>;
  /** Every failure; those of the database are tried again, the others end it. */
  readonly onTrouble: (error: unknown) => void;
  /** Called after every batch, and when nothing more will be written. */
  readonly onProgress?: (progress: Pick<ProjectorStatus, 'seq' | 'failure'>) => void;
  /** Where several processes may write: who holds it does. */
  readonly lease?: Lease;
  /** Hexadecimal, of the accounts of the house: of these history keeps less (`house.ts`). None without it. */
  readonly houseAddresses?: readonly string[];
  readonly timer?: Timer;
  /** Whether others need the processors more at present: history is late then rather than they. */
  readonly isBusy?: () => boolean;
}

export interface Projector {
  status(): ProjectorStatus;
  /** Resolves when everything up to `seq` can be read; rejects when that will not come. */
  reached(seq: Seq): Promise<void>;
  stop(): Promise<void>;
}

/** A projector in this thread, which knows what is listed. */
export interface LocalProjector extends Projector {
  listed(): Listed;
}

/** The tables must be there: see `migrations`. @throws HistoryMismatch when they and the source are not of one history. */
export async function startProjector(options: ProjectorOptions): Promise<LocalProjector> {
  const running = new RunningProjector(options);
  await running.start();
  return running;
}

/** Retrying cannot fix it. */
const isFinal = (error: unknown): error is Error =>
  error instanceof HistoryGap || error instanceof HistoryMismatch || error instanceof AssertionError;

class RunningProjector implements LocalProjector {
  readonly #options: ProjectorOptions;
  readonly #lease: Lease;
  readonly #signal = new StopSignal();
  readonly #written = new Written();
  /** Resolved when a reader waits for something not written yet. */
  #wanted = Promise.withResolvers<void>();
  /** What is durable by the end of a rest is written before the next. */
  #goal = seq(0);
  #running: Promise<void> = Promise.resolve();
  /** The projection that was loaded last; what is listed is kept up in it. */
  #known: Projection | undefined;
  /** Whether it is what SQL has, as nothing was written since by anybody. */
  #isFresh = false;

  constructor(options: ProjectorOptions) {
    this.#options = options;
    this.#lease = options.lease ?? localLease('history');
  }

  async start(): Promise<void> {
    const { seq: from } = await this.#load();
    this.#running = this.#run(from);
  }

  status(): ProjectorStatus {
    const { seq, failure } = this.#written;
    return { seq, lag: Math.max(this.#options.source.seq() - seq, 0), failure };
  }

  listed(): Listed {
    assert(this.#known !== undefined, 'the projector has started');
    const { markets, contracts } = this.#known;
    return { markets, contractOf: (market) => contracts.contract(market) };
  }

  reached(wanted: Seq): Promise<void> {
    this.#wanted.resolve();
    return this.#written.reached(wanted);
  }

  async stop(): Promise<void> {
    this.#signal.stop();
    await this.#running;
  }

  async #load(): Promise<Projection> {
    const { source, db, lease } = this.#options;
    const offset = await readOffset(db);
    if (lease !== undefined) await whenFollowed(offset, () => source.seq());
    const fault = offsetFault(offset, { last: source.seq(), covers: (after) => source.covers(after) });
    if (fault !== undefined) throw new HistoryMismatch(fault);
    const house = new House(this.#options.houseAddresses ?? []);
    const projection = await loadProjection(db, house);
    // What is listed is never taken back: to know too much of it early does no harm.
    load(source.present(), projection.markets, house, { apply: (event) => projection.contracts.list(event) });
    this.#known = projection;
    this.#isFresh = true;
    this.#advance(projection.seq);
    return projection;
  }

  async #run(from: Seq): Promise<void> {
    let after: Seq | undefined = from;
    while (after !== undefined && !this.#signal.isStopped) {
      try {
        await this.#follow(after);
        return;
      } catch (error) {
        this.#options.onTrouble(error);
        if (isFinal(error)) return this.#fail(error);
      }
      // What lies in memory may be ahead of what was written: begin again from SQL.
      after = await this.#reload();
    }
  }

  /** Undefined when nothing more is written: it was stopped, or the database is not of this history any more. */
  async #reload(): Promise<Seq | undefined> {
    while (!this.#signal.isStopped) {
      await this.#pause(RETRY_MS);
      try {
        return (await this.#load()).seq;
      } catch (error) {
        this.#options.onTrouble(error);
        if (isFinal(error)) {
          this.#fail(error);
          return undefined;
        }
      }
    }
    return undefined;
  }

  async #follow(after: Seq): Promise<void> {
    const unwritten = new Unwritten(this.#options.source.subscribe(after), (applied) => this.#list(applied));
    try {
      while (!this.#signal.isStopped) {
        const hold = this.#lease.hold();
        if (hold === undefined) await this.#standBy(unwritten);
        else if ((await this.#writeWhile(hold, unwritten)) === 'ended') return;
      }
    } finally {
      unwritten.end();
    }
  }

  /** Returns when the hold is over, or when it is unknown whether something was written. */
  async #writeWhile(hold: Hold, unwritten: Unwritten): Promise<'over' | 'ended'> {
    const projection = this.#known !== undefined && this.#isFresh ? this.#known : await this.#load();
    this.#isFresh = false;
    unwritten.forgetUpTo(projection.seq);
    while (this.#lease.hold() === hold) {
      const commands = await this.#signal.race(unwritten.next());
      if (commands === 'stopped' || commands === undefined) return 'ended';
      for (let start = 0; start < commands.length; start += COMMANDS_PER_BATCH) {
        if (!(await this.#write(projection, commands.slice(start, start + COMMANDS_PER_BATCH)))) {
          await this.#pause(RETRY_MS);
          return 'over';
        }
        unwritten.forgetUpTo(projection.seq);
      }
      await this.#rest();
    }
    return 'over';
  }

  /** Another process writes. */
  async #standBy(unwritten: Unwritten): Promise<void> {
    this.#isFresh = false;
    const { seq: written } = await readOffset(this.#options.db);
    // Without rows another process has not begun.
    if (written !== undefined && written > this.#written.seq) {
      unwritten.forgetUpTo(seq(written));
      this.#advance(seq(written));
    }
    unwritten.check();
    this.#wanted = Promise.withResolvers();
    const taken = Promise.withResolvers<void>();
    const forget = this.#lease.onTaken(taken.resolve);
    await this.#pause(this.#written.isAwaited ? PACE_MS : STAND_BY_MS, Promise.race([taken.promise, this.#wanted.promise]));
    forget();
  }

  #list(applied: Applied): void {
    const { markets, contracts } = this.#known ?? {};
    if (markets !== undefined && mayRegister(applied)) advance(applied, markets, { apply: (event) => contracts?.list(event) });
  }

  /** When what was there after the last rest is written. */
  async #rest(): Promise<void> {
    if (this.#written.seq < this.#goal || (!this.#isBusy() && this.status().lag >= COMMANDS_PER_BATCH)) return;
    for (let rested = 0; rested === 0 || (this.#isBusy() && rested < BUSY_PACE_MS); rested += PACE_MS) {
      if (this.#written.isAwaited || this.#signal.isStopped) break;
      this.#wanted = Promise.withResolvers();
      await this.#pause(PACE_MS, this.#wanted.promise);
    }
    this.#goal = this.#options.source.seq();
  }

  #isBusy(): boolean {
    return this.#options.isBusy?.() ?? false;
  }

  /** At most this long; a stop ends it. */
  async #pause(ms: number, cutShort?: Promise<void>): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const takeBack = (this.#options.timer ?? systemTimer)(resolve, ms);
    void cutShort?.then(resolve);
    await this.#signal.race(promise);
    takeBack();
  }

  /** @returns false when the lease was lost before it was written */
  async #write(projection: Projection, commands: readonly Applied[]): Promise<boolean> {
    const batch = new Batch();
    const from = projection.seq;
    for (const applied of commands) projection.apply(applied, batch);
    const at = commands.at(-1)?.at ?? 0;
    let isWritten = false;
    await whileHeld(this.#lease, async () => {
      await writeBatch(this.#options.db, batch, { from, to: projection.seq, at, bills: projection.bills });
      isWritten = true;
    });
    if (isWritten) this.#advance(projection.seq);
    return isWritten;
  }

  #fail(error: Error): void {
    this.#written.fail(error.message);
    this.#options.onProgress?.(this.#written);
  }

  #advance(to: Seq): void {
    this.#written.advance(to);
    this.#options.onProgress?.(this.#written);
  }
}
