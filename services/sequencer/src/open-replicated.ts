/**
 * A heart on a shared journal: it follows into its folder and its engine until it may lead, takes the next epoch, reads what was appended before, and goes on as
 * the one that writes. Until then it is ready: nothing has to be replayed when it takes over.
 */
import { seq } from '@orrery/units';
import { HistoryDamaged } from './damage.ts';
import { DiskRoom } from './disk-room.ts';
import { entriesOf } from './entry.ts';
import { frameAt } from './frame.ts';
import type { Archive } from './history.ts';
import type { JournalWriter } from './journal-writer.ts';
import { importOwnJournal } from './import-folder.ts';
import { LeaderWatch } from './leader-watch.ts';
import { lockFolder } from './lock.ts';
import { Mirror, type MirrorOptions } from './mirror.ts';
import { checkEnd, copyTo } from './mirror-follower.ts';
import { recoverRecent } from './open-sequencer.ts';
import { DEFAULT_LIMITS, type SequencerLimits, type SequencerOptions } from './options.ts';
import type { Recent } from './recent.ts';
import type { Replay } from './replay.ts';
import { ReplicatedJournal } from './replicated-journal.ts';
import type { Room } from './room.ts';
import { Sequencer } from './sequencer.ts';
import { type JournalStore, type StoredFrame, StoreLost } from './store.ts';
import { sleepBy, systemTimer, type Timer } from './timer.ts';

export interface ReplicatedOptions extends SequencerOptions {
  /** Closed by the heart when it stops. */
  readonly store: JournalStore;
  /** Of the beats and of waiting for the store; without it that of this machine. */
  readonly timer?: Timer;
  /** Ends the waiting of a heart that follows. */
  readonly signal?: AbortSignal;
  /** Called once when another heart leads: this one follows it. */
  readonly onFollowing?: () => void;
  /** Called when this heart has taken an epoch, with how long that and the last reading took, in milliseconds. */
  readonly onLeading?: (epoch: number, ms: number) => void;
}

const AGAIN_MS = 250;

interface Following {
  readonly mirror: Mirror;
  readonly replay: Replay;
  readonly recent: Recent;
}

/**
 * Resolves when this heart leads.
 * @throws FolderInUse, FolderIsJournal, HistoryDamaged, ReplayDiffers or StoreLost, each with one sentence for the operator; the reason of the signal when it ends
 * the waiting
 */
export async function openReplicated(options: ReplicatedOptions): Promise<Sequencer> {
  const { directory, disk, engines, clock, log, store } = options;
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const archive: Archive = { directory, disk, engines, log };
  disk.makeDirectory(directory);
  const lock = await (options.lockFolder ?? lockFolder)(directory);
  let mirror: Mirror | undefined;
  try {
    await importOwnJournal(options);
    const following = await recovered({ store, disk, directory, segmentBytes: limits.segmentBytes, log }, archive, limits);
    ({ mirror } = following);
    const epoch = await lead(options, following);
    const journal = new ReplicatedJournal({ store, mirror, epoch, segmentBytes: limits.segmentBytes, timer: options.timer });
    const disks = new DiskRoom({ disk, directory, clock, limits, log });
    return new Sequencer({ options, limits, archive, journal, room: new SharedRoom(disks, store), lock, ...following });
  } catch (cause) {
    mirror?.close();
    await lock.release();
    throw cause;
  }
}

/** The copy as it was left, filled up and replayed. One that turns out to be damaged is made again, once. */
async function recovered(options: MirrorOptions, archive: Archive, limits: SequencerLimits): Promise<Following> {
  let mirror = await Mirror.open(options);
  for (let attempt = 0; ; attempt += 1) {
    await copyTo(mirror, options.store);
    try {
      const { recent, recovered: state } = recoverRecent(archive, limits);
      return { mirror, replay: state.replay, recent };
    } catch (cause) {
      mirror.close();
      if (!(cause instanceof HistoryDamaged) || attempt > 0) throw cause;
      options.log(cause.message);
      mirror = Mirror.reopen(options);
    }
  }
}

/** Follows until an epoch is taken and everything before it is read. @returns the epoch */
async function lead(options: ReplicatedOptions, following: Following): Promise<number> {
  const { store, clock, log, signal, onFollowing, onLeading } = options;
  const watch = new LeaderWatch(clock);
  const frameToState = applierOf(following, options.onDurable);
  options.onDurable?.(seq(following.replay.seq));
  const follow = (): Promise<void> => copyTo(following.mirror, store, frameToState);
  let isAnnounced = false;
  let isLost = false;
  for (;;) {
    signal?.throwIfAborted();
    try {
      await follow();
      const leader = await store.leader();
      if (watch.see(leader)) {
        const beganAt = clock.monotonicMs();
        const epoch = await store.takeEpoch(leader.epoch);
        if (epoch !== undefined) {
          await follow();
          await checkEnd(following.mirror, store);
          onLeading?.(epoch, clock.monotonicMs() - beganAt);
          return epoch;
        }
      } else if (!isAnnounced) {
        isAnnounced = true;
        onFollowing?.();
      }
      if (isLost) {
        await checkEnd(following.mirror, store);
        log('the journal store answers again');
      }
      isLost = false;
      await store.grown();
    } catch (cause) {
      if (!(cause instanceof StoreLost)) throw cause;
      watch.blind();
      if (!isLost) log(`the journal store does not answer: ${cause.message}`);
      isLost = true;
      await sleepBy(options.timer ?? systemTimer, AGAIN_MS);
    }
  }
}

/** Brings the engine to where the copy is. */
function applierOf({ replay, recent }: Following, onDurable: SequencerOptions['onDurable']): (frame: StoredFrame) => void {
  return ({ bytes, firstSeq }) => {
    const frame = frameAt(bytes, 0);
    if (frame === undefined) throw new HistoryDamaged({ file: 'the journal store', offset: firstSeq, reason: 'a frame is not whole' });
    for (const entry of entriesOf(bytes, frame)) {
      const applied = replay.take({ entry, file: 'the journal store', offset: firstSeq });
      if (applied !== undefined) recent.push(applied);
    }
    recent.trim();
    onDurable?.(seq(replay.seq));
  };
}

/** Cancels only while the disk of the copy is full, or the store has no second copy. */
class SharedRoom implements Room {
  readonly #disk: DiskRoom;
  readonly #store: Pick<JournalStore, 'shortage'>;

  constructor(disk: DiskRoom, store: Pick<JournalStore, 'shortage'>) {
    this.#disk = disk;
    this.#store = store;
  }

  isFull(journal: JournalWriter): boolean {
    return this.#disk.isFull(journal);
  }

  shortage(journal: JournalWriter): string | undefined {
    return this.#store.shortage() ?? this.#disk.shortage(journal);
  }
}
