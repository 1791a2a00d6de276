import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Applied, Command } from '@orrery/protocol';
import { type Seq, seq } from '@orrery/units';
import { afterEach, expect, test } from 'vitest';
import { followFolder, type FolderFollower, type HistoryEnd } from './folder-follower.ts';
import { journalDirectory } from './history.ts';
import { nodeDisk } from './node-disk.ts';
import { fakeEngines, personAddress } from './testing/fake-engine.ts';
import { FaultyDisk } from './testing/faulty-disk.ts';
import { newFolder, openHeart, removeFolders } from './testing/open-heart.ts';

afterEach(removeFolders);

/** What the heart sends to other threads, within this one. */
class TestEnd implements HistoryEnd {
  #seq = seq(0);
  #waiting: (() => void)[] = [];

  readonly report = (durable: Seq): void => {
    this.#seq = durable;
    for (const wake of this.#waiting.splice(0)) wake();
  };

  readonly seq = (): Seq => this.#seq;

  grown(after: Seq): Promise<void> {
    if (this.#seq > after) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.push(resolve));
  }
}

const openAccount = (person: number): Command => ({ type: 'OpenAccount', address: personAddress(person) });

const follower = (directory: string, end: HistoryEnd): FolderFollower =>
  followFolder({ directory, end, disk: nodeDisk, engines: fakeEngines, log: () => undefined });

async function take(source: AsyncIterable<readonly Applied[]>, until: number): Promise<readonly Applied[]> {
  const taken: Applied[] = [];
  for await (const batch of source) {
    taken.push(...batch);
    if ((taken.at(-1)?.seq ?? 0) >= until) break;
  }
  return taken;
}

test('a follower reads on when the writer copies the segment that it reads, and removes it', async () => {
  const [directory, end, disk] = [newFolder(), new TestEnd(), new FaultyDisk()];
  const limits = { segmentBytes: 4_096, reserveBytes: 2_048 };
  const first = await openHeart(directory, { limits });
  for (let person = 1; person <= 8; person += 1) await first.heart.submit(openAccount(person));
  await first.heart.stop();
  // There is room for the copy only later: the reserve is too small for it.
  disk.createFault = Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' });
  let nowMs = 0;
  const clock = { wallMs: () => 1, monotonicMs: () => nowMs };
  const { heart } = await openHeart(directory, { disk, limits, clock, onDurable: end.report });
  end.report(heart.status().seq);
  const [segment] = readdirSync(journalDirectory({ directory })).filter((name) => name.endsWith('.segment'));
  const reading = follower(directory, end).subscribe(seq(0))[Symbol.asyncIterator]();
  expect((await reading.next()).value).toHaveLength(8);
  disk.createFault = undefined;
  nowMs += 1_000;
  await expect.poll(() => heart.unready()).toBeUndefined();
  expect(readdirSync(journalDirectory({ directory }))).not.toContain(segment);
  await heart.submit(openAccount(9));
  expect((await reading.next()).value).toMatchObject([{ seq: 9 }]);
  await reading.return?.();
  await heart.stop();
});

test.each([0, 1, 117, 300, 611])(
  'a follower reports what the heart reports, while it is written, over many segments (after %i)',
  async (after) => {
    const [directory, end] = [newFolder(), new TestEnd()];
    const { heart } = await openHeart(directory, {
      onDurable: end.report,
      limits: { segmentBytes: 2_048, reserveBytes: 2_048, snapshotEvery: 100 },
    });
    for (let person = 1; person <= after; person += 1) await heart.submit(openAccount(person));
    const reported = take(follower(directory, end).subscribe(seq(after)), after + 400);
    const expected = take(heart.subscribe(seq(after)), after + 400);
    for (let person = 0; person < 400; person += person % 7 === 0 ? 1 : 3) {
      await Promise.all([0, 1, 2].slice(0, person % 7 === 0 ? 1 : 3).map((more) => heart.submit(openAccount(1_000 + person + more))));
    }
    while (heart.status().seq < after + 400) await heart.submit(openAccount(5_000));
    expect(await reported).toEqual(await expected);
    expect(readdirSync(join(directory, 'journal')).length).toBeGreaterThan(10);
    await heart.stop();
  },
);

test('the facts are those at the end of what is durable', async () => {
  const [directory, end] = [newFolder(), new TestEnd()];
  const { heart } = await openHeart(directory, { onDurable: end.report });
  for (let person = 1; person <= 30; person += 1) await heart.submit(openAccount(person));
  await end.grown(seq(29));
  const { seq: at, facts } = follower(directory, end).present();
  expect(at).toBe(30);
  expect(facts).toEqual(heart.open().facts);
  await heart.stop();
});

test('a durable command that is missing is reported by file and offset', async () => {
  const [directory, end] = [newFolder(), new TestEnd()];
  const { heart } = await openHeart(directory, { onDurable: end.report });
  for (let person = 1; person <= 9; person += 1) await heart.submit(openAccount(person));
  await heart.stop();
  const [segment = ''] = readdirSync(join(directory, 'journal')).filter((name) => name.endsWith('.segment'));
  const path = join(directory, 'journal', segment);
  const bytes = readFileSync(path);
  bytes[bytes.indexOf(0, 40) + 8] = 0xff;
  writeFileSync(path, bytes);
  await expect(take(follower(directory, end).subscribe(seq(0)), 9)).rejects.toThrow(/command \d is durable, and is not there/);
});
