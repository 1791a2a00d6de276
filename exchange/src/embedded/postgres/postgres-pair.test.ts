import { setImmediate as turn, setTimeout as pause } from 'node:timers/promises';
import type { StoredFrame } from '@orrery/sequencer';
import { Client } from 'pg';
import { expect, test, vi } from 'vitest';
import { frameAfter } from '../../../../services/sequencer/src/testing/frames.ts';
import { PostgresStore } from '../../journal/postgres-store.ts';
import { PostgresPair } from './postgres-pair.ts';

const WAIT = { timeout: 60_000, interval: 50 };
const [BEFORE, AFTER] = [50, 10];
const hex = (hash: Uint8Array): string => Buffer.from(hash).toString('hex');

test('[R2] the primary is lost by kill -9: every frame that was acknowledged is with the standby that takes its place, and the chain goes on there once that has a standby', async () => {
  const pair = await PostgresPair.start({ staysSynchronous: true });
  try {
    const store = await PostgresStore.open({
      urls: [pair.url('primary'), pair.url('standby')],
      withoutStandby: 'cancel-only',
      onNoStandby: () => undefined,
      log: () => undefined,
    });
    expect([store.standbys(), store.shortage()]).toEqual([1, undefined]);
    const epoch = (await store.takeEpoch(0)) ?? 0;
    let last = frameAfter(undefined, { epoch, persons: [1] });
    await store.append(last);
    const acknowledged = [last.hash];
    let isLost = false;
    const lost = (async () => {
      while (acknowledged.length < BEFORE) await turn();
      await pair.kill('primary');
      isLost = true;
      await pair.promote();
      await pair.rejoin('primary');
    })();
    for (let after = 0; after < AFTER; after += isLost ? 1 : 0) {
      last = frameAfter(last, { epoch, persons: [1] });
      await store.append(last);
      acknowledged.push(last.hash);
      await turn();
    }
    await lost;
    const kept: Uint8Array[] = [];
    for (let seq = 0; ;) {
      const frames = await store.read(seq);
      if (frames.length === 0) break;
      kept.push(...frames.map(({ hash }) => hash));
      seq += frames.length;
    }
    expect(kept.map(hex)).toEqual(acknowledged.map(hex));
    await store.close();
  } finally {
    await pair.stop();
  }
}, 120_000);

/** Frames of one store, and what the server that takes them waits for. */
class Lone {
  readonly pair: PostgresPair;
  readonly store: PostgresStore;
  readonly #admin: Client;

  private constructor(parts: { pair: PostgresPair; store: PostgresStore; admin: Client }) {
    this.pair = parts.pair;
    this.store = parts.store;
    this.#admin = parts.admin;
  }

  /** The standby was promoted, and waits for nobody. */
  static async open(): Promise<{ lone: Lone; epoch: number; first: StoredFrame; second: Promise<string> }> {
    const pair = await PostgresPair.start();
    const store = await PostgresStore.open({
      urls: [pair.url('primary'), pair.url('standby')],
      withoutStandby: 'cancel-only',
      onNoStandby: () => undefined,
      log: () => undefined,
    });
    const epoch = (await store.takeEpoch(0)) ?? 0;
    const first = frameAfter(undefined, { epoch, persons: [1] });
    await store.append(first);
    await pair.kill('primary');
    const second = store.append(frameAfter(first, { epoch, persons: [2] })).then(() => 'acknowledged');
    await pair.promote();
    const admin = new Client({ connectionString: pair.url('standby') });
    await admin.connect();
    return { lone: new Lone({ pair, store, admin }), epoch, first, second };
  }

  async waitFor(names: string): Promise<void> {
    await this.#admin.query(`alter system set synchronous_standby_names = '${names}'`);
    await this.#admin.query('select pg_reload_conf()');
    // Signals are on their way when that is answered.
    const isThere = async (): Promise<boolean> =>
      (await this.#admin.query(`show synchronous_standby_names`)).rows[0].synchronous_standby_names === names;
    await vi.waitFor(async () => expect(await isThere()).toBe(true), WAIT);
    await pause(SIGNALLED_MS);
  }

  async frames(): Promise<number> {
    return Number((await this.#admin.query('select count(*) from orrery_journal.frames')).rows[0].count);
  }

  async isWaiting(): Promise<boolean> {
    const waiting = `select from pg_stat_activity where application_name = 'orrery journal writer' and wait_event = 'SyncRep'`;
    return (await this.#admin.query(waiting)).rowCount === 1;
  }

  async close(): Promise<void> {
    await this.#admin.end();
    await this.store.close();
    await this.pair.stop();
  }
}

const ANYBODY = 'ANY 1 (*)';
const SIGNALLED_MS = 300;
/** Longer than the store needs to ask again. */
const UNANSWERED_MS = 1_000;
const orLate = (answer: Promise<unknown>): Promise<unknown> => Promise.race([answer, pause(UNANSWERED_MS, 'not answered')]);

test('[R2] nothing is acknowledged by a server that waits for nobody, and what waited is when it waits for somebody', async () => {
  const { lone, epoch, first, second } = await Lone.open();
  try {
    await vi.waitFor(async () => expect(await lone.frames()).toBe(2), WAIT);
    expect(await orLate(second)).toBe('not answered');
    await lone.pair.rejoin('primary');
    await lone.waitFor(ANYBODY);
    expect(await second).toBe('acknowledged');
    // A commit that waits for a standby which is lost is let go of without a word when nobody is to be waited for.
    await lone.pair.kill('primary');
    const third = lone.store
      .append(frameAfter(frameAfter(first, { epoch, persons: [2] }), { epoch, persons: [3] }))
      .then(() => 'acknowledged');
    await vi.waitFor(async () => expect(await lone.isWaiting()).toBe(true), WAIT);
    await lone.waitFor('');
    await vi.waitFor(async () => expect(await lone.frames()).toBe(3), WAIT);
    expect(await orLate(third)).toBe('not answered');
    await lone.pair.restart('primary');
    await lone.waitFor(ANYBODY);
    expect(await third).toBe('acknowledged');
    await lone.waitFor('');
    const taken = lone.store.takeEpoch(epoch);
    expect(await orLate(taken)).toBe('not answered');
    await lone.waitFor(ANYBODY);
    expect(await taken).toBe(epoch + 1);
  } finally {
    await lone.close();
  }
}, 120_000);
