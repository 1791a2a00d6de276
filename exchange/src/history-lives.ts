/** Ends what history in SQL is kept no longer: a process at a time, in short steps. */
import { setTimeout as pause } from 'node:timers/promises';
import { type LeasePort, repeat } from '@orrery/foundation';
import { HistoryLives, type ProjectorTables } from '@orrery/projector';
import type { StartedDatabase } from './start-database.ts';
import { type Surroundings, troubleOf } from './surroundings.ts';

const EVERY_MS = 3_600_000;
/** Between two steps: those who wait for a connection go first. */
const REST_MS = 20;

export async function startHistoryLives(
  surroundings: Surroundings,
  { database, leases }: { readonly database: Pick<StartedDatabase, 'of'>; readonly leases: LeasePort },
): Promise<void> {
  const lives = new HistoryLives(database.of<ProjectorTables>());
  const stopping = new AbortController();
  const timer = repeat({
    every: EVERY_MS,
    lease: await leases.open('lives of history'),
    async work() {
      while (!stopping.signal.aborted && (await lives.step())) await pause(REST_MS);
    },
    onTrouble: troubleOf(surroundings, 'lives of history'),
    atOnce: true,
  });
  surroundings.closing.add({
    name: 'the lives of history',
    async stop() {
      stopping.abort();
      await timer.stop();
    },
  });
}
