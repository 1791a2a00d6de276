/**
 * A model of PostgreSQL with a standby: what is written is durable when the standby has it too, and only then it is acknowledged and seen by others. The primary
 * may be lost: then the standby goes on as the primary, with exactly what it has.
 */
import { lastSeqOf, type Leader, type StoredFrame, WriterDeposed } from '@orrery/sequencer';
import type { Chance } from '../chance.ts';
import type { Timeline } from '../timeline.ts';

export interface LeaseRow {
  readonly holder: string;
  readonly term: number;
  /** By the clock of the server, in milliseconds. */
  readonly expires: number;
}

export interface JobRow {
  readonly holder: string;
  /** How often it was ended: more than once is a fault. */
  readonly times: number;
}

export interface Tables {
  readonly frames: StoredFrame[];
  epoch: number;
  holder: string | undefined;
  leader: Leader;
  readonly leases: Map<string, LeaseRow>;
  readonly jobs: Map<number, JobRow>;
}

/** The connection broke: what was asked may have happened. */
export class ConnectionLost extends Error {
  override readonly name = 'ConnectionLost';
}

/** Frames among which one that is sent again is looked for. */
const RECENT = 64;

/** Milliseconds each. */
export interface PrimaryLoss {
  readonly lagMs: number;
  readonly downMs: number;
  readonly attachMs: number;
}

/** Changes the tables by themselves alone: the standby does the same with its own. */
type Write<Answer> = (tables: Tables) => Answer;

export interface ServersOptions {
  readonly timeline: Timeline;
  readonly chance: Chance;
  /** By which the clocks of the servers are ahead, in milliseconds; each loss of the primary goes on to the next one. */
  readonly clocksMs: readonly number[];
  readonly count: (name: string) => void;
  /** A planted fault: no write waits for the standby. */
  readonly acknowledgesEarly: boolean;
  /** A planted fault: what is appended is not compared with the epoch, nor with what is there. */
  readonly hasNoFence: boolean;
}

export class Servers {
  readonly historyId = 'the simulated history';
  /** The newest epoch when the frame was taken, whatever epoch it is of. */
  readonly takenIn = new WeakMap<StoredFrame, number>();
  /** Called after each append, without a promise that anybody hears it. */
  readonly listeners = new Set<() => void>();
  readonly #options: ServersOptions;
  #primary: Tables = emptyTables();
  #standby: Tables | undefined = emptyTables();
  /** What the standby is yet to do, in order. */
  #log: Write<unknown>[] = [];
  /** When the newest of that arrives at the standby. */
  #sentAt = 0;
  #attached = Promise.withResolvers<void>();
  #writing: Promise<unknown> = Promise.resolve();
  /** Grows with each loss of the primary. */
  #generation = 0;
  #isUp = true;

  constructor(options: ServersOptions) {
    this.#options = options;
    this.#attached.resolve();
  }

  get isUp(): boolean {
    return this.#isUp;
  }

