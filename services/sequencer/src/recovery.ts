/** From the files to the state they prove: the newest good snapshot, then every command after it. */
import type { Applied } from '@orrery/protocol';
import { HistoryDamaged } from './damage.ts';
import { journalDirectory, replayFromSnapshot } from './history.ts';
import type { Archive } from './history.ts';
import { walkJournal } from './journal-walk.ts';
import type { JournalEnd } from './journal-walk.ts';
import type { Replay } from './replay.ts';

export interface Recovered {
  readonly replay: Replay;
  readonly end: JournalEnd;
  /** What came after the snapshot. */
  readonly replayed: number;
}

/** @throws HistoryDamaged or ReplayDiffers: then nothing may be served. */
export function recover(archive: Archive, onApplied: (applied: Applied) => void): Recovered {
  const replay = replayFromSnapshot(archive, Number.MAX_SAFE_INTEGER);
  const snapshotSeq = replay.seq;
  const walk = walkJournal(archive.disk, journalDirectory(archive), snapshotSeq);
  let step = walk.next();
  for (; step.done !== true; step = walk.next()) {
    const applied = replay.take(step.value);
    if (applied !== undefined) onApplied(applied);
  }
  const end = step.value;
  if (end.nextSeq <= snapshotSeq) {
    const reason = `history ends with command ${end.nextSeq - 1}, and there is a snapshot of command ${snapshotSeq}`;
    throw new HistoryDamaged({ file: end.last?.path ?? journalDirectory(archive), offset: end.last?.offset ?? 0, reason });
  }
  if (end.last !== undefined && end.last.tornBytes > 0) {
    archive.log(
      `the journal ends in a torn group of ${end.last.tornBytes} bytes, which was never acknowledged: ${end.last.path} at offset ${end.last.offset}`,
    );
  }
  if (replay.hashes.skipped > 0) {
    archive.log(
      `${replay.hashes.skipped} state hashes of the journal are of layouts in which the state cannot be written any more: ${replay.hashes.checked} others were compared`,
    );
  }
  return { replay, end, replayed: replay.seq - snapshotSeq };
}
