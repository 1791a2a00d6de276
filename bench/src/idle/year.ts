/** What an exchange that goes on as it did between two samples has on its disk after a year. `docs/kept.md` says what is kept how long. */
import type { DiskSample, TableSample } from './disk-sample.ts';

const HOUR_MS = 3_600_000;
const YEAR_HOURS = 8_766;
const DAY_HOURS = 24;
/** Of rows of which there are too few to measure them; larger than nearly all. */
const UNKNOWN_ROW_BYTES = 500;
const MEASURED_ROWS = 300;
/** The write-ahead log of the embedded database, at most (`max_wal_size`), and what is prepared of the journal: a segment and the reserve. */
const FIXED_BYTES = 256e6 + 16e6 + 64e6;
/** Segments that are not packed: commands of three snapshots, and the rest of a segment. */
const UNPACKED_COMMANDS = 300_000;
const SEGMENT_BYTES = 16e6;

/** Hours for which a row is kept, where that is less than a year. */
const KEPT_HOURS: Readonly<Record<string, number>> = {
  projector_candle: 45 * DAY_HOURS,
  projector_price_candle: 45 * DAY_HOURS,
  fund_holdings: 1,
  fund_dealing: 30 * DAY_HOURS,
  accounts_login: 180 * DAY_HOURS,
  accounts_trace: 90 * DAY_HOURS,
};
/** What is left of rows after that: minutes become hours. Some minutes have no trade, so more than a sixtieth. */
const LEFT_AFTER: Readonly<Record<string, number>> = { projector_candle: 1 / 10, projector_price_candle: 1 / 60 };

/** They get their rows once an hour, of which the time between two samples holds all or none. All rows so far are at least those of an hour. */
const HOURLY: ReadonlySet<string> = new Set(['projector_hour', 'projector_position_hour', 'projector_index_price', 'projector_mark_price']);
/** A row for each open position once an hour, at most: its payment, the bill of that, and the rate. */
const OF_FUNDING: ReadonlySet<string> = new Set(['projector_funding', 'projector_funding_rate', 'projector_bill']);
/** Tables of which new rows take the place of old ones: the newest thousand trades of each market. */
const ROWS_MAX: Readonly<Record<string, number>> = { projector_house_trade: 20_000 };

export interface YearPart {
  /** A table, or what else it is. */
  readonly name: string;
  readonly bytes: number;
  /** Of a table. */
  readonly rows?: { readonly perHour: number; readonly bytesEach: number };
}

export interface YearOnDisk {
  readonly bytes: number;
  /** The largest first. */
  readonly parts: readonly YearPart[];
}

/** @param packedShare bytes of the archive for each byte of the journal */
export function projectYear(before: DiskSample, after: DiskSample, packedShare: number): YearOnDisk {
  const hours = (after.at - before.at) / HOUR_MS;
  const perHour = (field: 'journalBytes' | 'otherBytes' | 'commands'): number => Math.max(0, (after[field] - before[field]) / hours);
  const commandBytes = perHour('journalBytes') / Math.max(1, perHour('commands'));
  const parts: readonly YearPart[] = [
    { name: 'journal, packed', bytes: perHour('journalBytes') * YEAR_HOURS * packedShare },
    { name: 'journal, not packed yet', bytes: UNPACKED_COMMANDS * commandBytes + SEGMENT_BYTES },
    { name: 'chain and other files', bytes: after.otherBytes + perHour('otherBytes') * YEAR_HOURS },
    { name: 'write-ahead log, and what is prepared of the journal', bytes: FIXED_BYTES },
    ...after.tables.map((table) => tableYear(table, before, after)),
  ];
  const sorted = parts.toSorted((left, right) => right.bytes - left.bytes);
  return { bytes: sorted.reduce((sum, { bytes }) => sum + bytes, 0), parts: sorted };
}

const written = (sample: DiskSample, table: string): number => sample.tables.find((one) => one.table === table)?.inserted ?? 0;

const staying = (sample: DiskSample, table: string): number => {
  const found = sample.tables.find((one) => one.table === table);
  return found === undefined ? 0 : found.inserted - found.deleted;
};

/** Rows an hour that are there an hour later too. */
function growthOf({ table }: TableSample, before: DiskSample, after: DiskSample): number {
  if (HOURLY.has(table)) return written(after, table);
  const hours = (after.at - before.at) / HOUR_MS;
  const grown = (name: string): number => staying(after, name) - staying(before, name);
  if (!OF_FUNDING.has(table)) return Math.max(0, grown(table) / hours);
  const others = table === 'projector_bill' ? Math.max(0, grown(table) - grown('projector_funding')) / hours : 0;
  return others + staying(after, 'projector_position');
}

/** What there is already, holes included, and the rows that stay of those that come. */
function tableYear(table: TableSample, before: DiskSample, after: DiskSample): YearPart {
  const total = table.tableBytes + table.indexBytes;
  const rows = staying(after, table.table);
  const bytesEach = rows >= MEASURED_ROWS ? total / rows : UNKNOWN_ROW_BYTES;
  const perHour = growthOf(table, before, after);
  const kept = KEPT_HOURS[table.table] ?? YEAR_HOURS;
  const keptHours = kept + (YEAR_HOURS - kept) * (LEFT_AFTER[table.table] ?? 0);
  const more = Math.min(perHour * keptHours, ROWS_MAX[table.table] ?? Number.POSITIVE_INFINITY);
  return { name: table.table, bytes: total + more * bytesEach, rows: { perHour, bytesEach } };
}
