/**
 * A heart for a process that does not lead: an engine of its own follows the folder of history, and commands are sent to the heart that leads. What it answers and
 * publishes it has derived itself from what is durable, so that a caller reads what it has written, and the hashes of the journal are compared on the way.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Applied, type Command, type Heart, HeartError, type HeartStatus, type Receipt, type View } from '@orrery/protocol';
import { millis, type Seq, seq } from '@orrery/units';
import { stateHash } from './engine-factory.ts';
import { follow } from './follow.ts';
import type { HistoryEnd } from './folder-follower.ts';
import { type Archive, journalDirectory, replayFromSnapshot } from './history.ts';
import { JournalTail } from './journal-tail.ts';
import { OpenedView } from './opened-view.ts';
import type { StateProof } from './prover.ts';
import { type Cursor, Recent } from './recent.ts';
import type { Replay } from './replay.ts';
import { every, quietTimer, sleepBy, systemTimer, type Timer } from './timer.ts';

/** The way to the heart that leads. */
export interface LeaderLink {
  /**
   * Resolves with the place of the command in history, when it is durable.
   * @throws HeartError, with `outcomeUnknown` where the command may have become history all the same
   */
  submit(command: Command): Promise<Seq>;
  /** How far history is durable when this is asked. @throws HeartError when no heart that leads answers in time */
  end(): Promise<Seq>;
  /** The time of history, as the heart that leads says it; undefined before it was heard. */
  nowMs(): number | undefined;
  /** How far the wall clock of the heart that leads is ahead of it, in milliseconds; 0 while that is unknown. */
  clockAheadMs(): number;
  /** Why it takes not every command now, in one sentence. */
  unready(): string | undefined;
}

export interface ReplicaOptions extends Archive {
  readonly end: HistoryEnd;
  readonly link: LeaderLink;
  /** Called once, when history can not be followed any more: the process must end. */
  readonly onFatal: (error: Error) => void;
  /** Called with the newest command that was followed, after its readers. */
  readonly onDurable?: (seq: Seq) => void;
  /** Milliseconds that only grow; without it those of this machine. */
  readonly monotonicMs?: () => number;
  /** Without it that of this machine. */
  readonly timer?: Timer;
  readonly limits?: { readonly recentCommands: number; readonly recentCommandsKept: number };
}

interface Waiter {
  /** By the clock that only grows, in milliseconds. */
  readonly until: number;
  readonly resolve: (receipt: Receipt) => void;
  readonly reject: (error: Error) => void;
}

/** Commands between two turns of the event loop. */
const BATCH = 256;
/** What another process has read is on its way to this one for at most this long. */
const AHEAD_MS = 5_000;
const AHEAD_LOOK_MS = 20;
/** A command that is history and is not followed for this long is answered as one whose outcome is not known. */
const FOLLOWED_MS = 5_000;
const LIMITS = { recentCommands: 16_384, recentCommandsKept: 8_192 };

export class Replica implements Heart {
  readonly #options: ReplicaOptions;
  readonly #replay: Replay;
  readonly #tail: JournalTail;
  readonly #recent: Recent;
  /** Of commands that are durable, and not followed yet. */
  readonly #waiters = new Map<number, Waiter>();
  readonly #following: Promise<void>;
  readonly #monotonicMs: () => number;
  readonly #endLooks: () => void;
  #sent = 0;
  #isStopped = false;
  #failure: HeartError | undefined;
  #proof: StateProof;

  private constructor(options: ReplicaOptions, { replay, tail, recent }: { replay: Replay; tail: JournalTail; recent: Recent }) {
    this.#options = options;
    this.#replay = replay;
    this.#tail = tail;
    this.#recent = recent;
    this.#monotonicMs = options.monotonicMs ?? (() => performance.now());
    this.#endLooks = every(options.timer ?? quietTimer, AHEAD_LOOK_MS * 10, () => this.#refuseLate());
    this.#proof = replay.hash ?? { seq: replay.seq, hash: stateHash(replay.engine.encodeState()) };
    this.#following = this.#follow();
  }

  /** Resolves when everything is followed that was durable. @throws HistoryDamaged, ReplayDiffers */
  static async open(options: ReplicaOptions): Promise<Replica> {
    const { recentCommands, recentCommandsKept } = options.limits ?? LIMITS;
    const last = options.end.seq();
    const replay = replayFromSnapshot(options, last);
    const tail = new JournalTail({ disk: options.disk, directory: journalDirectory(options), after: replay.seq });
    const recent = new Recent({ capacity: recentCommands, kept: recentCommandsKept, after: replay.seq });
    let taken = 0;
    for (const located of tail.upTo(last)) {
      const applied = replay.take(located);
      if (applied !== undefined) recent.push(applied);
      taken += 1;
      if (taken % BATCH !== 0) continue;
      recent.trim();
      await nextTurn();
    }
    return new Replica(options, { replay, tail, recent });
  }

  /** Commands that were sent and are not answered. */
  get pending(): number {
    return this.#sent;
  }

