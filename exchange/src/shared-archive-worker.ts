/** The thread that packs frames of the journal in PostgreSQL: see `shared-archive.ts`. */
import { answerQuestions } from '@orrery/foundation';
import { packSegment } from '@orrery/sequencer';
import { yieldToOthers } from './yield-to-others.ts';
import type { SegmentAnswer, SegmentQuestion } from './shared-archive.ts';

yieldToOthers();

answerQuestions(async ({ segment }: SegmentQuestion): Promise<SegmentAnswer> => ({ packed: packSegment(segment) }));
