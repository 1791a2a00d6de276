/** Folders of history that a point reads. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Size } from '../engine/growth-flow.ts';

export interface WrittenHistory {
  readonly directory: string;
  /** The last command in the snapshot. */
  readonly snapshotSeq: number;
  readonly lastSeq: number;
}

/** @param orders commands after the snapshot. The folder is gone when `use` has ended. */
export async function withHistory<Result>(size: Size, orders: number, use: (history: WrittenHistory) => Promise<Result>): Promise<Result> {
  const directory = mkdtempSync(join(tmpdir(), 'orrery-capacity-'));
  try {
    const args = [directory, size.resting, size.accounts, size.markets, orders].map(String);
    const writer = fork(fileURLToPath(new URL('./write-history.ts', import.meta.url)), args);
    const ended = once(writer, 'exit');
    const [facts] = await Promise.race([once(writer, 'message'), ended.then(() => [undefined])]);
    const [code] = await ended;
    if (code !== 0 || facts === undefined) throw new Error(`history could not be written: ${String(code)}`);
    return await use({ directory, ...(facts as Omit<WrittenHistory, 'directory'>) });
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

export const snapshotBytes = (directory: string): number =>
  readdirSync(join(directory, 'snapshots')).reduce((sum, name) => sum + statSync(join(directory, 'snapshots', name)).size, 0);

/** Segments are files of zeros that are filled: of the last one counts what lies before them. */
export function journalBytes(directory: string): number {
  const segments = readdirSync(directory).filter((name) => name.endsWith('.segment'));
  const last = segments.at(-1);
  if (last === undefined) return 0;
  const full = segments.slice(0, -1).reduce((sum, name) => sum + statSync(join(directory, name)).size, 0);
  return full + readFileSync(join(directory, last)).findLastIndex((byte) => byte !== 0) + 1;
}
