/** What the exchange takes of its disk, and by how much that grows: for people who look at `/status`, and see in weeks what a year will be. */
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { repeat } from '@orrery/foundation';
import { sql } from 'kysely';
import type { StartedDatabase } from './start-database.ts';
import { type Surroundings, troubleOf } from './surroundings.ts';

const MEASURE_MS = 600_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const WINDOW_MS = 7 * DAY_MS;

interface Measured {
  /** Milliseconds of a clock that only grows. */
  readonly at: number;
  readonly bytes: number;
}

export interface DiskUsed {
  readonly usedBytes: number;
  /** Null until an hour lies between two measurements. */
  readonly bytesPerDay: number | null;
}

export class DiskTrend {
  #measured: readonly Measured[] = [];

  add(newest: Measured): void {
    this.#measured = [...this.#measured.filter(({ at }) => at >= newest.at - WINDOW_MS), newest];
  }

  /** Null before the first measurement. */
  used(): DiskUsed | null {
    const [oldest, newest] = [this.#measured[0], this.#measured.at(-1)];
    if (oldest === undefined || newest === undefined) return null;
    const ms = newest.at - oldest.at;
    const bytesPerDay = ms < HOUR_MS ? null : Math.round(((newest.bytes - oldest.bytes) * DAY_MS) / ms);
    return { usedBytes: newest.bytes, bytesPerDay };
  }
}

/** Measures now and from now on. @returns what was measured */
export function startDiskTrend(surroundings: Surroundings, database: Pick<StartedDatabase, 'of'>): () => DiskUsed | null {
  const { config, closing } = surroundings;
  const trend = new DiskTrend();
  const timer = repeat({
    every: MEASURE_MS,
    lease: undefined,
    async work() {
      const elsewhere = config.databaseUrl === undefined ? 0 : await databaseBytes(database);
      trend.add({ at: performance.now(), bytes: (await bytesBelow(config.dataDirectory)) + elsewhere });
    },
    onTrouble: troubleOf(surroundings, 'disk'),
    atOnce: true,
  });
  closing.add({ name: 'the measuring of the disk', stop: () => timer.stop() });
  return () => trend.used();
}

async function databaseBytes(database: Pick<StartedDatabase, 'of'>): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`select pg_database_size(current_database())::float8 as bytes`.execute(
    database.of<unknown>(),
  );
  return rows[0]?.bytes ?? 0;
}

/** Of all files in a folder. What goes meanwhile is left out. */
export async function bytesBelow(folder: string): Promise<number> {
  let sum = 0;
  for (const entry of await readdir(folder, { withFileTypes: true }).catch(unlessGone([]))) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) sum += await bytesBelow(path);
    else if (entry.isFile()) sum += (await stat(path).catch(unlessGone({ size: 0 }))).size;
  }
  return sum;
}

const unlessGone =
  <Answer>(answer: Answer) =>
  (error: unknown): Answer => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return answer;
    throw error;
  };
