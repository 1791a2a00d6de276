/** Takes the folder, brings back its state, and opens the heart on it. */
import { join } from 'node:path';
import { Fence } from './fence.ts';
import { lockFolder } from './lock.ts';
import { DiskRoom } from './disk-room.ts';
import { journalDirectory, snapshotDirectory } from './history.ts';
import type { Archive } from './history.ts';
import { lastSeq } from './journal-walk.ts';
import { Journal } from './journal.ts';
import { DEFAULT_LIMITS } from './options.ts';
import type { SequencerLimits, SequencerOptions } from './options.ts';
import { Recent } from './recent.ts';
import { recover } from './recovery.ts';
import { Sequencer } from './sequencer.ts';

/** @throws FolderInUse, HistoryDamaged or ReplayDiffers, each with one sentence for the operator; or the error of the disk. */
export async function openSequencer(options: SequencerOptions): Promise<Sequencer> {
  const { directory, disk, engines, clock, log } = options;
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const archive: Archive = { directory, disk, engines, log };
  disk.makeDirectory(journalDirectory(archive));
  disk.makeDirectory(snapshotDirectory(archive));
  const lock = await (options.lockFolder ?? lockFolder)(directory);
  try {
    const epochs = join(directory, 'epochs');
    // Before the journal is read: a writer that is still at work then acknowledges nothing that is not read.
    let fence = Fence.take(disk, epochs);
    const {
      recent,
      recovered: { replay, end },
    } = recoverRecent(archive, limits);
    // Marks that were lost are no reason to write with an epoch of the past.
    if (end.link.epoch >= fence.epoch) fence = Fence.take(disk, epochs, end.link.epoch);
    const room = new DiskRoom({ disk, directory, clock, limits, log });
    const journal = await Journal.open(
      {
        disk,
        directory: journalDirectory(archive),
        fence,
        segmentBytes: limits.segmentBytes,
        reserveBytes: limits.reserveBytes,
        onNoRoom: room.onNoRoom,
      },
      end,
    );
    return new Sequencer({ options, limits, archive, journal, room, recent, replay, lock });
  } catch (cause) {
    await lock.release();
    throw cause;
  }
}

/** Only what stays in memory is kept on the way: to keep everything for a while would cost more than to apply it. */
export function recoverRecent(archive: Archive, limits: SequencerLimits): { recent: Recent; recovered: ReturnType<typeof recover> } {
  const { recentCommands: capacity, recentCommandsKept: kept } = limits;
  const oldest = lastSeq(archive.disk, journalDirectory(archive)) - capacity;
  let recent: Recent | undefined;
  const recovered = recover(archive, (applied) => {
    if (applied.seq <= oldest) return;
    recent ??= new Recent({ capacity, kept, after: applied.seq - 1 });
    recent.push(applied);
  });
  return { recent: recent ?? new Recent({ capacity, kept, after: recovered.replay.seq }), recovered };
}
