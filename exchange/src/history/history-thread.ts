/**
 * The projector in a separate thread, with a second engine that follows the journal: however much there is to write, trading does not
 * wait for it.
 */
import { Worker } from 'node:worker_threads';
import { LARGE_YOUNG } from '@orrery/foundation';
import { type Projector, type ProjectorStatus, Written } from '@orrery/projector';
import type { StateProof } from '@orrery/sequencer';
import { type Seq, seq } from '@orrery/units';
import type { DatabaseAddress } from '../database.ts';
import { StartError } from '../start-error.ts';
import type { DurableSeq } from './durable-seq.ts';
import { Freshness, type Moment } from './freshness.ts';
import { HeartLoad } from './heart-load.ts';
import { type FromHistoryThread, HISTORY_LEASE, type HistoryThreadData, type ToHistoryThread } from './thread-messages.ts';

export interface HistoryThreadOptions {
  /** The heart's folder. */
  readonly directory: string;
  readonly database: DatabaseAddress;
  /** Begins the name of each process that works in this data folder. */
  readonly place: string;
  /** Whether history is written here at all; else others write it, and exports. */
  readonly isProjector: boolean;
  readonly durableSeq: DurableSeq;
  /** Of the accounts of the house. */
  readonly houseAddresses: readonly string[];
  /** The time of the exchange, unix milliseconds. */
  readonly nowMs: () => number;
  /** Receives the hash of each state that the thread has proved. */
  readonly onProof: (proof: StateProof) => void;
  /** Receives the reason when the journal does not lead to what the heart proves. */
  readonly onDiverged: (error: Error) => void;
  readonly onTrouble: (sentence: string) => void;
  readonly log: (line: string) => void;
}

export interface HistoryInThread extends Projector {
  /** Rejects with a StartError when the history in SQL and the journal do not belong together, or the thread does not come up. */
  readonly started: Promise<void>;
  /** Unix milliseconds up to which history is complete; undefined while it lacks nothing, or not for long. */
  staleSince(): number | undefined;
  /** An export waits to be written. */
  wakeExports(): void;
  /** As `Leases.held`: of the lease under which history is written. */
  held(): readonly { readonly kind: string; readonly isHeld: boolean }[];
}

/** Whether it comes up is known by `started`: it loads its modules meanwhile. */
export const startHistoryThread = (options: HistoryThreadOptions): HistoryInThread => new HistoryThread(options);

/** The database may stand still without a word: what is written is compared with what is durable this often. */
const LOOK_MS = 1_000;

const now = (): Moment => ({ at: Date.now(), uptime: performance.now() });

class HistoryThread implements HistoryInThread {
  readonly started: Promise<void>;
  readonly #options: HistoryThreadOptions;
  readonly #written = new Written();
  readonly #freshness = new Freshness(now());
  readonly #looking = setInterval(() => this.#look(), LOOK_MS).unref();
  readonly #endMeasuring: () => void;
  readonly #worker: Worker;
  readonly #ended = Promise.withResolvers<void>();
  #isHeld = false;
  readonly #start = Promise.withResolvers<void>();

  constructor(options: HistoryThreadOptions) {
    this.#options = options;
    const { directory, database, place, isProjector, durableSeq, houseAddresses, nowMs } = options;
    const load = new HeartLoad();
    this.#endMeasuring = load.measure();
    const workerData: HistoryThreadData = {
      directory,
      database,
      place,
      isProjector,
      durableSeq: durableSeq.memory,
      heartLoad: load.memory,
      houseAddresses,
      startedAt: nowMs(),
    };
    this.started = this.#start.promise;
    // Who starts it waits for it later.
    this.started.catch(() => undefined);
    this.#worker = new Worker(new URL('./history-worker.ts', import.meta.url), {
      name: 'history',
      workerData,
      resourceLimits: LARGE_YOUNG,
    });
    this.#worker.on('message', (message: FromHistoryThread) => this.#hear(message));
    this.#worker.on('error', (error) => this.#fail(error));
    this.#worker.on('exit', () => {
      this.#fail(new Error('the history thread has ended'));
      this.#ended.resolve();
    });
  }

  status(): ProjectorStatus {
    const { seq: written, failure } = this.#written;
    return { seq: written, lag: Math.max(this.#options.durableSeq.seq() - written, 0), failure };
  }

  staleSince(): number | undefined {
    this.#look();
    return this.#freshness.staleSince(performance.now());
  }

  reached(wanted: Seq): Promise<void> {
    if (wanted > this.#written.seq) this.#post({ type: 'wanted', seq: wanted });
    return this.#written.reached(wanted);
  }

  wakeExports(): void {
    this.#post({ type: 'export' });
  }

  held(): readonly { readonly kind: string; readonly isHeld: boolean }[] {
    return this.#options.isProjector ? [{ kind: HISTORY_LEASE, isHeld: this.#isHeld }] : [];
  }

  async stop(): Promise<void> {
    clearInterval(this.#looking);
    this.#endMeasuring();
    this.#post({ type: 'stop' });
    await this.#ended.promise;
  }

  #look(): void {
    this.#freshness.see({ ...now(), written: this.#written.seq, durable: this.#options.durableSeq.seq() });
  }

  #post(message: ToHistoryThread): void {
    this.#worker.postMessage(message);
  }

  #hear(message: FromHistoryThread): void {
    switch (message.type) {
      case 'progress':
        this.#written.advance(seq(message.seq));
        if (message.failure !== undefined) this.#written.fail(message.failure);
        break;
      case 'started':
        if (message.refusal === undefined) this.#start.resolve();
        else this.#start.reject(new StartError(message.refusal));
        break;
      case 'lease':
        this.#isHeld = message.isHeld;
        break;
      case 'proof':
        this.#options.onProof(message);
        break;
      case 'diverged':
        this.#options.onDiverged(new Error(message.sentence));
        break;
      case 'trouble':
        this.#options.onTrouble(message.sentence);
        break;
      case 'log':
        this.#options.log(message.line);
        break;
      case 'stopped':
        void this.#worker.terminate();
        break;
    }
  }

  #fail(error: Error): void {
    this.#start.reject(error);
    if (this.#written.failure === undefined) this.#written.fail(error.message);
  }
}
