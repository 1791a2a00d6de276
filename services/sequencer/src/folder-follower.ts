/**
 * History for a reader in another thread or process: derived from the folder by an engine of its own, which checks on the way that it comes to
 * the states that the journal proves. It takes nothing from the heart but how far history is durable.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Applied, Heart } from '@orrery/protocol';
import { type Seq, seq } from '@orrery/units';
import { type Archive, entriesBetween, journalDirectory, replayFromSnapshot } from './history.ts';
import { JournalTail } from './journal-tail.ts';
import type { Replay } from './replay.ts';

/** How far history is durable. */
export interface HistoryEnd {
  seq(): Seq;
  /** Resolves when there may be more than `after`. */
  grown(after: Seq): Promise<void>;
}

export interface FolderFollower extends Pick<Heart, 'subscribe'> {
  seq(): Seq;
  /** What is true at the end of history. */
  present(): { readonly seq: Seq; readonly facts: ReturnType<Replay['engine']['facts']> };
}

const BATCH = 1_024;

export function followFolder({ end, ...archive }: Archive & { readonly end: HistoryEnd }): FolderFollower {
  return {
    seq: () => end.seq(),
    present() {
      const last = end.seq();
      const replay = replayFromSnapshot(archive, last);
      for (const located of entriesBetween(archive, { after: replay.seq, last })) replay.take(located);
      return { seq: last, facts: replay.engine.facts() };
    },
    subscribe: (after) => told(archive, end, after),
  };
}

async function* told(archive: Archive, end: HistoryEnd, after: Seq): AsyncGenerator<readonly Applied[], void> {
  const replay = replayFromSnapshot(archive, after);
  const tail = new JournalTail({ disk: archive.disk, directory: journalDirectory(archive), after: replay.seq });
  for (;;) {
    const last = end.seq();
    let batch: Applied[] = [];
    let taken = 0;
    for (const located of tail.upTo(last)) {
      const applied = replay.take(located);
      if (applied !== undefined && applied.seq > after) batch.push(applied);
      if (batch.length === BATCH) {
        yield batch;
        batch = [];
      }
      taken += 1;
      if (taken % BATCH === 0) await nextTurn();
    }
    if (batch.length > 0) yield batch;
    await end.grown(seq(Math.max(last, replay.seq)));
  }
}
