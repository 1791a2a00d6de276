/** Opens a sequencer on a folder with small numbers, a clock of its own and the fake engine, unless the test says otherwise. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { HeartError } from '@orrery/protocol';
import { openSequencer } from '../open-sequencer.ts';
import type { SequencerLimits, SequencerOptions } from '../options.ts';
import type { Sequencer } from '../sequencer.ts';
import { nodeDisk } from '../node-disk.ts';
import { fakeEngines } from './fake-engine.ts';

export const SMALL: SequencerLimits = {
  segmentBytes: 1 << 16,
  reserveBytes: 1 << 16,
  hashEvery: 5,
  snapshotEvery: 1_000,
  encodedBytesPerCommand: Infinity,
  pendingCommands: 1_000,
  recentCommands: 64,
  recentCommandsKept: 8,
  minFreeRatio: 0.1,
  dayOfJournalBytes: 1e9,
};

export interface TestHeart {
  readonly heart: Sequencer;
  readonly lines: string[];
  readonly fatal: HeartError[];
}

type Changes = Partial<Omit<SequencerOptions, 'limits'>> & { readonly limits?: Partial<SequencerLimits> };

export async function openHeart(directory: string, changes: Changes = {}): Promise<TestHeart> {
  const lines: string[] = [];
  const fatal: HeartError[] = [];
  let now = 1_700_000_000_000;
  const heart = await openSequencer({
    directory,
    engines: fakeEngines,
    disk: nodeDisk,
    clock: { wallMs: () => (now += 1), monotonicMs: () => (now += 1) },
    onFatal: (error) => fatal.push(error),
    log: (line) => lines.push(line),
    ...changes,
    limits: { ...SMALL, ...changes.limits },
  });
  return { heart, lines, fatal };
}

const folders: string[] = [];

export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'orrery-heart-'));
  folders.push(folder);
  return folder;
}

export function removeFolders(): void {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
}
