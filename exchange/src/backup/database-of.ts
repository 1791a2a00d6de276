/** The database of an installation, reached from another process: the one that the exchange has started where it runs, else it is started here. */
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import type { Closing } from '../closing.ts';
import type { Config } from '../config.ts';
import type { DatabaseAddress } from '../database.ts';
import { answers, connectionIn, startPostgres } from '../embedded/postgres/postgres.ts';

/** @throws StartError when it can not be reached and not be started. */
export async function databaseOf({ databaseUrl, dataDirectory }: Config, closing: Closing): Promise<DatabaseAddress> {
  if (databaseUrl !== undefined) return { url: databaseUrl };
  const directory = join(dataDirectory, 'postgres');
  const folder = await open(join(directory, 'cluster')).catch(() => undefined);
  if (folder !== undefined) {
    closing.add({ name: 'the folder of the database', stop: () => folder.close() });
    const running = connectionIn(folder.fd);
    if (await answers(running)) return running;
  }
  const server = await startPostgres({ directory });
  closing.add({ name: 'the database', stop: () => server.stop() });
  return server.connection;
}
