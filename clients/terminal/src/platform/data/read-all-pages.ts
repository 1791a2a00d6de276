/** Reads a whole list page by page, as for a file: to its end, or to a bound. */
import type { Page } from '../../kit/ui/pager.tsx';
import { isTooMany } from '../client/failure.ts';
import type { Listed } from './page-query.ts';

const PAGE_SIZE = 100;
/** Of one list: a hundred calls at most. */
export const ROWS_MAX = 10_000;
/** How often a page is asked for again that was refused because there were too many calls. */
const RETRIES_MAX = 5;
const WAIT_MS = 1_000;

export interface WholeList<Row> {
  readonly load: (page: Page) => Promise<Listed<Row>>;
  /** A row that came twice, because the list grew while it was read, counts once. */
  readonly keyOf: (row: Row) => string;
  readonly sleep?: (millis: number) => Promise<void>;
}

const sleepFor = (millis: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, millis));

/** @param onCount is given how many rows have come so far. @throws what the call rejects with, when it stays refused. */
export async function readAllPages<Row>(list: WholeList<Row>, onCount: (count: number) => void): Promise<readonly Row[]> {
  const rows = new Map<string, Row>();
  for (let page = 1; rows.size < ROWS_MAX; page += 1) {
    const { list: read } = await patiently(list, { page, pageSize: PAGE_SIZE });
    for (const row of read) rows.set(list.keyOf(row), row);
    onCount(rows.size);
    if (read.length < PAGE_SIZE) break;
  }
  return [...rows.values()].slice(0, ROWS_MAX);
}

async function patiently<Row>({ load, sleep = sleepFor }: WholeList<Row>, page: Page): Promise<Listed<Row>> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await load(page);
    } catch (error) {
      if (!isTooMany(error) || attempt > RETRIES_MAX) throw error;
      await sleep(error.retryAfterMs ?? WAIT_MS);
    }
  }
}
