/** The journal in PostgreSQL, held to what every shared journal is held to, on a real server whose connections break. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Client } from 'pg';
import { frameAfter } from '../../../services/sequencer/src/testing/frames.ts';
import { describeJournal } from '../../../services/sequencer/src/testing/journal-conformance.ts';
import { StartError } from '../start-error.ts';
import { temporaryPlace, type TemporaryPlace } from '../testing/temporary-database.ts';
import { TABLES_LOCK } from './statements.ts';
import { PostgresStore, type PostgresStoreOptions } from './postgres-store.ts';

const open = (place: TemporaryPlace, changes: Partial<PostgresStoreOptions> = {}): Promise<PostgresStore> =>
  PostgresStore.open({ urls: [place.url], withoutStandby: 'allow', onNoStandby: () => undefined, log: () => undefined, ...changes });

/** Ends the server's processes of these connections, in the midst of whatever they do. */
async function terminate(place: TemporaryPlace, name: string): Promise<void> {
  const admin = new Client({ connectionString: place.url });
  await admin.connect();
  await admin.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where application_name like $1 and datname = current_database()',
    [name],
  );
  await admin.end();
}

describeJournal(
  'a journal in PostgreSQL whose connections break',
  async () => {
    const place = await temporaryPlace();
    let turn = 0;
    return {
      connect: () => open(place),
      async disturb() {
        turn += 1;
        await terminate(place, turn % 3 === 0 ? 'orrery journal' : 'orrery journal writer');
      },
      end: () => place.drop(),
    };
  },
  { hasBeats: true },
);

describe('the journal in PostgreSQL', () => {
  let place: TemporaryPlace;
  let store: PostgresStore;
  beforeEach(async () => {
    place = await temporaryPlace();
    store = await open(place);
  });
  afterEach(async () => {
    await store.close();
    await place.drop();
  });

  test('[R2] a frame whose answer was lost is found by its place and hash, and acknowledged once', async () => {
    const epoch = (await store.takeEpoch(0)) ?? 0;
    const admin = new Client({ connectionString: place.url });
    await admin.connect();
    // The append waits for the table, and its connection is ended there; then it is there as if its commit had come through.
    const frame = frameAfter(undefined, { epoch, persons: [1] });
    await admin.query('begin; lock table orrery_journal.frames in exclusive mode');
    const appending = store.append(frame);
    const waits = async (): Promise<number> =>
      (await admin.query(`select from pg_stat_activity where application_name = 'orrery journal writer' and wait_event_type = 'Lock'`))
        .rowCount ?? 0;
    await vi.waitFor(async () => expect(await waits()).toBe(1));
    await admin.query('insert into orrery_journal.frames values ($1, $2, $3, $4, $5, $6)', [
      frame.firstSeq,
      frame.firstSeq,
      epoch,
      ...[frame.previous, frame.hash, frame.bytes].map((bytes) => Buffer.from(bytes)),
    ]);
    await admin.query(`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'orrery journal writer'`);
    await admin.query('commit');
    await admin.end();
    await appending;
    expect(await store.read(0)).toHaveLength(1);
    await store.append(frameAfter(frame, { epoch, persons: [2] }));
    expect(await store.read(0)).toHaveLength(2);
  });

  test('[R6] who takes an epoch does not wait for a heart that stands still with a frame half sent', async () => {
    const admin = new Client({ connectionString: place.url, application_name: 'orrery journal writer' });
    admin.on('error', () => undefined);
    await admin.connect();
    await admin.query('begin');
    await admin.query('select from orrery_journal.epoch for share');
    expect(await store.takeEpoch(0)).toBe(1);
  });

  test('who begins while another one takes an epoch, which ends its connection, begins again', async () => {
    const fresh = await temporaryPlace();
    const admin = new Client({ connectionString: fresh.url });
    await admin.connect();
    await admin.query('select pg_advisory_lock($1)', [TABLES_LOCK]);
    const opening = open(fresh);
    const waits = `select from pg_stat_activity where application_name = 'orrery journal writer' and datname = current_database() and wait_event = 'advisory'`;
    await vi.waitFor(async () => expect((await admin.query(waits)).rowCount).toBe(1), { timeout: 20_000 });
    await terminate(fresh, 'orrery journal writer');
    await admin.end();
    const begun = await opening;
    expect(await begun.takeEpoch(0)).toBe(1);
    await begun.close();
    await fresh.drop();
  });

  test('a follower is woken by what is appended', async () => {
    const epoch = (await store.takeEpoch(0)) ?? 0;
    const follower = await open(place);
    await follower.read(0);
    const grown = vi.fn<() => void>();
    void follower.grown().then(grown);
    await store.append(frameAfter(undefined, { epoch, persons: [1] }));
    await vi.waitFor(() => expect(grown).toHaveBeenCalled());
    expect(await follower.read(0)).toHaveLength(1);
    await follower.close();
  });

  test('of several hosts the one that takes writes is used', async () => {
    await store.close();
    const reads = `${place.url}&options=-c%20default_transaction_read_only%3Don`;
    store = await open(place, { urls: ['postgres://nobody@127.0.0.1:1/none', reads, place.url] });
    expect(await store.takeEpoch(0)).toBe(1);
    await expect(open(place, { urls: [reads] })).rejects.toThrow('no server takes writes: it is a standby');
  });

  test('without a standby the program does not start, unless it is allowed, and then it is logged', async () => {
    for (const withoutStandby of ['stop', 'cancel-only'] as const)
      await expect(open(place, { withoutStandby })).rejects.toThrow(StartError);
    const lines: string[] = [];
    const allowed = await open(place, { log: (line) => lines.push(line) });
    expect(lines).toEqual([
      'synchronous_standby_names of the PostgreSQL of the journal is empty, so no second server has a copy of it: what is acknowledged is lost with that server',
    ]);
    expect(allowed.shortage()).toBeUndefined();
    expect(allowed.standbys()).toBe(0);
    await allowed.close();
  });
});
