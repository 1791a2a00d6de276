/** The SQL database, embedded or by URL, with every service's tables. */
import { join } from 'node:path';
import { migrations as accountsMigrations, type AccountsTables } from '@orrery/accounts';
import { migrations as campaignMigrations, type CampaignTables } from '@orrery/campaign';
import { migrations as indexerMigrations, type IndexerTables } from '@orrery/indexer';
import { migrations as operatorsMigrations, type OperatorsTables } from '@orrery/operators';
import { migrations as projectorMigrations, type ProjectorTables } from '@orrery/projector';
import { migrate, openDatabase, type Database, type DatabaseAddress } from './database.ts';
import { startPostgres } from './embedded/postgres/postgres.ts';
import type { Surroundings } from './surroundings.ts';

export type Tables = AccountsTables & CampaignTables & IndexerTables & OperatorsTables & ProjectorTables;

const CONNECTIONS = 10;
/** Below the time-out of callers: a database that hangs is reported before they give up. */
const PATIENCE_MS = 8_000;

export interface StartedDatabase extends Database<Tables> {
  readonly address: DatabaseAddress;
}

export async function startDatabase(surroundings: Surroundings): Promise<StartedDatabase> {
  const { config, closing } = surroundings;
  const address = config.databaseUrl === undefined ? await startEmbedded(surroundings) : { url: config.databaseUrl };
  const database = await openDatabase<Tables>(address, { connections: CONNECTIONS, patienceMs: PATIENCE_MS });
  closing.add({ name: 'the database connections', stop: () => database.close() });
  await migrate(database, {
    ...accountsMigrations,
    ...campaignMigrations,
    ...indexerMigrations,
    ...operatorsMigrations,
    ...projectorMigrations,
  });
  return { ...database, address };
}

async function startEmbedded({ config, closing }: Surroundings): Promise<DatabaseAddress> {
  const server = await startPostgres({ directory: join(config.dataDirectory, 'postgres') });
  closing.add({ name: 'the database', stop: () => server.stop() });
  return server.connection;
}
