/** For tests: what holds for every journal that hearts can share, whatever keeps it. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { sameBytes } from '../engine-factory.ts';
import { WriterDeposed } from '../fence.ts';
import { NO_FRAME } from '../frame.ts';
import { type JournalStore, lastSeqOf, type StoredFrame, type StoredLink, StoreLost } from '../store.ts';
import { frameAfter } from './frames.ts';

export interface SharedJournal {
  /** The way of another heart to the same history. */
  connect(): Promise<JournalStore>;
  /** Breaks something that a journal has to survive, such as a connection; called while others write. */
  disturb?(): Promise<void>;
  end(): Promise<void>;
}

const WRITERS = 4;
const ROUNDS = 12;

export function describeJournal(name: string, open: () => Promise<SharedJournal>, { hasBeats }: { hasBeats: boolean }): void {
  describe(name, () => {
    let journal: SharedJournal;
    const stores: JournalStore[] = [];
    beforeEach(async () => {
      journal = await open();
    });
    afterEach(async () => {
      for (const store of stores.splice(0)) await store.close();
      await journal.end();
    });
    const connect = async (): Promise<JournalStore> => {
      const store = await journal.connect();
      stores.push(store);
      return store;
    };

    test('what was appended is read in order and from any place, in batches', async () => {
      const writer = await connect();
      const epoch = await mustTake(writer);
      const written: StoredFrame[] = [];
      for (let index = 0; index < 150; index += 1) {
        const frame = frameAfter(written.at(-1), { epoch, persons: [index, index + 1].slice(0, 1 + (index % 2)) });
        await writer.append(frame);
        written.push(frame);
      }
      const reader = await connect();
      expect(await readAll(reader)).toEqual(written.map(shown));
      const middle = written[70];
      expect(await readAll(reader, middle === undefined ? 0 : lastSeqOf(middle))).toEqual(written.slice(71).map(shown));
      expect(await reader.linkOf(middle?.firstSeq ?? 0)).toMatchObject({ firstSeq: middle?.firstSeq, epoch });
      expect(await reader.linkOf(10_000)).toBeUndefined();
      expect(await reader.historyId()).toBe(await writer.historyId());
    });

    test('a large frame comes back as it was', async () => {
      const writer = await connect();
      const epoch = await mustTake(writer);
      const large = frameAfter(undefined, { epoch, persons: Array.from({ length: 1_500 }, (_, index) => index) });
      await writer.append(large);
      expect(await readAll(await connect())).toEqual([shown(large)]);
    });

    test('a frame that does not follow the last one is refused', async () => {
      const writer = await connect();
      const epoch = await mustTake(writer);
      const first = frameAfter(undefined, { epoch, persons: [1] });
      await writer.append(first);
      const other = frameAfter({ ...first, hash: NO_FRAME }, { epoch, persons: [2] });
      await expect(writer.append(other)).rejects.toThrow();
      expect(await readAll(writer)).toEqual([shown(first)]);
    });

    test('R6: of several that take the same epoch one gets it, and a deposed writer appends nothing', async () => {
      const [one, two, three] = [await connect(), await connect(), await connect()];
      const first = await mustTake(one);
      const frame = frameAfter(undefined, { epoch: first, persons: [1] });
      await one.append(frame);
      const taken = await Promise.all([two.takeEpoch(first), three.takeEpoch(first)]);
      expect(taken.filter((epoch) => epoch !== undefined)).toEqual([first + 1]);
      await expect(one.append(frameAfter(frame, { epoch: first, persons: [2] }))).rejects.toThrow(WriterDeposed);
      expect(await readAll(one)).toEqual([shown(frame)]);
    });

    test('R2, R6: while several writers depose one another, what was acknowledged is in one history, once', async () => {
      const seed = Math.floor(Math.random() * 1e9);
      console.log(`${name}: writers that depose one another, seed ${seed}`);
      const random = generator(seed);
      const acknowledged: StoredFrame[] = [];
      let isOver = false;
      const writers = await Promise.all(Array.from({ length: WRITERS }, connect));
      const disturbing = disturbUntil(journal, random, () => isOver);
      await Promise.all(writers.map((store, writer) => write(store, { writer, random, acknowledged })));
      isOver = true;
      await disturbing;
      const history = await readFrames(await connect());
      expectOneChain(history);
      const hashes = history.map(({ hash }) => hex(hash));
      expect(new Set(hashes).size).toBe(hashes.length);
      expect(acknowledged.length).toBeGreaterThan(0);
      expect(hashes).toEqual(expect.arrayContaining(acknowledged.map(({ hash }) => hex(hash))));
    }, 60_000);

    test('a history from elsewhere fills an empty journal, whole, and no other', async () => {
      const store = await connect();
      const epoch = await mustTake(store);
      const frames = [frameAfter(undefined, { epoch, persons: [1] })];
      frames.push(frameAfter(frames[0], { epoch, persons: [2, 3] }));
      await store.importHistory(frames);
      expect((await readFrames(store)).map(({ hash }) => hex(hash))).toHaveLength(2);
      await expect(store.importHistory(frames)).rejects.toThrow();
      expect(await readFrames(store)).toHaveLength(2);
    });

    test.runIf(hasBeats)('the heart that leads is seen to live, to be followed by another, and to stop by itself', async () => {
      const [one, two] = [await connect(), await connect()];
      expect(await two.leader()).toEqual({ epoch: 0, beats: 0, hasResigned: true });
      await mustTake(one);
      const before = await two.leader();
      expect(before).toMatchObject({ epoch: 1, hasResigned: false });
      await one.beat(1);
      expect((await two.leader()).beats).toBeGreaterThan(before.beats);
      await two.takeEpoch(1);
      await expect(one.beat(1)).rejects.toThrow(WriterDeposed);
      await one.resign(1);
      expect(await one.leader()).toMatchObject({ epoch: 2, hasResigned: false });
      await two.resign(2);
      expect(await one.leader()).toMatchObject({ epoch: 2, hasResigned: true });
    });
  });
}

