import { cpSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { cutHistory, findCut, stateOf } from './copy.ts';
import { coversHistory } from './covers.ts';
import type { Disk, WritableFile } from './disk.ts';
import { entriesBetween } from './history.ts';
import { JournalTail } from './journal-tail.ts';
import { nodeDisk } from './node-disk.ts';
import { packOldestSegment } from './pack-journal.ts';
import { unpackSegment } from './packed-segment.ts';
import { fakeEngines, personAddress } from './testing/fake-engine.ts';
import { newFolder, openHeart, removeFolders } from './testing/open-heart.ts';
import { type Verdict, verifyFolder } from './verify.ts';

afterEach(removeFolders);

const LIMITS = { segmentBytes: 2_048, reserveBytes: 2_048, snapshotEvery: 40, hashEvery: 7 };
const COMMANDS = 160;

const archiveOf = (directory: string) => ({ disk: nodeDisk, directory, engines: fakeEngines, log: () => undefined });
const namesIn = (folder: string, name: string): readonly string[] =>
  existsSync(join(folder, name)) ? readdirSync(join(folder, name)) : [];
const segmentsIn = (folder: string): readonly string[] => namesIn(folder, 'journal').filter((name) => name.endsWith('.segment'));
const packedIn = (folder: string): readonly string[] => namesIn(folder, 'archive').filter((name) => name.endsWith('.packed'));

async function grow(folder: string, commands: number): Promise<void> {
  const { heart } = await openHeart(folder, { limits: LIMITS });
  const first = heart.status().seq + 1;
  for (let person = first; person < first + commands; person += 1)
    await heart.submit({ type: 'OpenAccount', address: personAddress(person) });
  await heart.stop();
}

async function grown(): Promise<string> {
  const folder = newFolder();
  await grow(folder, COMMANDS);
  return folder;
}

async function packAll(folder: string, disk: Disk = nodeDisk): Promise<number> {
  let packed = 0;
  while ((await packOldestSegment({ disk, directory: folder })) !== undefined) packed += 1;
  return packed;
}

const verdict = (folder: string): Verdict => verifyFolder(folder, fakeEngines);
const commandsOf = (folder: string, after: number): readonly string[] =>
  [...entriesBetween(archiveOf(folder), { after, last: COMMANDS })].map(({ entry }) =>
    JSON.stringify(entry, (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value)),
  );

test('segments below the oldest kept snapshot are packed, and everything is read as before', async () => {
  const folder = await grown();
  const [before, commands, segments] = [verdict(folder), commandsOf(folder, 0), segmentsIn(folder)];
  const count = await packAll(folder);
  expect(count).toBeGreaterThan(3);
  expect(packedIn(folder)).toEqual(segments.slice(0, count).map((name) => name.replace('.segment', '.packed')));
  const rest = segmentsIn(folder);
  expect(rest).toEqual(segments.slice(count));
  // The next one to be packed has a command that a kept snapshot lacks.
  const [oldest = ''] = namesIn(folder, 'snapshots').toSorted();
  expect(Number(rest[1]?.slice(0, 16)) - 1).toBeGreaterThan(Number(oldest.slice(0, 16)));
  expect(verdict(folder)).toEqual(before);
  expect(commandsOf(folder, 0)).toEqual(commands);
  expect(coversHistory(archiveOf(folder), 0)).toBe(true);
  await grow(folder, 40);
  expect(verdict(folder).seq).toBe(COMMANDS + 40);
});

test('a packed segment holds the bytes of the segment, and far fewer', async () => {
  const folder = await grown();
  const [name = ''] = segmentsIn(folder);
  const whole = readFileSync(join(folder, 'journal', name));
  await packAll(folder);
  const path = join(folder, 'archive', name.replace('.segment', '.packed'));
  const unpacked = unpackSegment(readFileSync(path));
  expect(Buffer.compare(unpacked, whole.subarray(0, unpacked.length))).toBe(0);
  expect(whole.subarray(unpacked.length).every((byte) => byte === 0)).toBe(true);
  expect(statSync(path).size).toBeLessThan(unpacked.length / 2);
});

test('a reader in the middle of a segment goes on when that is packed', async () => {
  const folder = await grown();
  const directory = join(folder, 'journal');
  const seqsOf = (tail: JournalTail, last: number): readonly number[] =>
    [...tail.upTo(last)].flatMap(({ entry }) => ('sequenced' in entry ? [entry.sequenced.seq] : []));
  const tails = [0, 3, 9, 20].map((after) => ({ after, tail: new JournalTail({ disk: nodeDisk, directory, after }) }));
  const begun = tails.map(({ after, tail }) => seqsOf(tail, after + 2));
  expect(await packAll(folder)).toBeGreaterThan(3);
  for (const [index, { after, tail }] of tails.entries())
    expect([...(begun[index] ?? []), ...seqsOf(tail, COMMANDS)]).toEqual(
      Array.from({ length: COMMANDS - after }, (_, place) => after + 1 + place),
    );
});

test('a bit that is changed in a packed segment is found', async () => {
  const folder = await grown();
  await packAll(folder);
  const path = join(folder, 'archive', packedIn(folder)[1] ?? '');
  const whole = readFileSync(path);
  for (let offset = 0; offset < whole.length; offset += 1) {
    const bytes = Uint8Array.from(whole);
    bytes[offset] = (bytes[offset] ?? 0) ^ 1;
    writeFileSync(path, bytes);
    expect(() => verdict(folder), `flip at ${offset}`).toThrow(path);
  }
});

test('a packed segment of another history does not fit into the chain of hashes', async () => {
  const [folder, other] = [await grown(), newFolder()];
  const { heart } = await openHeart(other, { limits: LIMITS });
  for (let person = 1; person <= COMMANDS; person += 1) await heart.submit({ type: 'OpenAccount', address: personAddress(person + 500) });
  await heart.stop();
  await packAll(folder);
  await packAll(other);
  const [name = ''] = packedIn(folder);
  expect(packedIn(other)).toContain(name);
  cpSync(join(other, 'archive', name), join(folder, 'archive', name));
  expect(() => verdict(folder)).toThrow('it does not carry the hash of the frame before it');
});

test('a segment that is damaged stays as it is', async () => {
  const folder = await grown();
  const [name = ''] = segmentsIn(folder);
  const path = join(folder, 'journal', name);
  const bytes = readFileSync(path);
  bytes[700] = (bytes[700] ?? 0) ^ 1;
  writeFileSync(path, bytes);
  await expect(packAll(folder)).rejects.toThrow(path);
  expect(Buffer.compare(readFileSync(path), bytes)).toBe(0);
  expect(packedIn(folder)).toEqual([]);
});

/** The disk of this machine, which does no more than a number of steps that change something: as a process that is killed between two of them. */
function dyingDisk(steps: number): Disk {
  let left = steps;
  const step = <Answer>(act: () => Answer): Answer => {
    if (left === 0) throw new Error('killed');
    left -= 1;
    return act();
  };
  const dying = (file: WritableFile): WritableFile => ({
    ...file,
    write: (bytes, position) => step(() => file.write(bytes, position)),
    sync: () => step(() => file.sync()),
  });
  return {
    ...nodeDisk,
    makeDirectory: (path) => step(() => nodeDisk.makeDirectory(path)),
    create: (path) => step(() => dying(nodeDisk.create(path))),
    rename: (from, to) => step(() => nodeDisk.rename(from, to)),
    remove: (path) => step(() => nodeDisk.remove(path)),
    syncDirectory: (path) => step(() => nodeDisk.syncDirectory(path)),
  };
}

test('killed at any step, the segment is there in the old form or in the new one, and the next run finishes it', async () => {
  const whole = await grown();
  const before = verdict(whole);
  let steps = 0;
  for (let isKilled = true; isKilled; steps += 1) {
    const folder = newFolder();
    cpSync(whole, folder, { recursive: true });
    isKilled = await packOldestSegment({ disk: dyingDisk(steps), directory: folder }).then(
      () => false,
      (error: unknown) => {
        expect(String(error)).toContain('killed');
        return true;
      },
    );
    expect(verdict(folder), `after ${steps} steps`).toEqual(before);
    await packAll(folder);
    expect(verdict(folder), `after ${steps} steps and another run`).toEqual(before);
    expect(segmentsIn(folder).length + packedIn(folder).length).toBe(segmentsIn(whole).length);
    await grow(folder, 5);
    expect(verdict(folder).seq).toBe(COMMANDS + 5);
  }
  expect(steps).toBeGreaterThan(6);
});

test('a copy goes back to a command in a packed segment', async () => {
  const folder = await grown();
  const copy = newFolder();
  cpSync(folder, copy, { recursive: true });
  await packAll(copy);
  for (const directory of [folder, copy]) {
    const cut = findCut(archiveOf(directory), ({ seq }) => seq <= 12);
    expect(cut?.seq).toBe(12);
    if (cut !== undefined) await cutHistory(archiveOf(directory), cut);
  }
  expect(stateOf(archiveOf(copy))).toEqual(stateOf(archiveOf(folder)));
  await grow(copy, 3);
  expect(verdict(copy).seq).toBe(15);
});
