/** Alerts by the faults of a real heart, its disk, its clock and its followers. */
import { migrations as projectorMigrations, type ProjectorTables, startProjector } from '@orrery/projector';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { accountId, addressOf } from '@orrery/units';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, onTestFinished } from 'vitest';
import { DEFAULT_LIMITS } from '../../../services/sequencer/src/options.ts';
import type { Sequencer } from '../../../services/sequencer/src/sequencer.ts';
import { FaultyDisk } from '../../../services/sequencer/src/testing/faulty-disk.ts';
import { JumpingClock } from '../../../services/sequencer/src/testing/jumping-clock.ts';
import { newFolder, openHeart, removeFolders } from '../../../services/sequencer/src/testing/open-heart.ts';
import { ENGINES } from '../engines.ts';
import { faultOf } from '../testing/fault-of-alert.ts';
import { type Page, scrape } from '../testing/scraped-pages.ts';
import { temporaryDatabase } from '../testing/temporary-database.ts';
import { measureFollowers, measureHeart } from './measure.ts';
import { Metrics } from './metrics.ts';
import { type MetricsServer, startMetricsServer } from './metrics-server.ts';

const SLOW_SYNC_MS = 400;
const HOUR_MS = 3_600_000;

let heart: Sequencer;
let disk: FaultyDisk;
let clock: JumpingClock;
let metrics: Metrics;
let server: MetricsServer;
beforeEach(async () => {
  disk = new FaultyDisk();
  clock = new JumpingClock(1_795_000_000_000);
  metrics = new Metrics();
  const { wallMs, monotonicMs } = clock;
  ({ heart } = await openHeart(newFolder(), {
    engines: ENGINES,
    disk,
    clock: { wallMs, monotonicMs },
    onGroup: metrics.onGroup,
    limits: { ...DEFAULT_LIMITS, segmentBytes: 1 << 22, reserveBytes: 1 << 22 },
  }));
  measureHeart(metrics, heart, () => undefined);
  server = await startMetricsServer({ host: '127.0.0.1', port: 0 }, { metrics, ready: () => ({ status: 200, text: '' }) });
});
afterEach(async () => {
  await heart.stop();
  await server.close();
  removeFolders();
});

const read = (): Promise<Page> => scrape(server.url);
let people = 0;
const happen = () => heart.submit({ type: 'OpenAccount', address: addressOf(`0x${(people += 1).toString(16).padStart(40, '0')}`) });
/** What leads to nothing is a command all the same. */
const cancel = () => heart.submit({ type: 'CancelAllOrders', account: accountId(1), market: 0 });
const several = (count: number) => Promise.all(Array.from({ length: count }, cancel));

/** The disk has begun a sync and does not end it. @returns ends it */
async function hangs(): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  disk.gate = promise;
  const { syncs } = disk;
  void cancel();
  while (disk.syncs === syncs) await nextTurn();
  return resolve;
}

faultOf('HeartOverloaded', 'the disk ends no sync while commands come', async () => {
  await several(10);
  const before = [await read()];
  const end = await hangs();
  const waiting = several(12_001);
  const during = [await read()];
  end();
  await waiting;
  return { before, during, after: [await read()] };
});

/** Groups that follow one another, by the time of the heart. */
async function slowly(groups: number): Promise<void> {
  for (let group = 0; group < groups; group += 1) {
    const end = await hangs();
    clock.pass(SLOW_SYNC_MS);
    end();
    await cancel();
  }
}

async function quickly(groups: number): Promise<void> {
  for (let group = 0; group < groups; group += 1) await happen();
}

/** Pages between which something happens. */
async function twice(act: () => Promise<unknown>): Promise<readonly Page[]> {
  const pages: Page[] = [];
  for (let scraped = 0; scraped < 2; scraped += 1) {
    await act();
    pages.push(await read());
  }
  return pages;
}

faultOf('JournalSlow', 'the disk ends each sync late', async () => {
  const before = await twice(() => quickly(20));
  const during = await twice(() => slowly(5));
  return { before, during, after: await twice(() => quickly(20)) };
});

faultOf('JournalHangs', 'the disk ends no sync any more, and few commands wait', async () => {
  const before = await twice(() => quickly(20));
  const end = await hangs();
  const waiting = several(3);
  const during = [await read()];
  end();
  await waiting;
  return { before, during, after: [await read()] };
});

faultOf('ClockAhead', 'the clock of the machine jumps ahead', async () => {
  await happen();
  const before = [await read()];
  clock.jump(HOUR_MS);
  const during = [await read()];
  clock.jump(-HOUR_MS);
  return { before, during, after: [await read()] };
});

faultOf('FollowerBehind', 'the projector waits for a lock in the database', async () => {
  const db = await temporaryDatabase<ProjectorTables>(projectorMigrations);
  onTestFinished(() => db.close());
  const source = { seq: () => heart.status().seq, covers: () => true, present: () => heart.open(), subscribe: heart.subscribe.bind(heart) };
  const projector = await startProjector({ source, db: db.sql, onTrouble: (error) => expect.fail(String(error)) });
  onTestFinished(() => projector.stop());
  measureFollowers(metrics, heart, { projector: () => projector.status().seq });
  await happen();
  await projector.reached(heart.status().seq);
  const before = [await read()];
  const [locked, unlock] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const locking = db.sql.transaction().execute(async (transaction) => {
    await sql`lock table projector_offset in access exclusive mode`.execute(transaction);
    locked.resolve();
    await unlock.promise;
  });
  await locked.promise;
  for (let batch = 0; batch < 3; batch += 1) await several(7_000);
  const during = [await read()];
  unlock.resolve();
  await locking;
  await projector.reached(heart.status().seq);
  return { before, during, after: [await read()] };
});
