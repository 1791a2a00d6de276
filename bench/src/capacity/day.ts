/** What a command leaves on disk: bytes of the journal, and rows and indexes of history in PostgreSQL, written by the projector alone. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createEngine, decodeState } from '@orrery/engine';
import { type Database, migrate, openDatabase } from '@orrery/exchange/database';
import { DurableSeq } from '@orrery/exchange/durable-seq';
import { startPostgres } from '@orrery/exchange/postgres';
import { leaseMigrations } from '@orrery/foundation';
import { migrations, type ProjectorTables, startProjector } from '@orrery/projector';
import { followFolder, newestSegment, nodeDisk, packSegment } from '@orrery/sequencer';
import { seq } from '@orrery/units';
import { spentOn } from '../measure.ts';
import { journalBytes, withHistory, type WrittenHistory } from './history.ts';
import type { Kind, Readings } from './kind.ts';
import { microsOf } from './memory.ts';
import { processorMicros } from './processors.ts';

/** A day's accounts: what rests is what the flow takes away again. */
const SIZE = { resting: 1_000, accounts: 1_000, markets: 1 };

const stored = (commands: number): Promise<Readings> =>
  withHistory(SIZE, commands, async (history) => {
    const directory = mkdtempSync(join(tmpdir(), 'orrery-capacity-sql-'));
    const postgres = await startPostgres({ directory });
    const database = await openDatabase<ProjectorTables>(postgres.connection, { connections: 4 });
    try {
      await migrate(database, { ...leaseMigrations, ...migrations });
      const before = processorMicros(postgres.pid());
      const projecting = await spentOn(() => project(history, database));
      const postgresMicros = processorMicros(postgres.pid()) - before;
      const journal = join(history.directory, 'journal');
      return {
        ...(await sizesOf(database)),
        journalBytes: journalBytes(journal),
        packedBytes: journalBytes(journal) * packedShare(history.directory),
        projectorMicros: microsOf(projecting),
        postgresMicros,
      };
    } finally {
      await database.close();
      await postgres.stop();
      rmSync(directory, { recursive: true, force: true });
    }
  });

async function project({ directory, lastSeq }: WrittenHistory, { sql }: Database<ProjectorTables>): Promise<void> {
  const end = new DurableSeq();
  end.report(seq(lastSeq));
  const fail = (error: unknown): never => {
    throw error;
  };
  const source = followFolder({ directory, disk: nodeDisk, engines: { createEngine, decodeState }, end, log: () => undefined });
  const projector = await startProjector({ source, db: sql, onTrouble: fail });
  await projector.reached(seq(lastSeq));
  await projector.stop();
}

interface Sizes {
  readonly orderRows: string;
  readonly fillRows: string;
  readonly billRows: string;
  readonly tableBytes: string;
  readonly indexBytes: string;
}

async function sizesOf({ counts }: Database<ProjectorTables>): Promise<Readings> {
  const { rows } = await counts.query<Sizes>(`
    select (select count(*) from projector_order)::text "orderRows", (select count(*) from projector_fill)::text "fillRows",
      (select count(*) from projector_bill)::text "billRows",
      sum(pg_table_size(relid))::text "tableBytes", sum(pg_indexes_size(relid))::text "indexBytes"
    from pg_stat_user_tables`);
  return Object.fromEntries(Object.entries(rows[0] ?? {}).map(([name, value]) => [name, Number(value)]));
}

function packedShare(directory: string): number {
  const content = newestSegment({ disk: nodeDisk, directory })?.content ?? new Uint8Array();
  const used = content.findLastIndex((byte) => byte !== 0) + 1;
  return packSegment(content).length / Math.max(1, used);
}

export const DAY_KINDS: readonly Kind[] = [
  {
    name: 'stored',
    per: 'command',
    about: 'an order or cancel of persons on disk: of four commands three are orders and one a cancel; one trade',
    counts: [4_000, 20_000, 100_000],
    measure: stored,
  },
];
