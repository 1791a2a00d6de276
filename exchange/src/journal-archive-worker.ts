/** The thread that packs segments of the journal: see `journal-archive.ts`. */
import { readlinkSync } from 'node:fs';
import { setPriority } from 'node:os';
import { answerQuestions } from '@orrery/foundation';
import { nodeDisk, packOldestSegment } from '@orrery/sequencer';
import type { PackAnswer, PackQuestion } from './journal-archive.ts';

/** The least urgent there is: nobody waits for it. */
const NICENESS = 19;

// On Linux a thread has a priority of its own, under its number in /proc; elsewhere it keeps the program's.
if (process.platform === 'linux') setPriority(Number(readlinkSync('/proc/thread-self').split('/').at(-1)), NICENESS);

answerQuestions(async ({ directory }: PackQuestion): Promise<PackAnswer> => {
  return { packed: await packOldestSegment({ disk: nodeDisk, directory }) };
});
