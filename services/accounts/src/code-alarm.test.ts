import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Database } from '../../../exchange/src/database.ts';
import { temporaryDatabase } from '../../../exchange/src/testing/temporary-database.ts';
import { ALARM_MS, CodeAlarm, WRONG_CODES_IN_A_MINUTE } from './code-alarm.ts';
import { migrations } from './migrations.ts';
import type { AccountsTables } from './tables.ts';

const MINUTE = 60_000;
const clock = { now: 1_795_000_000_000 };
let db: Database<AccountsTables>;
beforeAll(async () => {
  db = await temporaryDatabase<AccountsTables>(migrations);
});
afterAll(() => db.close());

const onTrouble = (error: unknown): never => {
  throw error;
};
const alarm = (isShared: boolean): CodeAlarm => new CodeAlarm({ db: db.sql, now: () => clock.now, onTrouble, isShared });

async function note(alarms: readonly CodeAlarm[], times: number): Promise<void> {
  for (let count = 0; count < times; count += 1) alarms[count % alarms.length]?.note();
  for (const each of alarms) await each.settled();
}

test('[L10] the wrong codes of all processes on one database are counted together, a minute long, and the end holds for all', async () => {
  const processes = [alarm(true), alarm(true), alarm(true)];
  const areOn = async (): Promise<readonly boolean[]> => {
    for (const each of processes) await each.load();
    return processes.map(({ isOn }) => isOn);
  };
  await note(processes, WRONG_CODES_IN_A_MINUTE);
  expect(await areOn()).toEqual([false, false, false]);
  clock.now += MINUTE + 20_000;
  await note(processes, WRONG_CODES_IN_A_MINUTE);
  expect(await areOn()).toEqual([false, false, false]);
  clock.now += 30_000;
  await note(processes, 1);
  expect(await areOn()).toEqual([true, true, true]);
  clock.now += ALARM_MS;
  expect(await areOn()).toEqual([false, false, false]);
  const rows = await db.sql.selectFrom('accounts_wrong_codes').selectAll().execute();
  expect(rows.length).toBeLessThanOrEqual(8);
});

test('[L10] a process that is alone counts in memory', async () => {
  clock.now += ALARM_MS;
  const alone = alarm(false);
  await note([alone], WRONG_CODES_IN_A_MINUTE);
  expect(alone.isOn).toBe(false);
  await note([alone], 1);
  expect(alone.isOn).toBe(true);
});
