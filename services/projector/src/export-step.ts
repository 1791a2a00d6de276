/** One bounded piece of a file: some rows of history in the order of their keys, as lines. What comes after the job's command changes nothing. */
import type { ExportFileName } from '@orrery/api';
import type { Kysely, Selectable } from 'kysely';
import { countUpTo } from '@orrery/foundation';
import type { ProjectorTables } from './tables.ts';
import type { Terms } from './export-terms.ts';
import type { ExportRow } from './export-tables.ts';
import { entryGroups, type HashOf, isLayout, layoutLines } from './export-layouts.ts';
import { billLine, fillLine, fundingLine, orderLine, withdrawalLine } from './export-lines.ts';

export type Db = Kysely<ProjectorTables>;
type Bill = Selectable<ProjectorTables['projector_bill']>;

export interface Step {
  readonly lines: readonly string[];
  /** Rows that were looked at. */
  readonly scanned: number;
  /** Where the next step begins. */
  readonly cursor: number;
  /** Whether the file has no more. */
  readonly isEnd: boolean;
}

/** Bounds how long a step reads and prints. */
export const ROWS_PER_STEP = 2_000;

export interface StepParts {
  readonly db: Db;
  readonly job: Selectable<ExportRow>;
  readonly terms: Terms;
}

export function readStep(file: ExportFileName, parts: StepParts): Promise<Step> {
  switch (file) {
    case 'fills':
      return fills(parts);
    case 'orders':
      return orders(parts);
    case 'withdrawals':
      return withdrawals(parts);
    default:
      return bills(file, parts);
  }
}

/** About how many rows the steps of a file look at. */
export function countRows(file: ExportFileName, { db, job: { account, until_seq: until } }: StepParts): Promise<number> {
  switch (file) {
    case 'fills':
      return countUpTo(db, db.selectFrom('projector_fill').select('trade_id').where('account', '=', account), COUNTED_MAX);
    case 'orders':
      return countUpTo(
        db,
        db.selectFrom('projector_order').select('order_id').where('account', '=', account).where('status', '=', 'closed'),
        COUNTED_MAX,
      );
    case 'withdrawals':
      return countUpTo(
        db,
        db.selectFrom('projector_withdrawal').select('seq').where('account', '=', account).where('seq', '<=', until),
        COUNTED_MAX,
      );
    default:
      return countUpTo(db, db.selectFrom('projector_bill').select('id').where('account', '=', account), COUNTED_MAX);
  }
}

const COUNTED_MAX = 10_000_000;

interface Read<Row> {
  /** By their keys, from the smallest on. */
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => number;
  readonly atOf: (row: Row) => number;
  readonly lineOf: (row: Row) => string | undefined;
}

/** Keys and times grow together: what is after the period ends the file. */
function stepOf<Row>({ rows, keyOf, atOf, lineOf }: Read<Row>, job: StepParts['job']): Step {
  const last = rows.at(-1);
  const lines = rows.filter((row) => isWithin(atOf(row), job)).flatMap((row) => lineOf(row) ?? []);
  const isPast = last !== undefined && job.end_at !== null && atOf(last) > job.end_at;
  return {
    lines,
    scanned: rows.length,
    cursor: last === undefined ? job.cursor : keyOf(last),
    isEnd: isPast || rows.length < ROWS_PER_STEP,
  };
}

const isWithin = (at: number, { start_at: start, end_at: end }: StepParts['job']): boolean =>
  (start === null || at >= start) && (end === null || at <= end);

async function fills({ db, job, terms }: StepParts): Promise<Step> {
  const rows = await db
    .selectFrom('projector_fill')
    .selectAll()
    .where('account', '=', job.account)
    .where('trade_id', '>', job.cursor)
    .where('seq', '<=', job.until_seq)
    .orderBy('trade_id')
    .limit(ROWS_PER_STEP)
    .execute();
  const lineOf = (row: (typeof rows)[number]) => (job.wallets.includes(terms.market(row.market).wallet) ? fillLine(row, terms) : undefined);
  return stepOf({ rows, keyOf: (row) => row.trade_id, atOf: (row) => row.at, lineOf }, job);
}

