/** One reader's way through history: from the archive while it is far behind, from memory when it is near, waiting when it is there. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Applied } from '@orrery/protocol';
import { deriveHistory } from './history.ts';
import type { Archive } from './history.ts';
import type { Recent } from './recent.ts';

export interface FollowOptions {
  readonly archive: Archive;
  readonly recent: Recent;
  readonly after: number;
  /** The reader wants no more. It is asked after every ring of the bell, as is the next. */
  readonly isClosed: () => boolean;
  /** Nothing will be added to history any more: the reading ends when it has told all. */
  readonly isComplete: () => boolean;
}

/** Everything after `after`, in order and without a gap. However slow the reader, nothing is queued for it. */
export async function* follow({ archive, recent, after, isClosed, isComplete }: FollowOptions): AsyncGenerator<readonly Applied[], void> {
  let position = after;
  while (!isClosed()) {
    if (!recent.covers(position)) {
      for (const batch of deriveHistory(archive, { after: position, last: recent.lastSeq })) {
        if (isClosed()) return;
        await nextTurn();
        if (batch.length === 0) continue;
        yield batch;
        position = batch.at(-1)?.seq ?? position;
      }
      continue;
    }
    const batch = recent.after(position);
    if (batch.length === 0) {
      if (isComplete()) return;
      await recent.rung();
      continue;
    }
    yield batch;
    position = batch.at(-1)?.seq ?? position;
  }
}
