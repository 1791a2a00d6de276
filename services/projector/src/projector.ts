/** Follows the heart and writes history: each command once, in order, or not at all. Trading never waits for it. */
import { ApiError } from '@orrery/api';
import type { Applied, Heart } from '@orrery/protocol';
import { AssertionError, type Seq, seq } from '@orrery/units';
import { load } from '@orrery/views';
import type { Kysely } from 'kysely';
import { setTimeout as pause } from 'node:timers/promises';
import { Batch } from './batch.ts';
import { History } from './history.ts';
import { HistoryGap, type Projection } from './projection.ts';
import { loadProjection, writeBatch } from './store.ts';
import type { ProjectorTables } from './tables.ts';

/** Bounds a transaction where history is written anew. */
const COMMANDS_PER_BATCH = 1_000;
const RETRY_MS = 500;
/** Unless somebody waits to read it, history is written this seldom: many commands share a transaction. */
const PACE_MS = 50;
/** Trading goes first: after each piece of work history rests so many times as long as the work took, */
const REST_PER_WORK = 4;
/** until so many commands wait. They must stay within what the heart keeps in memory. */
const UNHURRIED_LAG = 6_000;

export interface ProjectorOptions {
  readonly heart: Heart;
  readonly db: Kysely<ProjectorTables>;
  /** Every failure; those of the database are tried again, the others end it. */
  readonly onTrouble: (error: unknown) => void;
}

export interface ProjectorStatus {
  /** Everything up to it can be read. */
  readonly seq: Seq;
  /** Commands that wait to be written. */
  readonly lag: number;
  /** Why nothing more is written; undefined while it goes on. */
  readonly failure: string | undefined;
}

export interface Projector {
  readonly history: History;
  status(): ProjectorStatus;
  /** Resolves when everything up to `seq` can be read; rejects when that will not come. */
  reached(seq: Seq): Promise<void>;
  stop(): Promise<void>;
}

/** The tables must be there: see `migrations`. */
export async function startProjector(options: ProjectorOptions): Promise<Projector> {
  const running = new RunningProjector(options);
  await running.start();
  return running;
}

interface Waiter {
  readonly seq: number;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

const notWritten = (): ApiError => new ApiError('NotNow', { message: 'history is not written at present', retryAfterSeconds: 30 });

class RunningProjector implements Projector {
  readonly history: History;
  readonly #options: ProjectorOptions;
  readonly #stopped = Promise.withResolvers<'stopped'>();
  readonly #waiters = new Set<Waiter>();
  #seq: Seq = seq(0);
  #failure: string | undefined;
  /** Resolved when somebody waits for what is not written yet. */
  #wanted = Promise.withResolvers<void>();
  #stopping = false;
  #running: Promise<void> = Promise.resolve();

  constructor(options: ProjectorOptions) {
    this.#options = options;
    this.history = new History({ db: options.db, reached: (at) => this.reached(at) });
  }

  async start(): Promise<void> {
    const projection = await this.#load();
    this.#running = this.#run(projection);
  }

  status(): ProjectorStatus {
    return { seq: this.#seq, lag: Math.max(this.#options.heart.status().seq - this.#seq, 0), failure: this.#failure };
  }

  reached(wanted: Seq): Promise<void> {
    if (wanted <= this.#seq) return Promise.resolve();
    if (this.#failure !== undefined) return Promise.reject(notWritten());
    this.#wanted.resolve();
    return new Promise((resolve, reject) => this.#waiters.add({ seq: wanted, resolve, reject }));
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    this.#stopped.resolve('stopped');
    await this.#running;
  }

  async #load(): Promise<Projection> {
    const projection = await loadProjection(this.#options.db);
    const { heart } = this.#options;
    if (projection.seq > heart.status().seq) {
      throw new HistoryGap(`the database holds history up to command ${projection.seq}, the journal ends at ${heart.status().seq}`);
    }
    // What is listed is never taken back: to know too much of it early does no harm.
    const view = heart.open();
    load(view, projection.markets);
    view.close();
    this.history.list(projection.markets);
    this.#advance(projection.seq);
    return projection;
  }

  async #run(first: Projection): Promise<void> {
    let projection = first;
    while (!this.#stopping) {
      try {
        await this.#follow(projection);
        return;
      } catch (error) {
        this.#options.onTrouble(error);
        if (error instanceof HistoryGap || error instanceof AssertionError) {
          this.#fail(error);
          return;
        }
      }
      // What lies in memory may be ahead of what was written: begin again from SQL.
      projection = (await this.#reload()) ?? projection;
    }
  }

  async #reload(): Promise<Projection | undefined> {
    while (!this.#stopping) {
      await Promise.race([pause(RETRY_MS), this.#stopped.promise]);
      try {
        return await this.#load();
      } catch (error) {
        this.#options.onTrouble(error);
      }
    }
    return undefined;
  }

  async #follow(projection: Projection): Promise<void> {
    const commands = this.#options.heart.subscribe(projection.seq)[Symbol.asyncIterator]();
    for (;;) {
      const next = await Promise.race([commands.next(), this.#stopped.promise]);
      if (next === 'stopped' || next.done === true) return;
      for (let start = 0; start < next.value.length; start += COMMANDS_PER_BATCH) {
        const started = performance.now();
        await this.#write(projection, next.value.slice(start, start + COMMANDS_PER_BATCH));
        const workedMs = performance.now() - started;
        if (next.value.length - start < UNHURRIED_LAG) await this.#breathe(Math.max(PACE_MS, workedMs * REST_PER_WORK));
      }
    }
  }

  async #breathe(ms: number): Promise<void> {
    if (this.#waiters.size > 0 || this.#stopping) return;
    this.#wanted = Promise.withResolvers();
    const rested = new AbortController();
    await Promise.race([
      pause(ms, undefined, { signal: rested.signal }).catch(() => undefined),
      this.#wanted.promise,
      this.#stopped.promise,
    ]);
    rested.abort();
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
    this.#failure = error.message;
    for (const { reject } of this.#waiters) reject(notWritten());
    this.#waiters.clear();
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
