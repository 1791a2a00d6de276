/** Whether tables that are folded from history and the journal belong together: after a restore they may be of different times. */

import { setTimeout as pause } from 'node:timers/promises';

/** How far the tables of a read model are folded. */
export interface HistoryOffset {
  /** What is folded, as a sentence begins with it: `History in SQL`. */
  readonly name: string;
  /** The last command that is folded; undefined when there are rows and the offset is missing. */
  readonly seq: number | undefined;
  /** What the operator does about tables that do not fit the journal, as an imperative. */
  readonly remedy: string;
}

export interface JournalRange {
  /** The last durable command. */
  readonly last: number;
  /** Whether every command after `after` can be read. */
  covers(after: number): boolean;
}

/** Another process may have folded more than this one has followed yet; longer than that it is no delay. */
const AHEAD_MS = 5_000;
const LOOK_MS = 20;

/** Resolves when `last` has reached the offset, after five seconds at the latest. */
export async function whenFollowed({ seq = 0 }: Pick<HistoryOffset, 'seq'>, last: () => number): Promise<void> {
  for (let waitedMs = 0; last() < seq && waitedMs < AHEAD_MS; waitedMs += LOOK_MS) await pause(LOOK_MS);
}

/** One sentence with its remedy when the tables can not be folded further; undefined when they can. */
export function offsetFault({ name, seq, remedy }: HistoryOffset, journal: JournalRange): string | undefined {
  if (seq === undefined) return `${name} has rows, but the row that says how far it is written is missing: ${remedy}.`;
  if (seq > journal.last)
    return `${name} is written up to command ${seq}, but the journal ends with command ${journal.last}, so one of the two was restored from an older backup: ${remedy}.`;
  if (!journal.covers(seq))
    return `${name} is written up to command ${seq}, but the journal lacks commands after it: put its missing segments back from a backup, then start again.`;
  return undefined;
}