  /** What readers see. @throws ConnectionLost */
  get tables(): Readonly<Tables> {
    if (!this.#isUp) throw new ConnectionLost('no server takes connections');
    return this.#primary;
  }

  /** What would be left if the primary were lost now and the standby had everything. */
  get newest(): Readonly<Tables> {
    return this.#primary;
  }

  /** By the clock of the server that is the primary, in milliseconds. */
  nowMs(): number {
    const { timeline, clocksMs } = this.#options;
    return timeline.now + (clocksMs[this.#generation % clocksMs.length] ?? 0);
  }

  /** One after another; resolves when the standby has it. @throws ConnectionLost */
  write<Answer>(act: Write<Answer>): Promise<Answer> {
    if (!this.#isUp) return Promise.reject(new ConnectionLost('no server takes connections'));
    const generation = this.#generation;
    const written = this.#writing.then(() => this.#write(act, generation));
    this.#writing = written.catch(() => undefined);
    return written;
  }

  /** Waits for no standby, as beats do. @throws ConnectionLost */
  note<Answer>(act: Write<Answer>): Answer {
    if (!this.#isUp) throw new ConnectionLost('no server takes connections');
    const answer = act(this.#primary);
    this.#replicateLater(act);
    return answer;
  }

  append(frame: StoredFrame): Promise<void> {
    const { hasNoFence, count } = this.#options;
    const wasUp = this.#isUp;
    const append = (tables: Tables): number | undefined => {
      if (isThere(tables, frame)) return undefined;
      this.takenIn.set(frame, tables.epoch);
      if (!hasNoFence) mustFollow(tables, frame);
      return tables.frames.push(frame);
    };
    return this.write(append).then(
      (frames) => {
        if (frames === undefined) count('appends that were there already');
        for (const listener of this.listeners) listener();
      },
      (error: unknown) => {
        if (error instanceof WriterDeposed) count('appends of a deposed heart');
        else if (wasUp) count('appends that a lost primary took along');
        throw error;
      },
    );
  }

  /** Calls `act` once, when the next frame was taken and nobody has heard of that. */
  onNextAppend(act: () => void): void {
    const once = (): void => {
      this.listeners.delete(once);
      act();
    };
    this.listeners.add(once);
  }

  /**
   * For `lagMs` nothing reaches the standby; then the primary is lost, the standby becomes the primary after `downMs`, and has a standby of its own `attachMs` later.
   */
  losePrimary({ lagMs, downMs, attachMs }: PrimaryLoss): void {
    const standby = this.#standby;
    if (!this.#isUp || standby === undefined) return;
    const { timeline } = this.#options;
    const waiting = Promise.withResolvers<void>();
    this.#standby = undefined;
    this.#attached = waiting;
    timeline.after(lagMs, () => {
      this.#promote(standby);
      waiting.resolve();
      timeline.after(downMs, () => (this.#isUp = true));
      timeline.after(downMs + attachMs, () => this.#attach());
    });
  }

  #promote(standby: Tables): void {
    this.#generation += 1;
    this.#isUp = false;
    this.#log = [];
    this.#primary = standby;
    this.#attached = Promise.withResolvers();
    this.#writing = Promise.resolve();
  }

  #attach(): void {
    this.#log = [];
    this.#standby = copyOf(this.#primary);
    this.#attached.resolve();
  }

  async #write<Answer>(act: Write<Answer>, generation: number): Promise<Answer> {
    const { acknowledgesEarly, chance } = this.#options;
    await this.#pass(chance.magnitude(0.2, 4));
    this.#mustBe(generation);
    if (acknowledgesEarly) return this.note(act);
    for (;;) {
      await this.#attached.promise;
      await this.#pass(chance.oneIn(100) ? chance.magnitude(5, 400) : chance.magnitude(0.2, 4));
      this.#mustBe(generation);
      const standby = this.#standby;
      // It may be cut off while the write is on its way to it.
      if (standby === undefined) continue;
      this.#replicate();
      act(standby);
      return act(this.#primary);
    }
  }

  #mustBe(generation: number): void {
    if (generation !== this.#generation || !this.#isUp) throw new ConnectionLost('the primary was lost');
  }

  #replicateLater(act: Write<unknown>): void {
    const { timeline, chance } = this.#options;
    const generation = this.#generation;
    this.#log.push(act);
    this.#sentAt = Math.max(this.#sentAt, timeline.now + chance.magnitude(1, 400));
    timeline.at(this.#sentAt, () => {
      if (generation === this.#generation) this.#replicate(act);
    });
  }

  /** In order: what was before `last` too. */
  #replicate(last?: Write<unknown>): void {
    if (this.#standby === undefined) return;
    const count = last === undefined ? this.#log.length : this.#log.indexOf(last) + 1;
    for (const act of this.#log.splice(0, count)) act(this.#standby);
  }

  #pass(ms: number): Promise<void> {
    return new Promise((resolve) => void this.#options.timeline.after(ms, resolve));
  }
}

const isThere = ({ frames, epoch }: Tables, { firstSeq, epoch: own, hash }: StoredFrame): boolean =>
  own === epoch && frames.slice(-RECENT).some((frame) => frame.firstSeq === firstSeq && Buffer.compare(frame.hash, hash) === 0);

/** What the production statement compares. @throws WriterDeposed; Error where the frame does not follow */
function mustFollow({ frames, epoch }: Tables, frame: StoredFrame): void {
  const last = frames.at(-1);
  if (frame.epoch !== epoch) throw new WriterDeposed(frame.epoch);
  const follows = last === undefined ? frame.firstSeq === 1 : frame.firstSeq === lastSeqOf(last) + 1;
  if (!follows || (last !== undefined && Buffer.compare(last.hash, frame.previous) !== 0))
    throw new Error(`the frame of command ${frame.firstSeq} does not follow what the journal store has`);
}

const emptyTables = (): Tables => ({
  frames: [],
  epoch: 0,
  holder: undefined,
  leader: { epoch: 0, beats: 0, hasResigned: true },
  leases: new Map(),
  jobs: new Map(),
});

const copyOf = (tables: Tables): Tables => ({
  ...tables,
  frames: [...tables.frames],
  leases: new Map(tables.leases),
  jobs: new Map(tables.jobs),
});
