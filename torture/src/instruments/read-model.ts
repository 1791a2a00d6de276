/** Whether history in SQL is what the journal says: it is rebuilt from the first command, and must be equal. */
import { emptyProjection, type ProjectorTables, startProjector } from '@orrery/projector';
import { followFolder, nodeDisk } from '@orrery/sequencer';
import { verifyFolder } from '@orrery/sequencer/verify';
import { seq, type Seq } from '@orrery/units';
import { sql } from 'kysely';
import { openDatabase, type Database, type DatabaseAddress } from '../../../exchange/src/database.ts';
import { ENGINES } from '../../../exchange/src/engines.ts';
import { DurableSeq } from '../../../exchange/src/history/durable-seq.ts';
import { houseAddresses } from '../../../exchange/src/house-addresses.ts';
import { historyDirectory } from '../../../exchange/src/start-heart.ts';

export interface ReadModel {
  /** Of the program, which is stopped. */
  readonly dataDirectory: string;
  /** Of its chain, where that is elsewhere: it says which accounts are the house's. */
  readonly rpcUrl: string | undefined;
  readonly database: DatabaseAddress;
}

export interface Comparison {
  readonly commands: number;
  readonly rows: number;
  /** One sentence for each table that differs. */
  readonly differences: readonly string[];
}

export async function compareReadModel({ dataDirectory, rpcUrl, database }: ReadModel): Promise<Comparison> {
  const directory = historyDirectory(dataDirectory);
  const house = houseAddresses({ dataDirectory, rpcUrl });
  const db = await openDatabase<ProjectorTables>(database, { connections: 2 });
  try {
    const end = seq(verifyFolder(directory, ENGINES).seq);
    await writeUpTo(end, { db, directory, house });
    const grown = await allRows(db);
    await emptyProjection(db.sql);
    await writeUpTo(end, { db, directory, house });
    const anew = await allRows(db);
    const differences = [...anew].flatMap(([table, rows]) => differenceOf(table, { grown: grown.get(table) ?? [], anew: rows }));
    return { commands: end, rows: [...anew.values()].reduce((sum, rows) => sum + rows.length, 0), differences };
  } finally {
    await db.close();
  }
}

interface Writing {
  readonly db: Database<ProjectorTables>;
  /** The heart's folder. */
  readonly directory: string;
  /** Addresses of the accounts whose rows are summed by the day. */
  readonly house: readonly string[];
}

async function writeUpTo(end: Seq, { db, directory, house }: Writing): Promise<void> {
  const durable = new DurableSeq();
  durable.report(end);
  const source = followFolder({ directory, disk: nodeDisk, engines: ENGINES, end: durable, log: () => undefined });
  const projector = await startProjector({ source, db: db.sql, houseAddresses: house, onTrouble: () => undefined });
  await projector.reached(end);
  await projector.stop();
}

/** Every row of history as text, table by table, in an order of its own. */
async function allRows(db: Database<ProjectorTables>): Promise<ReadonlyMap<string, readonly string[]>> {
  const { rows: tables } = await sql<{ name: string }>`
    select tablename as name from pg_tables where tablename like 'projector\\_%' order by tablename`.execute(db.sql);
  const all = new Map<string, readonly string[]>();
  for (const { name } of tables) {
    const { rows } = await sql<{ row: string }>`select t::text as row from ${sql.table(name)} t order by 1`.execute(db.sql);
    all.set(
      name,
      rows.map(({ row }) => row),
    );
  }
  return all;
}

function differenceOf(table: string, { grown, anew }: { grown: readonly string[]; anew: readonly string[] }): readonly string[] {
  const [left, right] = [new Set(grown), new Set(anew)];
  const onlyGrown = grown.filter((row) => !right.has(row));
  const onlyAnew = anew.filter((row) => !left.has(row));
  if (grown.length === anew.length && onlyGrown.length === 0 && onlyAnew.length === 0) return [];
  const example = onlyGrown[0] ?? onlyAnew[0] ?? 'a row that is there twice';
  return [`${table}: ${grown.length} rows grew, ${anew.length} were written anew; such as ${example}`];
}
