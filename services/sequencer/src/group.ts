/** Commands that share one write and one sync: the bytes of their frame, what came of them, and who waits for it. */
import { Writer } from '@orrery/protocol';
import type { Applied, Command, HeartError, Receipt } from '@orrery/protocol';
import type { Millis } from '@orrery/units';
import { entriesOf, poisonEntry, writeCommandEntry, writeRunningHash, writeStateHash } from './entry.ts';
import type { RunningHash, StateHash } from './entry.ts';
import { beginFrame, FRAME_HEADER_SIZE, sealFrame } from './frame.ts';
import type { FrameLink } from './frame.ts';
import type { Located } from './journal-walk.ts';
import type { Snapshot } from './snapshot.ts';

export interface Waiter {
  resolve(receipt: Receipt): void;
  reject(error: unknown): void;
}

export class Group {
  readonly #writer = new Writer(64 * 1_024);
  #firstSeq = 0;
  #applied: Applied[] = [];
  /** The waiter of each command. */
  #waiters: (Waiter | undefined)[] = [];
  /** The bytes of the entries end here; zeros for alignment may follow. */
  #bodyEnd = FRAME_HEADER_SIZE;
  /** The last state that was hashed within the group. */
  hash: { readonly seq: number; readonly hash: Uint8Array } | undefined;
  /** A state to be kept on disk as soon as the group is durable. */
  snapshot: Snapshot | undefined;

  constructor() {
    beginFrame(this.#writer);
  }

  get commands(): number {
    return this.#applied.length;
  }

  get firstSeq(): number {
    return this.#firstSeq;
  }

  get bytes(): number {
    return this.#bodyEnd;
  }

  get applied(): readonly Applied[] {
    return this.#applied;
  }

  /** Makes the group that of the commands from `firstSeq` on. */
  reset(firstSeq: number): void {
    beginFrame(this.#writer);
    this.#bodyEnd = FRAME_HEADER_SIZE;
    this.#firstSeq = firstSeq;
    this.#applied = [];
    this.#waiters = [];
    this.hash = undefined;
    this.snapshot = undefined;
  }

  /**
   * Writes the command before it is applied. A command that has no bytes throws and leaves the group as it was.
   * @returns where its bytes begin
   */
  write(at: Millis, command: Command): number {
    const start = this.#writer.length;
    try {
      writeCommandEntry(this.#writer, at, command);
    } catch (cause) {
      this.#writer.truncate(start);
      throw cause;
    }
    this.#bodyEnd = this.#writer.length;
    return start;
  }

  /** @param start of the command's bytes */
  poison(start: number): void {
    poisonEntry(this.#writer, start);
  }

  add(applied: Applied, waiter: Waiter | undefined): void {
    this.#applied.push(applied);
    this.#waiters.push(waiter);
  }

  addHash(seq: number, stateHash: StateHash): void {
    writeStateHash(this.#writer, stateHash);
    this.#bodyEnd = this.#writer.length;
    this.hash = { seq, hash: stateHash.hash };
  }

  addRunningHash(hash: RunningHash): void {
    writeRunningHash(this.#writer, hash);
    this.#bodyEnd = this.#writer.length;
  }

  /** What it holds, as history would tell it. */
  *entries(): Generator<Located, void> {
    const frame = { bodyStart: FRAME_HEADER_SIZE, bodyEnd: this.#bodyEnd, firstSeq: this.#firstSeq };
    for (const entry of entriesOf(this.#writer.bytes, frame)) yield { entry, file: 'the group being gathered', offset: 0 };
  }

  /** The frame for the journal; nothing is written to the group any more. */
  seal(link: FrameLink): Uint8Array {
    return sealFrame(this.#writer, { firstSeq: this.#firstSeq, commands: this.#applied.length, link });
  }

  /** Each command as it was applied is the receipt of it. */
  answer(): void {
    for (const [index, applied] of this.#applied.entries()) this.#waiters[index]?.resolve(applied);
  }

  refuse(error: HeartError): void {
    for (const waiter of this.#waiters) waiter?.reject(error);
  }
}
