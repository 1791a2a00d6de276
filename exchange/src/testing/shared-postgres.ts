/**
 * Read by the runner of the unit tests: one PostgreSQL for all files of a run, started when the first asks for it. To make a cluster takes two
 * seconds, a database in it a fraction of one.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { type RunningPostgres, startPostgres } from '../embedded/postgres/postgres.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The port of this machine that answers with where the shared server is. */
    sharedPostgres: number;
  }
}

/** Its data is gone with the run: nothing has to survive a crash of the machine. */
const FORGETFUL = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off', 'max_connections=200'];

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const directory = await mkdtemp(join(tmpdir(), 'orrery-databases-'));
  let starting: Promise<RunningPostgres> | undefined;
  const server = createServer((socket) => {
    socket.on('error', () => socket.destroy());
    starting ??= startPostgres({ directory, settings: FORGETFUL });
    void starting.then(
      ({ connection }) => socket.end(JSON.stringify(connection)),
      (error: unknown) => socket.end(JSON.stringify({ error: String(error) })),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  project.provide('sharedPostgres', (server.address() as AddressInfo).port);
  return async () => {
    server.close();
    const postgres = await starting?.catch(() => undefined);
    await postgres?.stop();
    await rm(directory, { recursive: true, force: true });
  };
}
