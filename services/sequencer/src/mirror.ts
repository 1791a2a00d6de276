/**
 * A copy of a shared journal in a folder of this machine, in the format of segments: what reads a folder reads it. It is a cache: nothing in it is synced, and what
 * differs from the store is dropped and copied again.
 */
import { join } from 'node:path';
import { createWhole, writeWhole } from './disk.ts';
import type { Disk, WritableFile } from './disk.ts';
import { HistoryDamaged } from './damage.ts';
import { sameBytes } from './engine-factory.ts';
import { encodeSegmentHeader, type FrameLink, SEGMENT_HEADER_SIZE } from './frame.ts';
import { journalDirectory, snapshotDirectory } from './history.ts';
import { type JournalEnd, walkJournal } from './journal-walk.ts';
import { listSegments, segmentFiles, segmentName } from './segments.ts';
import { listSnapshots } from './snapshot.ts';
import { type JournalStore, lastSeqOf, type StoredFrame } from './store.ts';

export interface MirrorOptions {
  readonly store: JournalStore;
  readonly disk: Disk;
  /** Has a journal and snapshots, as the folder of a heart. Made when missing. */
  readonly directory: string;
  readonly segmentBytes: number;
  readonly log: (line: string) => void;
}

/** The folder has a journal of its own, which is nobody's copy. */
export class FolderIsJournal extends Error {
  override readonly name = 'FolderIsJournal';
}

/** Names the history of which the folder is a copy. */
const markPath = (directory: string): string => join(directory, 'copy-of');

/** The history of which this folder is a copy; undefined when it is no copy. */
export function copiedHistory(disk: Disk, directory: string): string | undefined {
  const path = markPath(directory);
  return disk.exists(path) ? new TextDecoder().decode(disk.read(path)) : undefined;
}

/** Whether the folder has a journal of its own. */
export function hasOwnJournal(disk: Disk, directory: string): boolean {
  const journal = journalDirectory({ directory });
  return copiedHistory(disk, directory) === undefined && disk.exists(journal) && segmentFiles(disk, journal).length > 0;
}

export async function markAsCopy(disk: Disk, directory: string, historyId: string): Promise<void> {
  await createWhole(disk, markPath(directory), (file) => {
    writeWhole(file, new TextEncoder().encode(historyId), 0);
    return Promise.resolve();
  });
}

export class Mirror {
  readonly #options: MirrorOptions;
  #file: WritableFile | undefined;
  #offset = 0;
  #link: FrameLink;
  #lastSeq: number;

  private constructor(options: MirrorOptions, end: JournalEnd) {
    this.#options = options;
    this.#link = end.link;
    this.#lastSeq = end.nextSeq - 1;
    if (end.last === undefined) return;
    this.#file = options.disk.open(end.last.path);
    this.#offset = end.last.offset;
  }

  /**
   * Goes on where the copy ends, or begins again when it is not a beginning of what the store has.
   * @throws FolderIsJournal when the folder has a journal of its own
   */
  static async open(options: MirrorOptions): Promise<Mirror> {
    const { disk, directory, store } = options;
    if (hasOwnJournal(disk, directory)) throw new FolderIsJournal(`${directory} has a journal of its own`);
    disk.makeDirectory(journalDirectory(options));
    disk.makeDirectory(snapshotDirectory(options));
    const historyId = await store.historyId();
    if (copiedHistory(disk, directory) !== historyId) {
      dropCopy(disk, directory);
      await markAsCopy(disk, directory, historyId);
    }
    const end = await usableEnd(options);
    if (end !== undefined) return new Mirror(options, end);
    return Mirror.reopen(options);
  }

  /** Drops what was copied: an empty copy of the same history. */
  static reopen(options: MirrorOptions): Mirror {
    options.log(`the copy of the journal in ${options.directory} is not what the store has: it is made again`);
    dropCopy(options.disk, options.directory);
    return new Mirror(options, endOf(options.disk, journalDirectory(options)));
  }

  /** The last command that was copied; 0 before the first. */
  get lastSeq(): number {
    return this.#lastSeq;
  }

