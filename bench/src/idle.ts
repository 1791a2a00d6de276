/**
 * What an exchange at rest writes: the whole program with its market-maker and its managers of funds, and nobody else. `ORRERY_BENCH_MINUTES` says for how
 * long it is watched (3). Bytes of tables grow by whole pages, so a few minutes say little of small tables.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { serve } from './door/served.ts';
import { packedShare, sampleDisk, type DiskSample, type TableSample } from './idle/disk-sample.ts';
import { residentMiB } from './idle/resident.ts';
import type { ServedIdle } from './idle/serve-idle.ts';
import { projectYear, type YearOnDisk } from './idle/year.ts';
import { rounded, whole } from './measure.ts';
import type { Findings, Part } from './part.ts';

export const idlePart: Part = {
  name: 'idle',
  about: 'bytes and rows an hour of an exchange at rest, and its memory (ORRERY_BENCH_MINUTES)',
  measure,
};

const SETTLE_MS = 90_000;
const HOUR_MS = 3_600_000;
const YEAR_HOURS = 8_766;
const minutes = Number(process.env['ORRERY_BENCH_MINUTES'] ?? 3);

async function measure(): Promise<Findings> {
  const exchange = await serve<ServedIdle>('../idle/serve-idle.ts');
  try {
    await pause(SETTLE_MS);
    const before = await sampleDisk(exchange.facts);
    await pause(minutes * 60_000);
    const after = await sampleDisk(exchange.facts);
    const year = projectYear(before, after, packedShare(exchange.facts.directory));
    return findings(before, after, { resident: residentMiB(exchange.facts.pid), year });
  } finally {
    await exchange.stop();
  }
}

/** An hour of it. */
interface TableGrowth {
  readonly table: string;
  readonly rows: number;
  readonly deletedRows: number;
  readonly updatedRows: number;
  readonly tableBytes: number;
  readonly indexBytes: number;
}

interface Weights {
  readonly resident: ReadonlyMap<string, number>;
  readonly year: YearOnDisk;
}

function findings(before: DiskSample, after: DiskSample, { resident, year }: Weights): Findings {
  const hours = (after.at - before.at) / HOUR_MS;
  const grown = (field: 'commands' | 'journalBytes' | 'walBytes'): number => (after[field] - before[field]) / hours;
  const tables = after.tables
    .map((table) =>
      growthOf(
        before.tables.find((other) => other.table === table.table),
        table,
        hours,
      ),
    )
    .filter(({ rows, tableBytes, indexBytes, updatedRows }) => rows + tableBytes + indexBytes + updatedRows > 0)
    .sort((left, right) => right.tableBytes + right.indexBytes - left.tableBytes - left.indexBytes);
  const sqlBytes = tables.reduce((sum, { tableBytes, indexBytes }) => sum + tableBytes + indexBytes, 0);
  const memory = [...resident].map(([program, mib]) => [program, Math.round(mib)] as const);
  const figures = {
    minutes,
    commandsPerSecond: rounded(grown('commands') / 3_600, 1),
    journalBytesPerHour: Math.round(grown('journalBytes')),
    walBytesPerHour: Math.round(grown('walBytes')),
    sqlBytesPerHour: Math.round(sqlBytes),
    yearBytes: Math.round(year.bytes),
    residentMiB: Object.fromEntries(memory),
    tables,
  };
  const megabytes = (bytes: number): string => `${rounded(bytes / 1e6, 2)} MB`;
  return {
    figures: { idle: figures },
    lines: [
      `${figures.commandsPerSecond} commands/s, journal ${megabytes(figures.journalBytesPerHour)}/h (${rounded((figures.journalBytesPerHour * YEAR_HOURS) / 1e9, 1)} GB a year), tables and indexes ${megabytes(sqlBytes)}/h, WAL ${megabytes(figures.walBytesPerHour)}/h (${minutes} min)`,
      ...tables.map(
        ({ table, rows, deletedRows, updatedRows, tableBytes, indexBytes }) =>
          `${table}: ${whole(rows)} rows/h (${whole(deletedRows)} deleted, ${whole(updatedRows)} updated), table ${megabytes(tableBytes)}/h, indexes ${megabytes(indexBytes)}/h`,
      ),
      `a year on disk: ${rounded(year.bytes / 1e9, 1)} GB (${year.parts
        .slice(0, 6)
        .map(({ name, bytes }) => `${name} ${rounded(bytes / 1e9, 2)} GB`)
        .join(', ')})`,
      `memory ${memory.map(([program, mib]) => `${program} ${mib} MiB`).join(', ')}`,
    ],
  };
}

function growthOf(before: TableSample | undefined, after: TableSample, hours: number): TableGrowth {
  const grown = (field: Exclude<keyof TableSample, 'table'>): number => (after[field] - (before?.[field] ?? 0)) / hours;
  return {
    table: after.table,
    rows: Math.round(grown('inserted')),
    deletedRows: Math.round(grown('deleted')),
    updatedRows: Math.round(grown('updated')),
    tableBytes: Math.round(grown('tableBytes')),
    indexBytes: Math.round(grown('indexBytes')),
  };
}
