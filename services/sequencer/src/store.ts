/**
 * A journal outside this machine's folders, shared by several hearts: one leads and appends, the others follow. It keeps whole frames, one for each group of
 * commands, in one chain of hashes. Who writes is decided by epochs that are taken in the store itself: it refuses a frame of any epoch but the newest.
 */
import { assert } from '@orrery/units';
import { frameAt, frameHash } from './frame.ts';

export interface StoredFrame {
  readonly firstSeq: number;
  readonly commands: number;
  /** Of the writer. */
  readonly epoch: number;
  /** SHA-256 of the frame before; zeros before the first. */
  readonly previous: Uint8Array;
  /** SHA-256 of this frame. */
  readonly hash: Uint8Array;
  /** The whole frame as in a segment of the current format, with its header and the zeros that fill it up. */
  readonly bytes: Uint8Array;
}

/** Where a frame stands in the chain. */
export type StoredLink = Pick<StoredFrame, 'firstSeq' | 'commands' | 'epoch' | 'hash'>;

/** What is known of the heart that leads. Its beats are counted, and never timed by a wall clock. */
export interface Leader {
  /** The newest epoch that was taken; 0 before the first. */
  readonly epoch: number;
  /** Grows while the heart of this epoch lives. */
  readonly beats: number;
  /** It has stopped by itself, or there was none: the next one need not wait. */
  readonly hasResigned: boolean;
}

export interface JournalStore {
  /** Identifies this history among all others: made with the store, and never changed. */
  historyId(): Promise<string>;
  /**
   * Takes the epoch after `seen`: from then on the frames of earlier epochs are refused, and those that were appended before can be read.
   * @returns undefined when another heart has taken an epoch after `seen`
   */
  takeEpoch(seen: number): Promise<number | undefined>;
  /**
   * Resolves when the frame is durable. What a broken connection leaves open is settled before: by then the frame is there, or it is not.
   * @throws WriterDeposed when a later epoch was taken; StoreLost when the store gave no answer for too long: then the outcome is unknown
   */
  append(frame: StoredFrame): Promise<void>;
  /** The frames that begin after the command `after`, in order, a bounded number of them; none when there are none yet. @throws StoreLost */
  read(after: number): Promise<readonly StoredFrame[]>;
  /** Where the frame of this command stands; undefined when there is none. @throws StoreLost */
  linkOf(seq: number): Promise<StoredLink | undefined>;
  /** @throws StoreLost */
  leader(): Promise<Leader>;
  /** Says that the heart of this epoch lives. @throws WriterDeposed, StoreLost */
  beat(epoch: number): Promise<void>;
  /** The heart of this epoch writes no more. Does nothing when it was deposed. */
  resign(epoch: number): Promise<void>;
  /** Puts a history that was written elsewhere into a store that has none: all of it, or nothing. @throws when there is a history already */
  importHistory(frames: Iterable<StoredFrame>): Promise<void>;
  /** Resolves when there may be more than before, or after a moment. */
  grown(): Promise<void>;
  /** Why no more than cancels may be taken now, in one sentence. */
  shortage(): string | undefined;
  close(): Promise<void>;
}

/** The store gives no answer. What was asked may have happened. */
export class StoreLost extends Error {
  override readonly name = 'StoreLost';
}

/** @param bytes one whole frame of the current format. They are not copied */
export function storedFrame(bytes: Uint8Array): StoredFrame {
  const frame = frameAt(bytes, 0);
  assert(frame?.link !== undefined && frame.end === bytes.length, 'these bytes are one whole frame');
  const { firstSeq, commands, link } = frame;
  return { firstSeq, commands, epoch: link.epoch, previous: link.previous, hash: frameHash(bytes, frame), bytes };
}

export const lastSeqOf = ({ firstSeq, commands }: Pick<StoredFrame, 'firstSeq' | 'commands'>): number => firstSeq + commands - 1;