  /** Of the last frame. */
  get link(): FrameLink {
    return this.#link;
  }

  /** Readers of the folder see the frame from here on. @throws HistoryDamaged when it is not the one that follows */
  write(frame: StoredFrame): void {
    this.#check(frame);
    const { bytes, epoch, hash } = frame;
    if (this.#file === undefined || this.#offset + bytes.length > this.#options.segmentBytes) this.#begin(frame);
    if (this.#file !== undefined) writeWhole(this.#file, bytes, this.#offset);
    this.#offset += bytes.length;
    this.#link = { epoch, previous: hash };
    this.#lastSeq = lastSeqOf(frame);
  }

  close(): void {
    this.#file?.close();
    this.#file = undefined;
  }

  #check({ firstSeq, epoch, previous }: StoredFrame): void {
    const expected = this.#lastSeq + 1;
    const { epoch: lastEpoch, previous: lastHash } = this.#link;
    if (firstSeq === expected && epoch >= lastEpoch && sameBytes(previous, lastHash)) return;
    throw new HistoryDamaged({
      file: 'the journal store',
      offset: firstSeq,
      reason: `the frame of command ${firstSeq} and epoch ${epoch} does not follow command ${expected - 1} of epoch ${lastEpoch}`,
    });
  }

  #begin({ firstSeq, epoch, previous }: StoredFrame): void {
    const { disk, log } = this.#options;
    const finished = this.#file;
    // What is finished is synced in the background: less has to be copied again after a crash of the machine.
    void finished
      ?.sync()
      .catch((cause: unknown) => log(`a segment of the copied journal could not be synced: ${String(cause)}`))
      .finally(() => finished.close());
    const file = disk.create(join(journalDirectory(this.#options), segmentName(firstSeq, epoch)));
    writeWhole(file, encodeSegmentHeader(firstSeq, { epoch, previous }), 0);
    this.#file = file;
    this.#offset = SEGMENT_HEADER_SIZE;
  }
}

/** Where the copy ends; undefined when it is damaged, or not a beginning of what the store has. */
async function usableEnd({ disk, directory, store }: MirrorOptions): Promise<JournalEnd | undefined> {
  let end: JournalEnd;
  try {
    end = endOf(disk, journalDirectory({ directory }));
    if (end.last !== undefined) end = await withoutTornTail(disk, directory, end);
  } catch (cause) {
    if (cause instanceof HistoryDamaged) return undefined;
    throw cause;
  }
  const last = end.nextSeq - 1;
  if (last === 0) return listSnapshots(disk, snapshotDirectory({ directory })).length === 0 ? end : undefined;
  const link = await store.linkOf(last);
  return link !== undefined && lastSeqOf(link) === last && sameBytes(link.hash, end.link.previous) ? end : undefined;
}

/** Reads the last segment alone. @throws HistoryDamaged */
function endOf(disk: Disk, journal: string): JournalEnd {
  const first = listSegments(disk, journal).at(-1)?.firstSeq ?? 1;
  const walk = walkJournal(disk, journal, first - 1);
  let step = walk.next();
  while (step.done !== true) step = walk.next();
  return step.value;
}

/** What lies behind the last whole frame is taken away: the next frame may be shorter. */
async function withoutTornTail(disk: Disk, directory: string, end: JournalEnd): Promise<JournalEnd> {
  const { last } = end;
  if (last === undefined) return end;
  if (last.offset === 0) {
    disk.remove(last.path);
    return endOf(disk, journalDirectory({ directory }));
  }
  if (last.tornBytes === 0) return end;
  const whole = disk.read(last.path).subarray(0, last.offset);
  await createWhole(disk, last.path, (file) => {
    writeWhole(file, whole, 0);
    return Promise.resolve();
  });
  return end;
}

function dropCopy(disk: Disk, directory: string): void {
  for (const { path } of segmentFiles(disk, journalDirectory({ directory }))) disk.remove(path);
  for (const { path } of listSnapshots(disk, snapshotDirectory({ directory }))) disk.remove(path);
}
