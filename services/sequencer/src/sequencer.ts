/**
 * The heart: gives each command its place and time in history, applies it, makes it durable, and only then answers and publishes.
 * Commands that arrive while a group is being synced gather in the next one.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { HeartError } from '@orrery/protocol';
import type { Applied, Command, Event, Heart, HeartStatus, Receipt, Sequenced, View } from '@orrery/protocol';
import type { Engine } from '@orrery/engine';
import { millis, seq } from '@orrery/units';
import type { Seq } from '@orrery/units';
import { newestLayout, stateHash } from './engine-factory.ts';
import { follow } from './follow.ts';
import { Group } from './group.ts';
import type { Waiter } from './group.ts';
import { entriesBetween, replayFromSnapshot, snapshotDirectory } from './history.ts';
import type { Archive } from './history.ts';
import { Kept, type Waiting } from './kept.ts';
import { OpenedView } from './opened-view.ts';
import { HistoryClock } from './history-clock.ts';
import type { JournalWriter } from './journal-writer.ts';
import type { Lock } from './lock.ts';
import type { Accepted, SequencerLimits, SequencerOptions } from './options.ts';
import { quarantine } from './poison.ts';
import type { Cursor, Recent } from './recent.ts';
import type { Room } from './room.ts';
import { POISONED } from './replay.ts';
import type { StateProof } from './prover.ts';
import { refusalOf, shortageOf } from './refusal.ts';
import type { Replay } from './replay.ts';
import { saveSnapshot } from './snapshot.ts';
import type { Snapshot } from './snapshot.ts';

export interface SequencerParts {
  readonly options: SequencerOptions;
  readonly limits: SequencerLimits;
  readonly archive: Archive;
  readonly journal: JournalWriter;
  readonly room: Room;
  readonly recent: Recent;
  readonly replay: Replay;
  readonly lock: Lock;
}

/** The most continuations at the beginning of a group. */
const CONTINUATIONS_PER_GROUP = 8;
/** The most commands that are due before one command. */
const DUE_PER_COMMAND = 16;
/** Hashing the state for `status` alone is not worth more than this often. */
const STATUS_HASH_EVERY_MS = 1_000;

export class Sequencer implements Heart {
  readonly #parts: SequencerParts;
  readonly #time: HistoryClock;
  /** Taken, and not applied before the next frame. */
  #waiting: Waiting[] = [];
  /** Placed once, before everything else. */
  #opening: readonly Command[];
  /** The commands of the frame that is being made, and then on its way to the disk. */
  readonly #group = new Group();
  /** It may be on the disk: from here on nobody can say that it did not happen. */
  #isWritten = false;
  #engine: Engine;
  /** A command that was due could not be applied. */
  #isDuePoisoned = false;
  /** The engine applied every command since the last running hash in the journal. */
  #isRunningWhole: boolean;
  /** The last command applied; those after the last durable one are known to nobody yet. */
  #appliedSeq: number;
  #appliedAt: number;
  #durableSeq: number;
  #durableAt: number;
  #hash: StateProof;
  #hashedAtMs: number;
  /** When the state was last encoded for the journal, and how large it was. */
  #encoded = { seq: 0, bytes: 0 };
  #flushing: Promise<void> | undefined;
  #saving: Promise<void> | undefined;
  #stopping: Promise<void> | undefined;
  #failure: HeartError | undefined;

