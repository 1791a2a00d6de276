/** Alerts by the faults of one process: its event loop, and wrong codes that people or programs try. */
import { type AccountsTables } from '@orrery/accounts';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, onTestFinished } from 'vitest';
import { ALARM_MS, CodeAlarm, WRONG_CODES_IN_A_MINUTE } from '../../../services/accounts/src/code-alarm.ts';
import { migrations as accountsMigrations } from '../../../services/accounts/src/migrations.ts';
import { Codes, TRIES_PER_CODE } from '../../../services/accounts/src/names/codes.ts';
import { refusalOf } from '../../../services/accounts/src/testing/town.ts';
import { faultOf } from '../testing/fault-of-alert.ts';
import { type Page, scrape } from '../testing/scraped-pages.ts';
import { temporaryDatabase } from '../testing/temporary-database.ts';
import { measureCodes } from './measure.ts';
import { Metrics } from './metrics.ts';
import { startMetricsServer } from './metrics-server.ts';

const BLOCK_MS = 1_000;
/** Of the loop's own measure. */
const TICK_MS = 10;

async function scraped(metrics: Metrics): Promise<() => Promise<Page>> {
  const server = await startMetricsServer({ host: '127.0.0.1', port: 0 }, { metrics, ready: () => ({ status: 200, text: '' }) });
  onTestFinished(() => server.close());
  return () => scrape(server.url);
}

/** The thread does nothing else, as while a single long computation is done. */
const blockLoop = (): void => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, BLOCK_MS);

/** Until the loop has turned often. */
async function turn(times: number): Promise<void> {
  for (let turned = 0; turned < times; turned += 1) await pause(TICK_MS);
}

faultOf('EventLoopSlow', 'something holds the thread for a second now and then', async () => {
  const read = await scraped(new Metrics());
  /** What was loaded before has held the thread, and a busy machine may: a scrape begins the measure again. */
  const readWell = async (): Promise<Page> => {
    for (;;) {
      const page = await read();
      const [, longest = 'NaN'] = /^nodejs_eventloop_lag_max_seconds (\S+)$/m.exec(page.text) ?? [];
      if (Number(longest) < 0.1) return page;
      await turn(5);
    }
  };
  await turn(5);
  const before = [await readWell()];
  const during: Page[] = [];
  for (let scrapes = 0; scrapes < 2; scrapes += 1) {
    await turn(5);
    blockLoop();
    // In five seconds there are far more turns than blocks.
    await turn(110);
    during.push(await read());
  }
  await turn(5);
  return { before, during, after: [await readWell()] };
});

faultOf('CodeAlarm', 'many wrong codes are tried within a minute', async () => {
  const db = await temporaryDatabase<AccountsTables>(accountsMigrations);
  onTestFinished(() => db.close());
  const clock = { now: 1_795_000_000_000 };
  const now = (): number => clock.now;
  const alarm = new CodeAlarm({ db: db.sql, now, onTrouble: (error) => expect.fail(String(error)) });
  const codes = new Codes({ db: db.sql, now, key: Buffer.from('pepper'), alarm });
  const metrics = new Metrics();
  measureCodes(metrics, alarm);
  const read = await scraped(metrics);
  const guess = async (name: number): Promise<void> => {
    const key = { purpose: 'login', mark: `name-${name}`, browser: `browser-${name}` } as const;
    const { code } = await codes.issue(key, { network: `network-${name}`, to: 'stranger' });
    for (let tries = 0; tries < TRIES_PER_CODE; tries += 1)
      expect(await refusalOf(codes.take(key, code === '111111' ? '222222' : '111111', () => undefined))).toBe('InvalidCode');
  };
  await guess(0);
  const before = [await read()];
  await Promise.all(Array.from({ length: WRONG_CODES_IN_A_MINUTE / TRIES_PER_CODE }, (_, name) => guess(name + 1)));
  const during = [await read()];
  await alarm.settled();
  clock.now += ALARM_MS;
  return { before, during, after: [await read()] };
});
