/** What an exchange has written so far: commands, bytes of its journal, and rows and bytes of each table. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { newestSegment, nodeDisk, packSegment } from '@orrery/sequencer';
import { Client } from 'pg';
import type { ServedIdle } from './serve-idle.ts';

export interface TableSample {
  readonly table: string;
  /** Written so far, and deleted of these. */
  readonly inserted: number;
  readonly deleted: number;
  readonly updated: number;
  readonly tableBytes: number;
  readonly indexBytes: number;
}

export interface DiskSample {
  readonly at: number;
  readonly commands: number;
  readonly journalBytes: number;
  readonly walBytes: number;
  /** Of the data folder without the journal and the database: the chain, above all. */
  readonly otherBytes: number;
  readonly tables: readonly TableSample[];
}

export async function sampleDisk({ url, directory }: ServedIdle): Promise<DiskSample> {
  const answer = (await (await fetch(`${url}/status`)).json()) as { readonly data: { readonly seq: number } };
  const client = new Client({ host: join(directory, 'postgres', 'cluster'), user: 'orrery', database: 'postgres' });
  await client.connect();
  try {
    const wal = await client.query<{ bytes: string }>(`select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::text bytes`);
    const { rows } = await client.query<Record<keyof TableSample, string>>(`
      select relname "table", n_tup_ins::text inserted, n_tup_del::text deleted, n_tup_upd::text updated,
        pg_table_size(relid)::text "tableBytes", pg_indexes_size(relid)::text "indexBytes"
      from pg_stat_user_tables order by relname`);
    return {
      at: performance.now(),
      commands: answer.data.seq,
      journalBytes: journalBytes(directory),
      walBytes: Number(wal.rows[0]?.bytes ?? 0),
      otherBytes: bytesBelow(directory, (path) => path !== 'postgres' && path !== 'history/journal'),
      tables: rows.map((row) => ({
        table: row.table,
        inserted: Number(row.inserted),
        deleted: Number(row.deleted),
        updated: Number(row.updated),
        tableBytes: Number(row.tableBytes),
        indexBytes: Number(row.indexBytes),
      })),
    };
  } finally {
    await client.end();
  }
}

/** Segments are files of zeros that are filled: of the last one counts what lies before them. */
function journalBytes(directory: string): number {
  const journal = join(directory, 'history', 'journal');
  const segments = readdirSync(journal).filter((name) => name.endsWith('.segment'));
  const last = segments.at(-1);
  if (last === undefined) return 0;
  const full = segments.slice(0, -1).reduce((sum, name) => sum + statSync(join(journal, name)).size, 0);
  return full + readFileSync(join(journal, last)).findLastIndex((byte) => byte !== 0) + 1;
}

/** What the newest segment becomes when it is packed: bytes for each byte before the end of its last frame. */
export function packedShare(directory: string): number {
  const content = newestSegment({ disk: nodeDisk, directory: join(directory, 'history') })?.content ?? new Uint8Array();
  const used = content.findLastIndex((byte) => byte !== 0) + 1;
  return packSegment(content).length / Math.max(1, used);
}

/** Of the files below a folder that `counts`, by paths from there. A file that goes meanwhile is left out. */
function bytesBelow(root: string, counts: (path: string) => boolean, folder = ''): number {
  return readdirSync(join(root, folder), { withFileTypes: true }).reduce((sum, entry) => {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (!counts(path)) return sum;
    if (entry.isDirectory()) return sum + bytesBelow(root, counts, path);
    return sum + (statSync(join(root, path), { throwIfNoEntry: false })?.size ?? 0);
  }, 0);
}
