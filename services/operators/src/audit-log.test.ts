/** Processes on one database, each with a data folder of its own: each keeps the head of every row, whichever of them wrote it. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { Chance } from '../../../core/engine/src/testing/chance.ts';
import type { Database } from '../../../exchange/src/database.ts';
import { AuditHeads } from './audit-heads.ts';
import { AuditLog } from './audit-log.ts';
import { FIRST_PREVIOUS_HASH, type OperatorsTables } from './tables.ts';
import { openDatabase } from './testing/office.ts';

const SEED = Number(process.env['ORRERY_SEED'] ?? Math.floor(Math.random() * 1_000_000_000));
const ROWS = 40;

interface Process {
  readonly log: AuditLog;
  /** Of the heads. */
  readonly file: string;
}

let db: Database<OperatorsTables>;
let directory: string;

beforeAll(async () => {
  db = await openDatabase();
});
afterAll(() => db.close());
beforeEach(async () => {
  await sql.raw('truncate operators_audit').execute(db.sql);
  await sql.raw(`update operators_audit_head set seq = 0, hash = '${FIRST_PREVIOUS_HASH}'`).execute(db.sql);
  directory = await mkdtemp(join(tmpdir(), 'orrery-logs-'));
});
afterEach(() => rm(directory, { recursive: true }));

/** As at a start: what the file does not have yet is taken from the database. */
async function start(name: string): Promise<Process> {
  const file = join(directory, name, 'audit-heads');
  const log = new AuditLog({ db: db.sql, heads: await AuditHeads.open(file), now: () => 1 });
  await log.brokenAt();
  await log.keepHeads();
  return { log, file };
}

const act = ({ log }: Process, action: string): Promise<void> =>
  db.sql.transaction().execute((tx) => log.append(tx, { operator: 'alice', action, detail: {} }));

const linesOf = async ({ file }: Process): Promise<readonly string[]> => (await readFile(file, 'utf8')).split('\n').slice(0, -1);

/** As somebody does who can write to the database and reaches no folder. */
async function takeOutAfter(seq: number): Promise<void> {
  await sql`delete from operators_audit where seq > ${seq}`.execute(db.sql);
  await sql`update operators_audit_head set seq = ${seq}, hash = (select hash from operators_audit where seq = ${seq})`.execute(db.sql);
}

test('each process keeps the heads of what all of them wrote, and finds what was taken out of the rows of another', async () => {
  const [one, other] = [await start('one'), await start('other')];
  for (const process of [one, other, other, one, other]) await act(process, 'BLOCK');
  await Promise.all([one.log.keepHeads(), other.log.keepHeads()]);
  const lines = await linesOf(one);
  expect(lines).toHaveLength(5);
  expect(await linesOf(other)).toEqual(lines);
  await takeOutAfter(4);
  for (const { log } of [one, other]) expect(await log.brokenAt()).toBe(5);
  // What is written in its place afterwards hides nothing.
  await act(one, 'UNBLOCK');
  for (const { log } of [one, other, await start('one'), await start('other')]) expect(await log.brokenAt()).toBe(5);
});

test('the row of a process that is killed before it kept the head is kept by the other, which finds it gone', async () => {
  const [one, other] = [await start('one'), await start('other')];
  await act(one, 'BLOCK');
  await act(one, 'UNBLOCK');
  await other.log.keepHeads();
  expect(await linesOf(one)).toEqual([]);
  expect(await linesOf(other)).toHaveLength(2);
  await takeOutAfter(1);
  expect(await other.log.brokenAt()).toBe(2);
});

test('a process that was away keeps at its start what the others wrote meanwhile, and reports a row that was changed before that', async () => {
  const [one, other] = [await start('one'), await start('other')];
  await act(one, 'BLOCK');
  await Promise.all([one.log.keepHeads(), other.log.keepHeads()]);
  for (let row = 0; row < 3; row += 1) await act(other, 'UNBLOCK');
  const again = await start('one');
  expect(again.log.untrue()).toBeUndefined();
  expect(await linesOf(again)).toHaveLength(4);
  await takeOutAfter(1);
  await act(other, 'BLOCK');
  expect((await start('one')).log.untrue()).toBe('row 2 of the audit log is not as it was written');
});

test(`nothing is reported while both write, keep and check at the same time, seed ${SEED}`, async () => {
  const processes = [await start('one'), await start('other')];
  const chance = new Chance(SEED);
  const work = processes.flatMap((process) => [
    (async () => {
      for (let row = 0; row < ROWS; row += 1) await act(process, `ROW_${row}`);
    })(),
    (async () => {
      for (let look = 0; look < ROWS; look += 1) {
        await (chance.oneIn(3) ? process.log.brokenAt() : process.log.keepHeads());
        expect(process.log.untrue()).toBeUndefined();
      }
    })(),
  ]);
  await Promise.all(work);
  for (const { log } of processes) await log.keepHeads();
  const [lines, others] = await Promise.all(processes.map(linesOf));
  expect(lines).toHaveLength(2 * ROWS);
  expect(others).toEqual(lines);
  for (const { log } of processes) expect(await log.brokenAt()).toBeUndefined();
});
