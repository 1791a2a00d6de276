/** For tests: a real PostgreSQL in a temporary folder, gone afterwards. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Migration } from 'kysely/migration';
import { type Database, migrate, openDatabase } from '../database.ts';
import { startPostgres } from '../embedded/postgres/postgres.ts';

export async function temporaryDatabase<Tables>(migrations: Readonly<Record<string, Migration>>): Promise<Database<Tables>> {
  const directory = await mkdtemp(join(tmpdir(), 'orrery-database-'));
  const server = await startPostgres({ directory });
  const database = await openDatabase<Tables>(server.connection, { connections: 20 });
  await migrate(database, migrations);
  return {
    ...database,
    async close() {
      await database.close();
      await server.stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
