/**
 * The contracts on a chain elsewhere: every process on one database works with the same. Their record is a row, and one process at a time puts them on the
 * chain: two would take the same nonces of the deployer, and one that comes later would put a second set there.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { Deployment } from '@orrery/contracts';
import { type DeploymentRecord, type DeploymentStore, findDeployment } from '@orrery/contracts/deploy';
import { statements } from '@orrery/foundation';
import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { PublicClient } from 'viem';
import { StartError } from './start-error.ts';

const TABLE = 'exchange_deployment';
/** Between two looks whether another process is ready. */
const LOOK_MS = 500;

export interface DeploymentTables {
  /** One row, with the record as JSON. */
  exchange_deployment: { id: number; record: string };
}

export const deploymentMigrations: Readonly<Record<string, Migration>> = {
  'exchange-002-deployment': statements([`create table ${TABLE} (id integer primary key check (id = 1), record text not null)`]),
};

export interface SharedDeployment {
  readonly db: Kysely<DeploymentTables>;
  readonly client: PublicClient;
  /** Where versions before the row, and the command that deploys, leave the record. */
  readonly file: DeploymentStore;
  /** Puts the contracts on the chain, or goes on with that. */
  readonly deploy: (store: DeploymentStore) => Promise<Deployment>;
  /** Brings the house its money, or goes on with that; undefined leaves it as it is. */
  readonly fund: ((store: DeploymentStore) => Promise<void>) | undefined;
  readonly say: (line: string) => void;
}

export interface FoundDeployment {
  readonly deployment: Deployment;
  readonly isHouseFunded: boolean;
}

/** @throws StartError where the file of this process names other contracts than the row */
export async function sharedDeployment({ db, client, file, deploy, fund, say }: SharedDeployment): Promise<FoundDeployment> {
  const store = storeOf(db, file);
  const found = await findDeployment({ client, store });
  const isHouseFunded = await isFunded(store);
  if (found !== undefined && (isHouseFunded || fund === undefined)) return { deployment: found, isHouseFunded };
  return db.connection().execute(async (connection) => {
    await lock(connection, say);
    try {
      const locked = storeOf(connection, file);
      const deployment = await deploy(locked);
      await fund?.(locked);
      return { deployment, isHouseFunded: await isFunded(locked) };
    } finally {
      // A connection that is gone has released it.
      await sql`select pg_advisory_unlock(hashtext(${TABLE}))`.execute(connection).catch(() => undefined);
    }
  });
}

const isFunded = async (store: DeploymentStore): Promise<boolean> => (await store.read())?.house?.complete === true;

/** Held by the connection, not by a transaction: a deployment takes as long as its blocks. */
async function lock(connection: Kysely<DeploymentTables>, say: (line: string) => void): Promise<void> {
  for (let looks = 0; ; looks += 1) {
    const { rows } = await sql<{ isOurs: boolean }>`select pg_try_advisory_lock(hashtext(${TABLE})) as "isOurs"`.execute(connection);
    if (rows[0]?.isOurs === true) return;
    if (looks === 0) say('another process puts the contracts on the chain');
    await pause(LOOK_MS);
  }
}

function storeOf(db: Kysely<DeploymentTables>, file: DeploymentStore): DeploymentStore {
  const readRow = async (): Promise<DeploymentRecord | undefined> => {
    const row = await db.selectFrom('exchange_deployment').select('record').executeTakeFirst();
    return row === undefined ? undefined : (JSON.parse(row.record) as DeploymentRecord);
  };
  const write = async (record: DeploymentRecord): Promise<void> => {
    const values = { id: 1, record: JSON.stringify(record) };
    await db
      .insertInto('exchange_deployment')
      .values(values)
      .onConflict((conflict) => conflict.column('id').doUpdateSet({ record: values.record }))
      .execute();
  };
  return {
    name: `the table ${TABLE}`,
    write,
    async read() {
      const own = await file.read();
      const row = await readRow();
      if (own === undefined || row === undefined) {
        if (own?.complete === true) await write(own);
        return row ?? own;
      }
      if (own.deployment.vault !== row.deployment.vault)
        throw new StartError(
          `${file.name} names the vault ${own.deployment.vault}, but the exchange on this database works with ${row.deployment.vault}: remove the file.`,
        );
      return row;
    },
  };
}
