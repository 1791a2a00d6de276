/** Follows a shared journal into a folder of this machine: what reads the folder need not know of the store. */
import { type Seq, seq } from '@orrery/units';
import { HistoryDamaged } from './damage.ts';
import { sameBytes } from './engine-factory.ts';
import type { HistoryEnd } from './folder-follower.ts';
import { Mirror, type MirrorOptions } from './mirror.ts';
import { lastSeqOf, StoreLost, type StoredFrame } from './store.ts';
import { sleepBy, systemTimer, type Timer } from './timer.ts';

const AGAIN_MS = 250;

export interface MirrorFollowerOptions extends Omit<MirrorOptions, 'segmentBytes'> {
  readonly segmentBytes?: number;
  /** Of waiting for the store; without it that of this machine. */
  readonly timer?: Timer;
  /** Called once, when the copy can not go on: the store has another history, or the disk takes no more. */
  readonly onFailed: (cause: unknown) => void;
}

const SEGMENT_BYTES = 16 << 20;

/** The end of the copy is the end of what is durable, as far as it is known here. */
export class MirrorFollower implements HistoryEnd {
  readonly #options: MirrorFollowerOptions;
  readonly #mirror: Mirror;
  readonly #stopping = new AbortController();
  #bell = Promise.withResolvers<void>();
  readonly #following: Promise<void>;

  private constructor(options: MirrorFollowerOptions, mirror: Mirror) {
    this.#options = options;
    this.#mirror = mirror;
    this.#following = this.#follow();
  }

  /** Resolves when everything is copied that the store had. @throws StoreLost, FolderIsJournal */
  static async open(options: MirrorFollowerOptions): Promise<MirrorFollower> {
    const mirror = await Mirror.open({ segmentBytes: SEGMENT_BYTES, ...options });
    await copyTo(mirror, options.store);
    return new MirrorFollower(options, mirror);
  }

  seq(): Seq {
    return seq(this.#mirror.lastSeq);
  }

  /** After a stop it resolves no more, as nothing comes any more. */
  async grown(after: Seq): Promise<void> {
    while (this.#mirror.lastSeq <= after) await this.#bell.promise;
  }

  /** The store stays open. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#following;
    this.#mirror.close();
  }

  async #follow(): Promise<void> {
    const { signal } = this.#stopping;
    const { store, log, onFailed } = this.#options;
    let isLost = false;
    while (!signal.aborted) {
      try {
        await this.#copy();
        if (isLost) {
          await checkEnd(this.#mirror, store);
          log('the journal store answers again');
        }
        isLost = false;
        await store.grown();
      } catch (cause) {
        if (!(cause instanceof StoreLost)) {
          if (!signal.aborted) onFailed(cause);
          return;
        }
        if (!isLost) log(`the journal store does not answer: ${cause.message}`);
        isLost = true;
        await sleepBy(this.#options.timer ?? systemTimer, AGAIN_MS, signal);
      }
    }
  }

  /** Whatever was copied is there to be read, also when the store is lost behind it. */
  async #copy(): Promise<void> {
    const before = this.#mirror.lastSeq;
    try {
      await copyTo(this.#mirror, this.#options.store);
    } finally {
      if (this.#mirror.lastSeq > before) this.#ring();
    }
  }

  #ring(): void {
    this.#bell.resolve();
    this.#bell = Promise.withResolvers<void>();
  }
}

/**
 * A server that was lost may have shown what the next one does not have.
 * @throws HistoryDamaged when the store has another history than the copy, or less
 */
export async function checkEnd(mirror: Pick<Mirror, 'lastSeq' | 'link'>, store: Pick<MirrorOptions['store'], 'linkOf'>): Promise<void> {
  const { lastSeq } = mirror;
  if (lastSeq === 0) return;
  const link = await store.linkOf(lastSeq);
  if (link !== undefined && lastSeqOf(link) === lastSeq && sameBytes(link.hash, mirror.link.previous)) return;
  throw new HistoryDamaged({ file: 'the journal store', offset: lastSeq, reason: `it does not have command ${lastSeq} of the copy` });
}

/** Copies everything that the store has. */
export async function copyTo(
  mirror: Pick<Mirror, 'lastSeq' | 'write'>,
  store: Pick<MirrorOptions['store'], 'read'>,
  onFrame?: (frame: StoredFrame) => void,
): Promise<void> {
  for (;;) {
    const frames = await store.read(mirror.lastSeq);
    if (frames.length === 0) return;
    for (const frame of frames) {
      mirror.write(frame);
      onFrame?.(frame);
    }
  }
}