async function orders({ db, job, terms }: StepParts): Promise<Step> {
  const rows = await db
    .selectFrom('projector_order')
    .selectAll()
    .where('account', '=', job.account)
    .where('order_id', '>', job.cursor)
    .where('status', '=', 'closed')
    .orderBy('order_id')
    .limit(ROWS_PER_STEP)
    .execute();
  const isOver = (row: (typeof rows)[number]): boolean => row.closed_seq === null || row.closed_seq <= job.until_seq;
  const isWanted = (row: (typeof rows)[number]): boolean => isOver(row) && job.wallets.includes(terms.market(row.market).wallet);
  return stepOf(
    {
      rows,
      keyOf: (row) => row.order_id,
      atOf: (row) => row.created_at,
      lineOf: (row) => (isWanted(row) ? orderLine(row, terms) : undefined),
    },
    job,
  );
}

async function withdrawals({ db, job, terms }: StepParts): Promise<Step> {
  const rows = await db
    .selectFrom('projector_withdrawal')
    .selectAll()
    .where('account', '=', job.account)
    .where('seq', '>', job.cursor)
    .where('seq', '<=', job.until_seq)
    .orderBy('seq')
    .limit(ROWS_PER_STEP)
    .execute();
  const lineOf = (row: (typeof rows)[number]) => (job.wallets.includes('funding') ? withdrawalLine(row, terms) : undefined);
  return stepOf({ rows, keyOf: (row) => row.seq, atOf: (row) => row.created_at, lineOf }, job);
}

async function bills(file: Exclude<ExportFileName, 'fills' | 'orders' | 'withdrawals'>, parts: StepParts): Promise<Step> {
  const { db, job, terms } = parts;
  const rows = await db
    .selectFrom('projector_bill')
    .selectAll()
    .where('account', '=', job.account)
    .where('id', '>', job.cursor)
    .where('seq', '<=', job.until_seq)
    .orderBy('id')
    .limit(ROWS_PER_STEP)
    .execute();
  const common = { rows, keyOf: (row: Bill) => row.id, atOf: (row: Bill) => row.at };
  const mine = (row: Bill): boolean => job.wallets.includes(row.wallet);
  if (isLayout(file)) return layoutStep(file, rows, parts);
  if (file === 'funding') {
    const payments = await fundingOf(db, rows);
    const lineOf = (row: Bill) => {
      const payment = mine(row) ? payments.get(row.id) : undefined;
      return payment === undefined ? undefined : fundingLine(payment, terms);
    };
    return stepOf({ ...common, lineOf }, job);
  }
  return stepOf({ ...common, lineOf: (row) => (mine(row) ? billLine(file, row, terms) : undefined) }, job);
}

/** By the ids of their bills. */
async function fundingOf(db: Db, rows: readonly Bill[]): Promise<ReadonlyMap<number, Selectable<ProjectorTables['projector_funding']>>> {
  const ids = rows.filter(({ kind }) => kind === 'FUNDING').map(({ id }) => id);
  if (ids.length === 0) return new Map();
  const payments = await db.selectFrom('projector_funding').selectAll().where('id', 'in', ids).execute();
  return new Map(payments.map((payment) => [payment.id, payment]));
}

/** What belongs together is one line: the last group of a full piece may go on, and is left for the next. */
async function layoutStep(file: 'koinly' | 'cointracking', rows: readonly Bill[], { db, job, terms }: StepParts): Promise<Step> {
  const isFull = rows.length === ROWS_PER_STEP;
  const groups = entryGroups(rows);
  const whole = isFull && groups.length > 1 ? groups.slice(0, -1) : groups;
  const used = whole.flat();
  const hashOf = await hashesOf(db, used);
  const lines = whole
    .filter(([first]) => first !== undefined && isWithin(first.at, job))
    .flatMap((group) => layoutLines(file, { group: group.filter(({ wallet }) => job.wallets.includes(wallet)), terms, hashOf }));
  const last = used.at(-1);
  const isPast = last !== undefined && job.end_at !== null && last.at > job.end_at;
  return { lines, scanned: used.length, cursor: last?.id ?? job.cursor, isEnd: isPast || !isFull };
}

/** Of withdrawals to the chain. */
async function hashesOf(db: Db, rows: readonly Bill[]): Promise<HashOf> {
  const ids = rows.filter(({ kind }) => kind === 'WITHDRAW').map(({ reference }) => reference);
  if (ids.length === 0) return () => '';
  const found = await db
    .selectFrom('projector_withdrawal')
    .select(['withdrawal_id', 'tx_hash'])
    .where('withdrawal_id', 'in', ids)
    .execute();
  const hashes = new Map(found.map((row) => [row.withdrawal_id, row.tx_hash ?? '']));
  return (withdrawalId) => hashes.get(withdrawalId) ?? '';
}