async function mustTake(store: JournalStore): Promise<number> {
  const epoch = await store.takeEpoch((await store.leader()).epoch);
  if (epoch === undefined) throw new Error('no epoch could be taken');
  return epoch;
}

interface Writing {
  readonly writer: number;
  readonly random: () => number;
  readonly acknowledged: StoredFrame[];
}

/** Takes an epoch, appends until another heart deposes it, and begins again. */
async function write(store: JournalStore, { writer, random, acknowledged }: Writing): Promise<void> {
  for (let round = 0; round < ROUNDS; round += 1) {
    const epoch = await retried(async () => store.takeEpoch((await store.leader()).epoch));
    if (epoch === undefined) continue;
    try {
      let last: StoredLink | undefined = (await readFrames(store)).at(-1);
      const frames = 1 + Math.floor(random() * 8);
      for (let count = 0; count < frames; count += 1) {
        const frame = frameAfter(last, { epoch, persons: [writer * 1_000_000 + round * 1_000 + count] });
        await store.append(frame);
        acknowledged.push(frame);
        last = frame;
      }
    } catch (cause) {
      // Deposed before the frame or in its midst; a folder also finds a file of the next writer where its own was.
      if (cause instanceof StoreLost || cause instanceof WriterDeposed || (await store.leader()).epoch !== epoch) continue;
      throw cause;
    }
  }
}

async function retried<Result>(act: () => Promise<Result>): Promise<Result> {
  for (;;) {
    try {
      return await act();
    } catch (cause) {
      if (!(cause instanceof StoreLost)) throw cause;
    }
  }
}

async function disturbUntil(journal: SharedJournal, random: () => number, isOver: () => boolean): Promise<void> {
  if (journal.disturb === undefined) return;
  while (!isOver()) {
    await new Promise((resolve) => setTimeout(resolve, random() * 40));
    await journal.disturb();
  }
}

async function readFrames(store: JournalStore, after = 0): Promise<readonly StoredFrame[]> {
  const frames: StoredFrame[] = [];
  for (;;) {
    const last = frames.at(-1);
    const batch = await retried(() => store.read(last === undefined ? after : lastSeqOf(last)));
    if (batch.length === 0) return frames;
    frames.push(...batch);
  }
}

const readAll = async (store: JournalStore, after = 0): Promise<readonly unknown[]> => (await readFrames(store, after)).map(shown);

function expectOneChain(frames: readonly StoredFrame[]): void {
  for (const [index, frame] of frames.entries()) {
    const before = frames[index - 1];
    expect(frame.firstSeq).toBe(before === undefined ? 1 : lastSeqOf(before) + 1);
    expect(frame.epoch).toBeGreaterThanOrEqual(before?.epoch ?? 0);
    expect(sameBytes(frame.previous, before?.hash ?? NO_FRAME)).toBe(true);
  }
}

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
const shown = ({ firstSeq, commands, epoch, previous, hash, bytes }: StoredFrame): unknown => ({
  firstSeq,
  commands,
  epoch,
  previous: hex(previous),
  hash: hex(hash),
  bytes: hex(bytes),
});

/** The linear generator of Knuth's MMIX, in its upper bits. */
function generator(seed: number): () => number {
  let state = BigInt(seed);
  return () => {
    state = BigInt.asUintN(64, state * 6_364_136_223_846_793_005n + 1_442_695_040_888_963_407n);
    return Number(state >> 33n) / 2 ** 31;
  };
}
