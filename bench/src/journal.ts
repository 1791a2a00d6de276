/**
 * The journal alone: commands a second through the sequencer with an engine that does nothing, beside bare writes and data syncs of the
 * same bytes on the same disk in the same run; and commands a second when history is read back.
 */
import { closeSync, fdatasyncSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSequencer, type Sequencer } from '@orrery/sequencer';
import { type Acknowledged, ENTRY_BYTES, idleEngines, IN_FLIGHT, RUN_MS, submitFor } from './idle-heart.ts';
import { whole } from './measure.ts';
import { heartIn } from './measured-heart.ts';
import type { Findings, Part } from './part.ts';

interface JournalResult extends Acknowledged {
  readonly inFlight: number;
  /** Groups of as many orders of the same bytes, written and synced without anything around them. */
  readonly barePerSecond: number;
}

interface JournalMeasure {
  readonly results: readonly JournalResult[];
  readonly replayedPerSecond: number;
}

export const journalPart: Part = { name: 'journal', about: 'durable commands a second beside bare writes and syncs', measure };

async function measure(): Promise<Findings> {
  const { results, replayedPerSecond } = await measureJournal();
  return {
    figures: { journal: { results, replayedPerSecond: Math.round(replayedPerSecond) } },
    lines: [
      ...results.map(
        ({ inFlight, commandsPerSecond, barePerSecond, p50Ms, p99Ms }) =>
          `${String(inFlight).padStart(5)} in flight  ${whole(commandsPerSecond)}/s beside bare ${whole(barePerSecond)}/s, p50 ${p50Ms.toFixed(2)} ms, p99 ${p99Ms.toFixed(2)} ms`,
      ),
      `read back (engine that does nothing)  ${whole(replayedPerSecond)}/s`,
    ],
  };
}

async function measureJournal(): Promise<JournalMeasure> {
  const directory = mkdtempSync(join(tmpdir(), 'orrery-bench-'));
  try {
    const results: JournalResult[] = [];
    const heart = await open(directory);
    for (const inFlight of IN_FLIGHT) {
      results.push({ inFlight, ...(await submitFor(heart, inFlight)), barePerSecond: bareFor(directory, inFlight) });
    }
    await heart.stop();
    return { results, replayedPerSecond: await replay(directory) };
  } finally {
    rmSync(directory, { recursive: true });
  }
}

function open(directory: string): Promise<Sequencer> {
  return openSequencer(heartIn(directory, idleEngines));
}

function bareFor(directory: string, inFlight: number): number {
  const path = join(directory, 'bare');
  const descriptor = openSync(path, 'w');
  try {
    const group = new Uint8Array(24 + inFlight * ENTRY_BYTES).fill(1);
    const room = 16 << 20;
    writeSync(descriptor, new Uint8Array(room), 0, room, 0);
    fdatasyncSync(descriptor);
    let groups = 0;
    const start = performance.now();
    for (let position = 0; performance.now() - start < RUN_MS / 2; position = (position + group.length) % (room - group.length)) {
      writeSync(descriptor, group, 0, group.length, position);
      fdatasyncSync(descriptor);
      groups += 1;
    }
    return (groups * inFlight * 1_000) / (performance.now() - start);
  } finally {
    closeSync(descriptor);
    rmSync(path);
  }
}

/** Opens the folder again without its snapshots: every command of the run is read, checked and applied to an engine that does nothing. */
async function replay(directory: string): Promise<number> {
  rmSync(join(directory, 'snapshots'), { recursive: true });
  const start = performance.now();
  const heart = await open(directory);
  const elapsed = performance.now() - start;
  const { seq } = heart.status();
  await heart.stop();
  return (seq * 1_000) / elapsed;
}
