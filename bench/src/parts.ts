/** The parts of the benchmark in the order in which they run. */
import { bookPart } from './book.ts';
import { deepPart } from './deep.ts';
import { doorPart } from './door.ts';
import { enginePart } from './engine.ts';
import { fanOutPart } from './fan-out.ts';
import { growthPart } from './growth.ts';
import { idlePart } from './idle.ts';
import { journalPart } from './journal.ts';
import { othersPart } from './others.ts';
import type { Part } from './part.ts';
import { replayPart } from './replay.ts';
import { roundsPart } from './rounds.ts';
import { sharedJournalPart } from './shared-journal.ts';
import { signaturePart } from './signature.ts';
import { stallsPart } from './stalls.ts';
import { statusPart } from './status.ts';
import { stopsPart } from './stops.ts';
import { tailPart } from './tail.ts';
import { terminalPart } from './terminal.ts';

export const PARTS: readonly Part[] = [
  bookPart,
  deepPart,
  enginePart,
  tailPart,
  journalPart,
  sharedJournalPart,
  replayPart,
  growthPart,
  statusPart,
  stopsPart,
  roundsPart,
  stallsPart,
  othersPart,
  signaturePart,
  doorPart,
  fanOutPart,
  terminalPart,
  idlePart,
];
