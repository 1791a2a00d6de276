/** Follows the heart and writes history: each command once, in order, or not at all. Trading never waits for it. */
import { offsetFault, systemTimer, type Timer } from '@orrery/foundation';
import type { Applied, Heart, View } from '@orrery/protocol';
import { assert, AssertionError, type Seq, seq } from '@orrery/units';
import { load, StopSignal } from '@orrery/views';
import type { Kysely } from 'kysely';
import { Batch } from './batch.ts';
import type { Listed } from './export-terms.ts';
import { HistoryGap, HistoryMismatch, type Projection } from './projection.ts';
import { loadProjection, readOffset, writeBatch } from './store.ts';
import type { ProjectorTables } from './tables.ts';
import { Written } from './written.ts';

/** Bounds a transaction while history is rebuilt. */
const COMMANDS_PER_BATCH = 1_000;
const RETRY_MS = 500;
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
  readonly #signal = new StopSignal();
  readonly #written = new Written();
  /** Resolved when a reader waits for something not written yet. */
  #wanted = Promise.withResolvers<void>();
  /** What is durable by the end of a rest is written before the next. */
  #goal = seq(0);
  #running: Promise<void> = Promise.resolve();
  #listed: Listed | undefined;

  constructor(options: ProjectorOptions) {
    this.#options = options;
  }

  async start(): Promise<void> {
    const projection = await this.#load();
    this.#running = this.#run(projection);
  }

  status(): ProjectorStatus {
    const { seq, failure } = this.#written;
    return { seq, lag: Math.max(this.#options.source.seq() - seq, 0), failure };
  }

  listed(): Listed {
    assert(this.#listed !== undefined, 'the projector has started');
    return this.#listed;
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
    const { source, db } = this.#options;
    const fault = offsetFault(await readOffset(db), { last: source.seq(), covers: (after) => source.covers(after) });
    if (fault !== undefined) throw new HistoryMismatch(fault);
    const projection = await loadProjection(db);
    // What is listed is never taken back: to know too much of it early does no harm.
    load(source.present(), projection.markets, { apply: (event) => projection.contracts.list(event) });
    const { markets, contracts } = projection;
    this.#listed = { markets, contractOf: (market) => contracts.contract(market) };
    this.#advance(projection.seq);
    return projection;
  }

  async #run(first: Projection): Promise<void> {
    let projection: Projection | undefined = first;
    while (projection !== undefined && !this.#signal.isStopped) {
      try {
        await this.#follow(projection);
        return;
      } catch (error) {
        this.#options.onTrouble(error);
        if (isFinal(error)) return this.#fail(error);
      }
      // What lies in memory may be ahead of what was written: begin again from SQL.
      projection = await this.#reload();
    }
  }

  /** Undefined when nothing more is written: it was stopped, or the database is not of this history any more. */
  async #reload(): Promise<Projection | undefined> {
    while (!this.#signal.isStopped) {
      await this.#pause(RETRY_MS);
      try {
        return await this.#load();
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

  async #follow(projection: Projection): Promise<void> {
    const commands = this.#options.source.subscribe(projection.seq)[Symbol.asyncIterator]();
    for (;;) {
      const next = await this.#signal.race(commands.next());
      if (next === 'stopped' || next.done === true) return;
      for (let start = 0; start < next.value.length; start += COMMANDS_PER_BATCH) {
        await this.#write(projection, next.value.slice(start, start + COMMANDS_PER_BATCH));
      }
      await this.#rest();
    }
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

  async #write(projection: Projection, commands: readonly Applied[]): Promise<void> {
    const batch = new Batch();
    const from = projection.seq;
    for (const applied of commands) projection.apply(applied, batch);
    const at = commands.at(-1)?.at ?? 0;
    await writeBatch(this.#options.db, batch, { from, to: projection.seq, at, bills: projection.bills });
    this.#advance(projection.seq);
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
