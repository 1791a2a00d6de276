/** For tests: the journal of a folder behind the port of a shared one, so that both are held to the same. It has no beats: the lock of the folder says who leads. */
import { join } from 'node:path';
import type { Disk } from '../disk.ts';
import { Fence, WriterDeposed } from '../fence.ts';
import { sameBytes } from '../engine-factory.ts';
import { journalDirectory } from '../history.ts';
import { walkJournal } from '../journal-walk.ts';
import { Journal } from '../journal.ts';
import { type JournalStore, lastSeqOf, type Leader, type StoredFrame, type StoredLink } from '../store.ts';
import { framesOfFolder } from '../stored-frames.ts';

const BATCH = 64;
const SIZE = 1 << 17;

export class FolderStore implements JournalStore {
  readonly #disk: Disk;
  readonly #directory: string;
  #journal: Journal | undefined;
  #epoch = 0;

  constructor(disk: Disk, directory: string) {
    this.#disk = disk;
    this.#directory = directory;
    disk.makeDirectory(journalDirectory({ directory }));
    disk.makeDirectory(join(directory, 'epochs'));
  }

  historyId(): Promise<string> {
    return Promise.resolve(this.#directory);
  }

  async takeEpoch(seen: number): Promise<number | undefined> {
    if (this.#newestEpoch() !== seen) return undefined;
    try {
      const fence = Fence.take(this.#disk, join(this.#directory, 'epochs'), seen);
      const walk = walkJournal(this.#disk, this.#journalFolder, 0);
      let step = walk.next();
      while (step.done !== true) step = walk.next();
      await this.#journal?.close();
      this.#epoch = fence.epoch;
      this.#journal = await Journal.open(
        { disk: this.#disk, directory: this.#journalFolder, fence, segmentBytes: SIZE, reserveBytes: SIZE, onNoRoom: () => undefined },
        step.value,
      );
      return fence.epoch;
    } catch (cause) {
      if (cause instanceof WriterDeposed || this.#newestEpoch() !== this.#epoch) return undefined;
      throw cause;
    }
  }

  async append({ bytes, firstSeq, epoch, previous }: StoredFrame): Promise<void> {
    if (this.#journal === undefined || epoch !== this.#epoch) throw new WriterDeposed(epoch);
    if (!sameBytes(previous, this.#journal.link.previous)) throw new Error('the frame does not follow what the journal has');
    await this.#journal.append(bytes, { firstSeq, bodyEnd: bodyEnd(bytes) });
  }

  read(after: number): Promise<readonly StoredFrame[]> {
    return Promise.resolve([...framesOfFolder(this.#disk, this.#journalFolder, after)].slice(0, BATCH));
  }

  linkOf(seq: number): Promise<StoredLink | undefined> {
    return Promise.resolve(
      [...framesOfFolder(this.#disk, this.#journalFolder)].find((frame) => frame.firstSeq <= seq && seq <= lastSeqOf(frame)),
    );
  }

  leader(): Promise<Leader> {
    return Promise.resolve({ epoch: this.#newestEpoch(), beats: 0, hasResigned: true });
  }

  beat(): Promise<void> {
    return Promise.resolve();
  }

  resign(): Promise<void> {
    return Promise.resolve();
  }

  async importHistory(frames: Iterable<StoredFrame>): Promise<void> {
    if ((await this.read(0)).length > 0) throw new Error('the folder has a history');
    const epoch = await this.takeEpoch(this.#newestEpoch());
    for (const frame of frames) await this.append({ ...frame, epoch: epoch ?? 0 });
  }

  grown(): Promise<void> {
    return Promise.resolve();
  }

  shortage(): undefined {
    return undefined;
  }

  async close(): Promise<void> {
    await this.#journal?.close();
  }

  get #journalFolder(): string {
    return journalDirectory({ directory: this.#directory });
  }

  #newestEpoch(): number {
    return Math.max(0, ...this.#disk.list(join(this.#directory, 'epochs')).map(Number));
  }
}

const bodyEnd = (bytes: Uint8Array): number => 56 + new DataView(bytes.buffer, bytes.byteOffset).getUint32(4, true);
