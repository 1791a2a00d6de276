import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Client } from 'pg';
import type { StoredFrame } from '@orrery/sequencer';
import { frameAfter } from '../../services/sequencer/src/testing/frames.ts';
import { Closing } from './closing.ts';
import { readConfig } from './config.ts';
import { PostgresStore } from './journal/postgres-store.ts';
import { openLog } from './log.ts';
import { startSharedArchive } from './shared-archive.ts';
import { temporaryPlace, type TemporaryPlace } from './testing/temporary-database.ts';
import { twoProcesses, type TwoProcesses } from './testing/two-processes.ts';

const TERMS = { kept: 5, frames: 10, bytes: 1 << 20 };
const FRAMES = 48;

let place: TemporaryPlace;
let store: PostgresStore;
let processes: TwoProcesses;
beforeEach(async () => {
  [place, processes] = await Promise.all([temporaryPlace(), twoProcesses()]);
  store = await PostgresStore.open({ urls: [place.url], withoutStandby: 'allow', onNoStandby: () => undefined, log: () => undefined });
  const epoch = (await store.takeEpoch(0)) ?? 0;
  let last: StoredFrame | undefined;
  for (let person = 0; person < FRAMES; person += 1) {
    last = frameAfter(last, { epoch, persons: [person] });
    await store.append(last);
  }
});
afterEach(async () => {
  await store.close();
  await Promise.all([place.drop(), processes.close()]);
});

async function start(which: 'one' | 'other', environment: Record<string, string> = {}): Promise<Closing> {
  const journal = {
    ORRERY_JOURNAL: place.url,
    ORRERY_JOURNAL_WITHOUT_STANDBY: 'allow',
    ORRERY_DATABASE: place.url,
    ORRERY_EVENTS: 'nats://127.0.0.1:4222',
  };
  const config = readConfig({ ORRERY_LOG: 'silent', ...journal, ...environment });
  const closing = new Closing((part, error) => expect.fail(`${part}: ${String(error)}`));
  const surroundings = { config, closing, log: openLog(config), onFatal: (error: Error) => expect.fail(error.message) };
  await startSharedArchive(surroundings, processes[which].leases, TERMS);
  return closing;
}

async function counts(): Promise<unknown> {
  const client = new Client({ connectionString: place.url });
  await client.connect();
  const { rows } = await client.query(
    'select (select count(*)::int from orrery_journal.frames) as frames, (select count(*)::int from orrery_journal.packed) as packed',
  );
  await client.end();
  return rows[0];
}

test('of two processes that hold no other lease one packs what is old, and every frame is read as before', async () => {
  const before = await store.read(0);
  const closings = [await start('one'), await start('other')];
  await vi.waitFor(async () => expect(await counts()).toEqual({ frames: 8, packed: 4 }), 60_000);
  for (const closing of closings) await closing.run();
  const after: StoredFrame[] = [];
  for (let frames = await store.read(0); frames.length > 0; frames = await store.read(after.length)) after.push(...frames);
  expect(after.map(({ bytes }) => Buffer.from(bytes))).toEqual(before.map(({ bytes }) => Buffer.from(bytes)));
});

test('with ORRERY_OLD_JOURNAL=keep nothing is packed', async () => {
  await (await start('one', { ORRERY_OLD_JOURNAL: 'keep' })).run();
  expect(await counts()).toEqual({ frames: FRAMES, packed: 0 });
});