  constructor(parts: SequencerParts) {
    const { replay, options } = parts;
    this.#parts = parts;
    this.#time = new HistoryClock(options.clock, options.log);
    this.#engine = replay.engine;
    this.#isRunningWhole = replay.isRunningWhole;
    this.#appliedSeq = replay.seq;
    this.#appliedAt = replay.at;
    this.#durableSeq = replay.seq;
    this.#durableAt = replay.at;
    this.#hash = { seq: replay.seq, hash: stateHash(replay.engine.encodeState()) };
    this.#hashedAtMs = options.clock.monotonicMs();
    this.#opening = options.accepts === 'nothing' ? [] : (options.opening?.(this.#engine) ?? []);
    void parts.journal.lost?.then((cause) => this.#fail(cause));
    // A crash between a command and its continuation left some of it over.
    if (!this.#isIdle() && options.accepts !== 'nothing') this.#flushing = this.#flush();
  }

  submit(command: Command): Promise<Receipt> {
    const refusal = this.#refusal(command);
    if (refusal !== undefined) return Promise.reject(refusal);
    return new Promise((resolve, reject) => {
      this.#waiting.push({ command, at: this.#time.nowMs(), resolve, reject });
      this.#flushing ??= this.#flush();
    });
  }

  open(): View {
    const after = this.#durableSeq;
    // Facts that are not durable may never leave, not even into a view: then they are derived once more, without the newest commands.
    const engine = this.#appliedSeq === after ? this.#engine : this.#replayTo(after).engine;
    const { recent } = this.#parts;
    const cursor = { seq: after };
    let closed = false;
    return new OpenedView({
      seq: seq(after),
      facts: engine.facts(),
      tail: this.#follow(cursor, () => closed),
      close: () => {
        closed = true;
        // A tail that was never read does not end by itself.
        recent.leave(cursor);
        recent.ring();
      },
    });
  }

  subscribe(after: Seq): AsyncIterable<readonly Applied[]> {
    // A reader that knows more than history has read another one: it must not wait in silence.
    if (after > this.#durableSeq)
      throw new RangeError(`history ends with command ${this.#durableSeq}: nothing can be reported after ${after}`);
    return this.#follow({ seq: after }, () => false);
  }

  /**
   * The wall clock while it is plausible: what jumps far ahead and comes back moves nothing that waits, counts or expires by it. Whatever has a term
   * goes by this clock; the wall clock is for what others have signed or will check.
   */
  nowMs(): number {
    return this.#time.nowMs();
  }

  end(): Promise<Seq> {
    return Promise.resolve(seq(this.#durableSeq));
  }

  /** It costs nothing, whatever the size of the state: the hash is the last one that was proven. */
  status(): HeartStatus {
    if (this.#parts.options.provedBy !== 'follower') this.#proveForStatus();
    return {
      seq: seq(this.#durableSeq),
      at: millis(this.#durableAt),
      stateHash: Buffer.from(this.#hash.hash).toString('hex'),
      stateHashSeq: seq(this.#hash.seq),
      clockAheadMs: this.#time.aheadMs(),
    };
  }

  /** Why not every command can be taken, in one sentence. */
  unready(): string | undefined {
    return shortageOf(this.#acceptance());
  }

  /** Commands that are taken and not durable. */
  get pending(): number {
    return this.#waiting.length + this.#group.commands;
  }

  /** Of this opening of the journal: the latest one may write. */
  get epoch(): number {
    return this.#parts.journal.link.epoch;
  }

  /** A follower has made the hash of a durable state from the journal. */
  acceptProof(proof: StateProof): void {
    if (proof.seq > this.#hash.seq && proof.seq <= this.#durableSeq) this.#hash = proof;
  }

  #proveForStatus(): void {
    const now = this.#parts.options.clock.monotonicMs();
    const isIdle = this.#appliedSeq === this.#durableSeq;
    if (isIdle && this.#hash.seq !== this.#durableSeq && now - this.#hashedAtMs >= STATUS_HASH_EVERY_MS) {
      this.#hash = { seq: this.#durableSeq, hash: stateHash(this.#engine.encodeState()) };
      this.#hashedAtMs = now;
    }
  }

  /** Makes everything durable that was taken, keeps the state on disk, and lets go of the folder. */
  stop(): Promise<void> {
    this.#stopping ??= this.#stop();
    return this.#stopping;
  }

  async #stop(): Promise<void> {
    await this.#flushing;
    await this.#saving;
    if (this.#failure === undefined && this.#durableSeq > 0) await this.#save(this.#snapshotNow());
    this.#parts.recent.ring();
    await this.#parts.journal.close();
    await this.#parts.lock.release();
  }

  #refusal(command: Command): HeartError | undefined {
    if (this.#failure !== undefined || this.#stopping !== undefined) {
      return new HeartError({ failure: 'stopped', outcomeUnknown: false, message: 'the exchange has stopped', cause: this.#failure });
    }
    return refusalOf(command, { ...this.#acceptance(), isFull: this.pending >= this.#parts.limits.pendingCommands });
  }

  #acceptance(): { readonly accepts: Accepted; readonly shortage: () => string | undefined } {
    const { room, journal, options } = this.#parts;
    return { accepts: options.accepts ?? 'everything', shortage: () => room.shortage(journal) };
  }

  /**
   * Applies what waits, one after another, as much as a frame holds. The engine works on what lies in the processor's nearest memory: between
   * the calls that bring the commands it would have to fetch it again for each.
   */
  #placeWaiting(): void {
    const { journal } = this.#parts;
    this.#group.reset(this.#appliedSeq + 1);
    for (const command of this.#opening) this.#place(command, this.#time.nowMs(), undefined);
    this.#opening = [];
    this.#continue();
    let taken = 0;
    const kept = new Kept();
    for (const waiting of this.#waiting) {
      if (this.#group.bytes * 2 > journal.largestFrame) break;
      taken += 1;
      this.#placeDue(waiting.at);
      if (!kept.keeps(waiting, this.#engine)) this.#place(waiting.command, waiting.at, waiting);
    }
    this.#waiting = [...kept.all, ...this.#waiting.slice(taken)];
  }

  /** Places what earlier commands left over before what waits, a bounded part of it: neither keeps the other waiting for long. */
  #continue(): void {
    for (let count = 0; count < CONTINUATIONS_PER_GROUP; count += 1) {
      const command = this.#engine.continuation();
      if (command === undefined) return;
      this.#place(command, this.#appliedAt, undefined);
      // One such step takes long: what waits for other markets goes on between two of them.
      if (command.type === 'ContinueMatching') return;
    }
  }

  /** What is due by the time of a command stands before it, at most a bounded part of it. */
  #placeDue(cameAt: number): void {
    for (let count = 0; count < DUE_PER_COMMAND && !this.#isDuePoisoned; count += 1) {
      const command = this.#engine.due(millis(Math.max(this.#appliedAt, cameAt)));
      if (command === undefined) return;
      // What cannot be applied would be due again and again: the clocks that ask for it go on, and say so.
      this.#isDuePoisoned = !this.#place(command, cameAt, undefined);
    }
  }

  /** @returns false when the command is poisoned */
  #place(command: Command, cameAt: number, waiter: Waiter | undefined): boolean {
    // History never runs backwards, whatever the clock does.
    const at = millis(Math.max(this.#appliedAt, cameAt));
    let start;
    try {
      start = this.#group.write(at, command);
    } catch (cause) {
      if (waiter === undefined) throw cause;
      const message = `the command cannot be written to the journal: ${describe(cause)}`;
      waiter.reject(new HeartError({ failure: 'unencodable', outcomeUnknown: false, message, cause }));
      return true;
    }
    // Between the bytes of the command and its facts there is no way back: what is thrown here ends history, and the restart decides.
    const applied = { seq: seq(this.#appliedSeq + 1), at, command, events: POISONED };
    const isPoisoned = !this.#apply(applied, start);
    this.#appliedSeq = applied.seq;
    this.#appliedAt = at;
    this.#group.add(applied, waiter);
    this.#hashWhenDue();
    if (isPoisoned) this.#quarantine(command);
    return !isPoisoned;
  }

  /** @returns false when the command is poisoned: nothing comes of it. */
  #apply(applied: Sequenced & { events: readonly Event[] }, start: number): boolean {
    try {
      applied.events = this.#engine.apply(applied);
      return true;
    } catch (cause) {
      this.#recoverFrom(applied, start, cause);
      return false;
    }
  }

  /** The engine may have stopped half way: it is made again from history, in which the command is now marked as one that changes nothing. */
  #recoverFrom({ seq: poisonedSeq, command }: Sequenced, start: number, cause: unknown): void {
    this.#group.poison(start);
    this.#parts.options.log(`command ${poisonedSeq} (${command.type}) could not be applied and is skipped: ${describe(cause)}`);
    const replay = this.#replayTo(this.#durableSeq);
    for (const located of this.#group.entries()) replay.take(located);
    this.#engine = replay.engine;
    this.#isRunningWhole = replay.isRunningWhole;
  }

  #quarantine(command: Command): void {
    const order = quarantine(command, this.#engine);
    if (order !== undefined) this.#place(order, this.#appliedAt, undefined);
  }

  #replayTo(last: number): Replay {
    const { archive } = this.#parts;
    const replay = replayFromSnapshot(archive, last);
    for (const located of entriesBetween(archive, { after: replay.seq, last })) replay.take(located);
    return replay;
  }

  #hashWhenDue(): void {
    const { hashEvery } = this.#parts.limits;
    if (this.#appliedSeq % hashEvery === 0) {
      this.#group.addRunningHash({ isWhole: this.#isRunningWhole, hash: this.#engine.takeRunningHash() });
      this.#isRunningWhole = true;
    }
    if (this.#parts.options.provedBy !== 'follower') this.#proveWhenDue();
  }

  /** Only where no follower does it: it takes as long as the state is large, while orders wait. */
  #proveWhenDue(): void {
    const { hashEvery, snapshotEvery, encodedBytesPerCommand } = this.#parts.limits;
    const isSnapshotDue = this.#appliedSeq % snapshotEvery === 0;
    if (!isSnapshotDue && this.#appliedSeq % hashEvery !== 0) return;
    const { seq: encodedSeq, bytes } = this.#encoded;
    if ((this.#appliedSeq - encodedSeq) * encodedBytesPerCommand < bytes) return;
    const snapshot = this.#snapshotNow();
    this.#group.addHash(snapshot.seq, { layout: newestLayout(this.#engine), hash: snapshot.hash });
    if (isSnapshotDue) this.#group.snapshot = snapshot;
  }

  #snapshotNow(): Snapshot {
    const imbalance = this.#engine.imbalance();
    if (imbalance !== undefined) throw new Error(imbalance);
    const state = this.#engine.encodeState();
    this.#encoded = { seq: this.#appliedSeq, bytes: state.length };
    return { seq: this.#appliedSeq, at: this.#appliedAt, hash: stateHash(state), state };
  }

  async #flush(): Promise<void> {
    try {
      for (;;) {
        // After the events of this turn of the loop: what arrives together shares one frame, and one sync.
        await nextTurn();
        if (this.#isIdle() || this.#failure !== undefined) return;
        await this.#turn();
      }
    } catch (cause) {
      this.#fail(cause);
    } finally {
      this.#flushing = undefined;
    }
  }

  /** Applies a group, makes it durable, and answers. */
  async #turn(): Promise<void> {
    const { clock, onGroup } = this.#parts.options;
    const queueMs = onGroup === undefined ? 0 : this.#queuedMs();
    // Who measures nothing asks no clock.
    const now = (): number => (onGroup === undefined ? 0 : clock.monotonicMs());
    const beganAt = now();
    this.#placeWaiting();
    const appliedAt = now();
    await this.#write();
    const durableAt = now();
    this.#publish(this.#group);
    const { commands, bytes } = this.#group;
    onGroup?.({
      commands,
      bytes,
      queueMs,
      applyMs: appliedAt - beganAt,
      journalMs: durableAt - appliedAt,
      answerMs: now() - durableAt,
    });
    this.#group.reset(0);
    this.#isWritten = false;
  }

  #queuedMs(): number {
    const oldest = this.#waiting[0];
    return oldest === undefined ? 0 : Math.max(0, this.#time.nowMs() - oldest.at);
  }

  #isIdle(): boolean {
    return this.#waiting.length === 0 && this.#opening.length === 0 && this.#engine.continuation() === undefined;
  }

  async #write(): Promise<void> {
    if (this.#group.commands === 0) return;
    this.#isWritten = true;
    const { journal } = this.#parts;
    const { firstSeq, bytes: bodyEnd } = this.#group;
    await journal.append(this.#group.seal(journal.link), { firstSeq, bodyEnd });
  }

  #publish(group: Group): void {
    const { journal, options, recent, room } = this.#parts;
    for (const applied of group.applied) {
      recent.push(applied);
      this.#durableAt = applied.at;
    }
    recent.trim();
    this.#durableSeq = recent.lastSeq;
    if (group.hash !== undefined) {
      this.#hash = group.hash;
      this.#hashedAtMs = options.clock.monotonicMs();
    }
    group.answer();
    const durable = seq(this.#durableSeq);
    afterAnswers(() => {
      recent.ring();
      options.onDurable?.(durable);
    });
    const { snapshot } = group;
    // A disk that is almost full keeps its room for the journal.
    if (snapshot !== undefined && this.#saving === undefined && !room.isFull(journal)) {
      this.#saving = this.#save(snapshot).finally(() => {
        this.#saving = undefined;
      });
    }
  }

  /** A snapshot only shortens the next start: without it history is longer, not poorer. */
  async #save(snapshot: Snapshot): Promise<void> {
    const { archive, options } = this.#parts;
    try {
      await saveSnapshot(options.disk, snapshotDirectory(archive), snapshot);
    } catch (cause) {
      options.log(`the snapshot of command ${snapshot.seq} could not be kept: ${describe(cause)}`);
    }
  }

  #follow(cursor: Cursor, isClosed: () => boolean): AsyncIterable<readonly Applied[]> {
    const { archive, recent } = this.#parts;
    recent.enter(cursor);
    const isComplete = (): boolean => this.#failure !== undefined || (this.#stopping !== undefined && this.#flushing === undefined);
    return follow({ archive, recent, cursor, isClosed, isComplete });
  }

  #fail(cause: unknown): void {
    if (this.#failure !== undefined) return;
    const message = `history can not go on: ${describe(cause)}`;
    this.#failure = new HeartError({ failure: 'stopped', outcomeUnknown: true, message, cause });
    // What was never given to the disk will not have happened after the restart.
    const unwritten = new HeartError({ failure: 'stopped', outcomeUnknown: false, message, cause });
    this.#group.refuse(this.#isWritten ? this.#failure : unwritten);
    for (const waiter of this.#waiting) waiter.reject(unwritten);
    this.#waiting = [];
    this.#parts.recent.ring();
    this.#parts.options.onFatal(this.#failure);
  }
}

/**
 * In this turn of the loop, and after what answers lead to: who waits for one is not kept waiting by those who follow history. Callers write to
 * their sockets in the next tick after the microtasks; the one after that is behind all of them.
 */
function afterAnswers(act: () => void): void {
  process.nextTick(() => process.nextTick(act));
}

const describe = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause));