  async submit(command: Command): Promise<Receipt> {
    if (this.#isOver())
      throw new HeartError({ failure: 'stopped', outcomeUnknown: false, message: 'the exchange has stopped', cause: this.#failure });
    this.#sent += 1;
    try {
      return await this.#receiptOf(await this.#options.link.submit(command));
    } finally {
      this.#sent -= 1;
    }
  }

  open(): View {
    const cursor: Cursor = { seq: this.#replay.seq };
    let closed = false;
    return new OpenedView({
      seq: seq(cursor.seq),
      facts: this.#replay.engine.facts(),
      tail: this.#read(cursor, () => closed),
      close: () => {
        closed = true;
        // A tail that was never read does not end by itself.
        this.#recent.leave(cursor);
        this.#recent.ring();
      },
    });
  }

  /** Another process may have read further than this one: a reader that is ahead is waited for, and refused only where history does not reach it. */
  async *subscribe(after: Seq): AsyncGenerator<readonly Applied[], void> {
    for (let waited = 0; after > this.#replay.seq && !this.#isOver(); waited += AHEAD_LOOK_MS) {
      if (waited >= AHEAD_MS)
        throw new RangeError(`history ends with command ${this.#replay.seq} here: nothing can be reported after ${after}`);
      await sleepBy(this.#options.timer ?? systemTimer, AHEAD_LOOK_MS);
    }
    yield* this.#read({ seq: after }, () => false);
  }

  /** The last command that this process has followed. */
  get seq(): Seq {
    return seq(this.#replay.seq);
  }

  /** The time of history, unix milliseconds: whatever has a term goes by it. */
  nowMs(): number {
    return Math.max(this.#replay.at, this.#options.link.nowMs() ?? 0);
  }

  /** Why not every command can be taken, in one sentence. */
  unready(): string | undefined {
    return this.#options.link.unready();
  }

  status(): HeartStatus {
    const proven = this.#replay.hash;
    if (proven !== undefined && proven.seq > this.#proof.seq) this.#proof = proven;
    return {
      seq: seq(this.#replay.seq),
      at: millis(this.#replay.at),
      stateHash: Buffer.from(this.#proof.hash).toString('hex'),
      stateHashSeq: seq(this.#proof.seq),
      clockAheadMs: this.#options.link.clockAheadMs(),
    };
  }

  end(): Promise<Seq> {
    return this.#options.link.end();
  }

  /** A follower has made the hash of a durable state from the journal. */
  acceptProof(proof: StateProof): void {
    if (proof.seq > this.#proof.seq && proof.seq <= this.#replay.seq) this.#proof = proof;
  }

  /** Ends its readers after the last command that was followed. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#endLooks();
    this.#recent.ring();
    await Promise.race([this.#following, nextTurn()]);
    this.#refuse(new HeartError({ failure: 'stopped', outcomeUnknown: true, message: 'the exchange has stopped' }));
  }

  /** By the time of the answer the command is often followed already. */
  #receiptOf(at: Seq): Promise<Receipt> {
    const found = this.#recent.covers(at - 1) ? this.#recent.after(at - 1)[0] : undefined;
    if (found !== undefined) return Promise.resolve(receiptOf(found));
    if (at <= this.#replay.seq) return Promise.reject(forgotten(at));
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
    return new Promise((resolve, reject) => this.#waiters.set(at, { resolve, reject, until: this.#monotonicMs() + FOLLOWED_MS }));
  }

  #read(cursor: Cursor, isClosed: () => boolean): AsyncIterable<readonly Applied[]> {
    this.#recent.enter(cursor);
    return follow({ archive: this.#options, recent: this.#recent, cursor, isClosed, isComplete: () => this.#isOver() });
  }

  #isOver(): boolean {
    return this.#isStopped || this.#failure !== undefined;
  }

  async #follow(): Promise<void> {
    const { end } = this.#options;
    try {
      while (!this.#isStopped) {
        await this.#takeUpTo(end.seq());
        if (!this.#isStopped) await end.grown(seq(this.#replay.seq));
      }
    } catch (cause) {
      const message = `history can not be followed: ${cause instanceof Error ? cause.message : String(cause)}`;
      this.#failure = new HeartError({ failure: 'stopped', outcomeUnknown: true, message, cause });
      this.#refuse(this.#failure);
      this.#recent.ring();
      this.#options.onFatal(this.#failure);
    }
  }

  async #takeUpTo(last: Seq): Promise<void> {
    let taken = 0;
    for (const located of this.#tail.upTo(last)) {
      const applied = this.#replay.take(located);
      if (applied !== undefined) this.#publish(applied);
      taken += 1;
      if (taken % BATCH !== 0) continue;
      this.#ring();
      await nextTurn();
    }
    if (taken > 0) this.#ring();
  }

  #publish(applied: Applied): void {
    this.#recent.push(applied);
    const waiter = this.#waiters.get(applied.seq);
    if (waiter === undefined) return;
    this.#waiters.delete(applied.seq);
    waiter.resolve(receiptOf(applied));
  }

  #ring(): void {
    this.#recent.trim();
    this.#recent.ring();
    this.#options.onDurable?.(seq(this.#replay.seq));
  }

  #refuseLate(): void {
    const now = this.#monotonicMs();
    for (const [at, { until, reject }] of this.#waiters) {
      if (until > now) continue;
      this.#waiters.delete(at);
      reject(notFollowed(at));
    }
  }

  #refuse(error: HeartError): void {
    for (const { reject } of this.#waiters.values()) reject(error);
    this.#waiters.clear();
  }
}

const receiptOf = ({ seq: at, at: time, events }: Applied): Receipt => ({ seq: at, at: time, events });

const notFollowed = (at: number): HeartError =>
  new HeartError({
    failure: 'overloaded',
    outcomeUnknown: true,
    message: `command ${at} is history, and this process has not followed it yet`,
  });

/** The answer was so late that thousands of commands came after it. */
const forgotten = (at: Seq): HeartError =>
  new HeartError({
    failure: 'overloaded',
    outcomeUnknown: true,
    message: `command ${at} is history, and what came of it is not in memory any more`,
  });
