/** One writer: a process that opens the journal deposes the one before, which then acknowledges nothing; and a frame that was changed is found. */
import { copyFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { afterEach, describe, expect, test } from 'vitest';
import type { Command } from '@orrery/protocol';
import { Fence } from './fence.ts';
import { FRAME_HEADER_SIZE, frameAt, SEGMENT_HEADER_SIZE, type Frame } from './frame.ts';
import { nodeDisk } from './node-disk.ts';
import { fakeEngines, personAddress } from './testing/fake-engine.ts';
import { FaultyDisk } from './testing/faulty-disk.ts';
import { newFolder, openHeart, removeFolders, type TestHeart } from './testing/open-heart.ts';
import { verifyFolder } from './verify.ts';

afterEach(removeFolders);

/** As in another container, where neither the name in the kernel nor the process is seen. */
const unlocked = { lockFolder: () => Promise.resolve({ release: () => Promise.resolve() }) };

const openAccount = (person: number): Command => ({ type: 'OpenAccount', address: personAddress(person) });

function gated(): { disk: FaultyDisk; shut: () => () => void } {
  const disk = new FaultyDisk();
  return {
    disk,
    shut() {
      const gate = Promise.withResolvers<void>();
      disk.gate = gate.promise;
      return gate.resolve;
    },
  };
}

const open = (folder: string, disk = new FaultyDisk()): Promise<TestHeart> => openHeart(folder, { ...unlocked, disk });

describe('R6: a writer that another one has deposed', () => {
  test('acknowledges nothing from then on, and stops', async () => {
    const folder = newFolder();
    const first = await open(folder);
    await first.heart.submit(openAccount(1));
    const second = await open(folder);
    await expect(first.heart.submit(openAccount(2))).rejects.toMatchObject({ failure: 'stopped', outcomeUnknown: true });
    expect(first.fatal[0]?.message).toContain('another process has opened the journal after epoch 1');
    await second.heart.submit(openAccount(3));
    expect(second.heart.status().seq).toBe(2);
    await second.heart.stop();
    expect(verifyFolder(folder, fakeEngines)).toMatchObject({ seq: 2, frames: { read: 2, chained: 2 } });
  });

  test('does not acknowledge a frame that was on its way to the disk, whether the other one has read it or not', async () => {
    for (const readsIt of [true, false]) {
      const folder = newFolder();
      const { disk, shut } = gated();
      const first = await open(folder, disk);
      await first.heart.submit(openAccount(1));
      // The frame is written, and its sync waits: to the other one it is there, unless the kernel that it asks does not show it yet.
      const release = shut();
      const pending = first.heart.submit(openAccount(2));
      const refused = expect(pending).rejects.toMatchObject({ failure: 'stopped', outcomeUnknown: true });
      await expect.poll(() => framesOf(newestSegment(folder)[1]).length).toBe(2);
      if (!readsIt) hideNewestFrame(folder);
      const second = await open(folder);
      release();
      await refused;
      expect(second.heart.status().seq).toBe(readsIt ? 2 : 1);
      await second.heart.submit(openAccount(3));
      await second.heart.stop();
      expect(verifyFolder(folder, fakeEngines).seq).toBe(readsIt ? 3 : 2);
    }
  });

  test('cannot write over what the other one has written, even when it was stopped between its check and its write', async () => {
    const folder = newFolder();
    const disk = new FaultyDisk();
    const first = await open(folder, disk);
    await first.heart.submit(openAccount(1));
    // The last look at the mark happens now, and the write much later.
    let second: TestHeart | undefined;
    const acknowledged: number[] = [];
    disk.beforeWrite = async () => {
      second = await open(folder);
      acknowledged.push((await second.heart.submit(openAccount(3))).seq);
    };
    await expect(first.heart.submit(openAccount(2))).rejects.toMatchObject({ failure: 'stopped' });
    await second!.heart.submit(openAccount(4));
    await second!.heart.stop();
    expect(acknowledged).toEqual([2]);
    expect(verifyFolder(folder, fakeEngines).seq).toBe(3);
    const reopened = await open(folder);
    expect(reopened.heart.status().seq).toBe(3);
    await reopened.heart.stop();
  });

  test('leaves behind segments that readers pass over', async () => {
    const folder = newFolder();
    const journal = join(folder, 'journal');
    const { heart } = await open(folder);
    await heart.submit(openAccount(1));
    await heart.stop();
    const { heart: later } = await open(folder);
    for (let person = 2; person < 6; person += 1) await later.submit(openAccount(person));
    const [own = ''] = readdirSync(journal).filter((name) => name.endsWith('.segment'));
    expect(own).toBe('0000000000000001.0000000002.segment');
    // What a writer of epoch 1 would have begun: the same place, and one further on.
    copyFileSync(join(journal, own), join(journal, '0000000000000001.0000000001.segment'));
    copyFileSync(join(journal, own), join(journal, '0000000000000004.0000000001.segment'));
    await later.stop();
    expect(verifyFolder(folder, fakeEngines).seq).toBe(5);
    const again = await open(folder);
    expect(again.heart.status().seq).toBe(5);
    await again.heart.stop();
  });
});

/** As if the file system of the other one had not seen the last write. */
function hideNewestFrame(folder: string): void {
  const [path, bytes] = newestSegment(folder);
  const last = framesOf(bytes).at(-1);
  writeFileSync(path, Uint8Array.from(bytes).fill(0, last?.offset));
}

function newestSegment(folder: string): [string, Uint8Array] {
  const journal = join(folder, 'journal');
  const name = readdirSync(journal)
    .filter((each) => each.endsWith('.segment'))
    .sort()
    .at(-1);
  const path = join(journal, name ?? '');
  return [path, readFileSync(path)];
}

function framesOf(bytes: Uint8Array): readonly Frame[] {
  const frames: Frame[] = [];
  for (let frame = frameAt(bytes, SEGMENT_HEADER_SIZE); frame !== undefined; frame = frameAt(bytes, frame.end)) frames.push(frame);
  return frames;
}

describe('an epoch', () => {
  test('is taken by one of many, and each opening takes a later one', async () => {
    const folder = newFolder();
    for (let life = 1; life <= 3; life += 1) {
      const { heart } = await open(folder);
      await heart.submit(openAccount(life));
      await heart.stop();
      expect(framesOf(newestSegment(folder)[1]).at(-1)?.link?.epoch).toBe(life);
    }
    expect(readdirSync(join(folder, 'epochs'))).toEqual(['0000000003']);
  });

  test('goes on from the frames when the marks are lost', async () => {
    const folder = newFolder();
    for (let life = 1; life <= 3; life += 1) await (await open(folder)).heart.submit(openAccount(life));
    rmSync(join(folder, 'epochs'), { recursive: true });
    await (await open(folder)).heart.submit(openAccount(4));
    expect(framesOf(newestSegment(folder)[1]).map(({ link }) => link?.epoch)).toEqual([1, 2, 3, 4]);
  });

  test('deposes at once who took an earlier one at the same time', () => {
    const directory = join(newFolder(), 'epochs');
    const slow = {
      ...nodeDisk,
      // Between its look at the marks and its own mark, another one has come and gone on.
      createExclusive: (path: string): boolean => {
        nodeDisk.createExclusive(join(directory, '0000000009'));
        return nodeDisk.createExclusive(path);
      },
    };
    expect(() => Fence.take(slow, directory)).toThrow('another process has opened the journal after epoch 1');
    const fence = Fence.take(nodeDisk, directory);
    expect(fence.epoch).toBe(10);
    expect(() => fence.check()).not.toThrow();
    Fence.take(nodeDisk, directory);
    expect(() => fence.check()).toThrow('after epoch 10');
  });
});

describe('a chain of frames', () => {
  test('shows a changed command in the middle although its checksum was mended, by file and offset', async () => {
    const folder = newFolder();
    const { heart } = await open(folder);
    for (let person = 1; person <= 6; person += 1) await heart.submit(openAccount(person));
    await heart.stop();
    const [path, bytes] = newestSegment(folder);
    const frames = framesOf(bytes);
    const [third, fourth] = [frames[2]!, frames[3]!];
    const changed = Uint8Array.from(bytes);
    // The last digit of the address that the command opens.
    changed[third.bodyEnd - 1] = (changed[third.bodyEnd - 1] ?? 0) ^ 1;
    const checksum = crc32(changed.subarray(third.offset + 4, third.bodyEnd));
    new DataView(changed.buffer).setUint32(third.offset, checksum, true);
    expect(frameAt(changed, third.offset)).toBeDefined();
    writeFileSync(path, changed);
    expect(() => verifyFolder(folder, fakeEngines)).toThrow(
      `${path} at offset ${fourth.offset}: it does not carry the hash of the frame before it: one of the two was changed`,
    );
    await expect(open(folder)).rejects.toThrow('it does not carry the hash');
  });

  test('shows a frame that was put in the place of another, and one of an earlier epoch', async () => {
    const folder = newFolder();
    for (let life = 1; life <= 2; life += 1) {
      const { heart } = await open(folder);
      await heart.submit(openAccount(life));
      await heart.submit(openAccount(life + 10));
      await heart.stop();
    }
    const [path, bytes] = newestSegment(folder);
    const third = framesOf(bytes)[2]!;
    const earlier = Uint8Array.from(bytes);
    const view = new DataView(earlier.buffer);
    view.setUint32(third.offset + 20, 0, true);
    view.setUint32(third.offset, crc32(earlier.subarray(third.offset + 4, third.bodyEnd)), true);
    writeFileSync(path, earlier);
    expect(() => verifyFolder(folder, fakeEngines)).toThrow('it is of epoch 0, and the frame before it of 1');
    expect(third.bodyStart - third.offset).toBe(FRAME_HEADER_SIZE);
  });
});
