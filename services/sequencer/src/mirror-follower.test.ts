import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, expect, test, vi } from 'vitest';
import type { Applied } from '@orrery/protocol';
import { seq } from '@orrery/units';
import { followFolder } from './folder-follower.ts';
import { lastSeq } from './journal-walk.ts';
import { MirrorFollower } from './mirror-follower.ts';
import { nodeDisk } from './node-disk.ts';
import { type StoredFrame, StoreLost } from './store.ts';
import { fakeEngines } from './testing/fake-engine.ts';
import { frameAfter } from './testing/frames.ts';
import { MemoryHistory, MemoryStore } from './testing/memory-store.ts';
import { newFolder, removeFolders } from './testing/open-heart.ts';

afterEach(removeFolders);

class Writer {
  readonly history = new MemoryHistory();
  readonly #store = new MemoryStore(this.history);
  #last: StoredFrame | undefined;

  async append(person: number): Promise<void> {
    if (this.history.leader.epoch === 0) await this.#store.takeEpoch(0);
    this.#last = frameAfter(this.#last, { epoch: 1, persons: [person, person + 1] });
    await this.#store.append(this.#last);
  }
}

const failing = (cause: unknown): void => expect.unreachable(String(cause));

test('a process without a heart follows a shared journal by a folder, from its beginning and on', async () => {
  const writer = new Writer();
  for (let person = 0; person < 100; person += 1) await writer.append(person);
  const directory = newFolder();
  const store = new MemoryStore(writer.history);
  const end = await MirrorFollower.open({ store, disk: nodeDisk, directory, log: () => undefined, onFailed: failing, segmentBytes: 4_096 });
  expect(end.seq()).toBe(200);
  const source = followFolder({ directory, disk: nodeDisk, engines: fakeEngines, end, log: () => undefined });
  const seen: Applied[] = [];
  void (async () => {
    for await (const batch of source.subscribe(seq(0))) seen.push(...batch);
  })();
  await writer.append(500);
  await vi.waitFor(() => expect(seen.map((applied) => Number(applied.seq))).toEqual(Array.from({ length: 202 }, (_, index) => index + 1)));
  await end.stop();
});

test('the end that is reported is in the folder by then, and a waiting reader is woken', async () => {
  const writer = new Writer();
  const directory = newFolder();
  const store = new MemoryStore(writer.history);
  const end = await MirrorFollower.open({ store, disk: nodeDisk, directory, log: () => undefined, onFailed: failing });
  for (let round = 0; round < 20; round += 1) {
    const before = end.seq();
    const grown = end.grown(before);
    await writer.append(round);
    await grown;
    expect(end.seq()).toBe(before + 2);
    expect(lastSeq(nodeDisk, join(directory, 'journal'))).toBe(end.seq());
  }
  await end.stop();
});

test('a store that goes on with another history is reported, and nothing of it is copied', async () => {
  const writer = new Writer();
  await writer.append(1);
  const failed: unknown[] = [];
  const directory = newFolder();
  const options = { store: new MemoryStore(writer.history), disk: nodeDisk, directory, log: () => undefined };
  const end = await MirrorFollower.open({ ...options, onFailed: (cause) => failed.push(cause) });
  writer.history.frames.push(frameAfter({ firstSeq: 1, commands: 2, epoch: 1, hash: new Uint8Array(32) }, { epoch: 1, persons: [9] }));
  await vi.waitFor(() => expect(String(failed)).toContain('does not follow command 2'));
  expect(lastSeq(nodeDisk, join(directory, 'journal'))).toBe(2);
  await end.stop();
});

/** Is lost each time that it is asked for more behind frames that it gave. */
class LostBehindFrames extends MemoryStore {
  losses = 0;
  #hasGiven = false;

  override async read(after: number): Promise<readonly StoredFrame[]> {
    const frames = await super.read(after);
    const isLost = this.#hasGiven && frames.length === 0;
    this.#hasGiven = frames.length > 0;
    if (!isLost) return frames;
    this.losses += 1;
    throw new StoreLost('the connection broke');
  }
}

test('a reader is woken by the last frame that was copied, though the store was lost just behind it', async () => {
  const writer = new Writer();
  const store = new LostBehindFrames(writer.history);
  const options = { store, disk: nodeDisk, directory: newFolder(), segmentBytes: 4_096, log: () => undefined };
  const end = await MirrorFollower.open({ ...options, onFailed: failing });
  const grown = end.grown(end.seq());
  await writer.append(1);
  await vi.waitFor(() => expect([store.losses, end.seq()]).toEqual([1, 2]));
  await expect(Promise.race([grown.then(() => 'woken'), pause(1_000, 'asleep')])).resolves.toBe('woken');
  await end.stop();
});
