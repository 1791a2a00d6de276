/** The journal in PostgreSQL of which all but the newest commands are packed: readers see no difference. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Client } from 'pg';
import { packSegment, type StoredFrame, StoreLost } from '@orrery/sequencer';
import { frameAfter } from '../../../services/sequencer/src/testing/frames.ts';
import { describeJournal } from '../../../services/sequencer/src/testing/journal-conformance.ts';
import { temporaryPlace, type TemporaryPlace } from '../testing/temporary-database.ts';
import { type PackTerms, PostgresStore } from './postgres-store.ts';

const SMALL: PackTerms = { kept: 3, frames: 10, bytes: 1 << 20 };
/** Another packer has put the same frames into a row, or has taken them away. */
const BEATEN: readonly unknown[] = ['23505', '23502'];

const open = ({ url }: TemporaryPlace): Promise<PostgresStore> =>
  PostgresStore.open({ urls: [url], withoutStandby: 'allow', onNoStandby: () => undefined, log: () => undefined });

const pack = (store: PostgresStore, terms = SMALL): Promise<number | undefined> =>
  store.packOldest(terms, (segment) => Promise.resolve(packSegment(segment)));

/** Packs what it can after each frame, beside every other that does so. */
async function openPacking(place: TemporaryPlace): Promise<PostgresStore> {
  const store = await open(place);
  const append = store.append.bind(store);
  store.append = async (frame) => {
    await append(frame);
    await pack(store).catch((cause: unknown) => {
      const isBeaten = BEATEN.includes((cause as { readonly code?: unknown }).code);
      if (!isBeaten && !(cause instanceof StoreLost)) throw cause;
    });
  };
  return store;
}

async function ask<Row extends object>({ url }: TemporaryPlace, text: string): Promise<readonly Row[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(text)).rows;
  } finally {
    await client.end();
  }
}

describeJournal(
  'a journal in PostgreSQL that is packed while it is written and its connections break',
  async () => {
    const place = await temporaryPlace();
    return {
      connect: () => openPacking(place),
      disturb: async () => {
        await ask(
          place,
          `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'orrery journal' and datname = current_database()`,
        );
      },
      end: () => place.drop(),
    };
  },
  { hasBeats: true },
);

describe('what is packed', () => {
  let place: TemporaryPlace;
  let store: PostgresStore;
  const written: StoredFrame[] = [];
  beforeEach(async () => {
    place = await temporaryPlace();
    store = await open(place);
    const epoch = (await store.takeEpoch(0)) ?? 0;
    written.length = 0;
    for (let index = 0; index < 40; index += 1) {
      const frame = frameAfter(written.at(-1), { epoch, persons: [2 * index, 2 * index + 1] });
      await store.append(frame);
      written.push(frame);
    }
  });
  afterEach(async () => {
    await store.close();
    await place.drop();
  });

  const counts = async (): Promise<unknown> =>
    (
      await ask(
        place,
        'select (select count(*)::int from orrery_journal.frames) as frames, (select count(*)::int from orrery_journal.packed) as packed',
      )
    )[0];

  test('are the oldest frames, as many as fill a row, and never the newest', async () => {
    expect(await pack(store, { ...SMALL, kept: 40 })).toBe(20);
    expect(await pack(store, { ...SMALL, kept: 40 })).toBe(40);
    expect(await pack(store, { ...SMALL, kept: 40 })).toBeUndefined();
    expect(await counts()).toEqual({ frames: 20, packed: 2 });
    // By bytes: fewer frames fill a row.
    const bytes = 2 * (written[0]?.bytes.length ?? 0);
    expect(await pack(store, { kept: 1, frames: 1_000, bytes })).toBe(44);
    expect(await pack(store, { kept: 79, frames: 2, bytes })).toBeUndefined();
  });

  test('is found by each of its commands, with the frames before and behind it', async () => {
    while ((await pack(store)) !== undefined) continue;
    for (const [index, frame] of written.entries()) {
      for (const seq of [frame.firstSeq, frame.firstSeq + 1])
        expect(await store.linkOf(seq)).toMatchObject({ firstSeq: frame.firstSeq, commands: 2, epoch: frame.epoch });
      expect((await store.read(frame.firstSeq + 1))[0]?.firstSeq).toBe(written[index + 1]?.firstSeq);
    }
    expect(await store.linkOf(81)).toBeUndefined();
    expect(await store.read(80)).toEqual([]);
  });

  test('is packed once where several do so at once, and stays where the segment can not be written', async () => {
    const second = await open(place);
    const outcomes = await Promise.allSettled([pack(store), pack(second)]);
    expect(outcomes.filter(({ status }) => status === 'fulfilled').length).toBeGreaterThan(0);
    await second.close();
    const history = (): Promise<readonly unknown[]> => ask(place, 'select sum(frames)::int as frames from orrery_journal.packed');
    expect(await history()).toEqual([{ frames: outcomes.filter(({ status }) => status === 'fulfilled').length * 10 }]);
    await expect(store.packOldest(SMALL, () => Promise.reject(new Error('no room')))).rejects.toThrow('no room');
    // A frame was taken away by hand: nothing is put into a row that lacks it.
    await ask(place, 'delete from orrery_journal.frames where first_seq = (select min(first_seq) + 4 from orrery_journal.frames)');
    const before = await counts();
    await expect(pack(store)).rejects.toThrow('frames are missing');
    expect(await counts()).toEqual(before);
  });

  test('a packed row that was changed is refused, not read', async () => {
    await pack(store);
    await ask(
      place,
      `update orrery_journal.packed set segment = set_byte(segment, length(segment) - 5, 255 - get_byte(segment, length(segment) - 5))`,
    );
    await expect(store.read(0)).rejects.toThrow('the checksum of its body is wrong');
  });
});
