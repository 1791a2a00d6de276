/** The thread that packs segments of the journal: see `journal-archive.ts`. */
import { answerQuestions } from '@orrery/foundation';
import { nodeDisk, packOldestSegment } from '@orrery/sequencer';
import type { PackAnswer, PackQuestion } from './journal-archive.ts';
import { yieldToOthers } from './yield-to-others.ts';

yieldToOthers();

answerQuestions(async ({ directory }: PackQuestion): Promise<PackAnswer> => {
  return { packed: await packOldestSegment({ disk: nodeDisk, directory }) };
});
