/** Whether everything may be taken, or cancels only. */
import type { JournalWriter } from './journal-writer.ts';

export interface Room {
  /** The disk has no room for what can be done without. */
  isFull(journal: JournalWriter): boolean;
  /** Why only cancels may be taken now, in one sentence. */
  shortage(journal: JournalWriter): string | undefined;
}
