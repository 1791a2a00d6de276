/** One reader's way through history: from the archive while it is far behind, from memory when it is near, waiting when it is there. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Applied } from '@orrery/protocol';
import { deriveHistory } from './history.ts';
import type { Archive } from './history.ts';
import type { Cursor, Recent } from './recent.ts';

export interface FollowOptions {
  readonly archive: Archive;
  readonly recent: Recent;
  /** Where the reader begins; it is moved as the reader reads, and left at the end. */
  readonly cursor: Cursor;
  /** The reader wants no more. It is asked after every ring of the bell, as is the next. */
  readonly isClosed: () => boolean;
  /** Nothing will be added to history any more: the reading ends after the last command. */
  readonly isComplete: () => boolean;
}

/** Everything after the cursor, in order and without a gap. However slow the reader, nothing is queued for it. */
export async function* follow(options: FollowOptions): AsyncGenerator<readonly Applied[], void> {
  try {
    yield* read(options);
  } finally {
    options.recent.leave(options.cursor);
  }
}

async function* read({ archive, recent, cursor, isClosed, isComplete }: FollowOptions): AsyncGenerator<readonly Applied[], void> {
  while (!isClosed()) {
    if (!recent.covers(cursor.seq)) {
      for (const batch of deriveHistory(archive, { after: cursor.seq, last: recent.lastSeq })) {
        if (isClosed()) return;
        await nextTurn();
        if (batch.length === 0) continue;
        yield batch;
        cursor.seq = batch.at(-1)?.seq ?? cursor.seq;
      }
      continue;
    }
    const batch = recent.after(cursor.seq);
    if (batch.length === 0) {
      if (isComplete()) return;
      await recent.rung();
      continue;
    }
    yield batch;
    cursor.seq = batch.at(-1)?.seq ?? cursor.seq;
  }
}
