import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from '@orrery/protocol';
import { afterEach, expect, test } from 'vitest';
import { cutHistory, findCut, newestSegment, stateOf } from './copy.ts';
import { stateHash } from './engine-factory.ts';
import { entriesBetween } from './history.ts';
import { nodeDisk } from './node-disk.ts';
import { Replay } from './replay.ts';
import { fakeEngines, personAddress } from './testing/fake-engine.ts';
import { newFolder, openHeart, removeFolders } from './testing/open-heart.ts';

afterEach(removeFolders);

const person = (number: number): Command => ({ type: 'OpenAccount', address: personAddress(number) });
const archiveOf = (directory: string) => ({ disk: nodeDisk, directory, engines: fakeEngines, log: () => undefined });

/** Four groups of two commands, and no snapshot. */
async function fourGroups(): Promise<{ folder: string; readonly stop: () => Promise<void> }> {
  const folder = newFolder();
  const { heart } = await openHeart(folder);
  for (let group = 0; group < 4; group += 1) await Promise.all([heart.submit(person(2 * group + 1)), heart.submit(person(2 * group + 2))]);
  return { folder, stop: () => heart.stop() };
}

function stateAfter(directory: string, last: number): string {
  const replay = new Replay(fakeEngines, undefined);
  for (const located of entriesBetween(archiveOf(directory), { after: 0, last })) replay.take(located);
  return Buffer.from(stateHash(replay.engine.encodeState())).toString('hex');
}

test('the newest segment is copied up to its last whole group while its writer goes on', async () => {
  const { folder, stop } = await fourGroups();
  const segment = newestSegment({ disk: nodeDisk, directory: folder });
  expect(segment?.seq).toBe(8);
  await stop();
  const path = segment?.path ?? '';
  const written = readFileSync(path);
  expect(Buffer.compare(segment?.content ?? Buffer.of(), written)).toBe(0);
  // Half of a frame, as a reader may find it.
  const end = written.findLastIndex((byte) => byte !== 0) + 1;
  written.fill(7, Math.ceil(end / 8) * 8, Math.ceil(end / 8) * 8 + 30);
  writeFileSync(path, written);
  expect(newestSegment({ disk: nodeDisk, directory: folder })).toEqual(segment);
});

test('a folder without a segment has no newest one', () => {
  const folder = newFolder();
  nodeDisk.makeDirectory(join(folder, 'journal'));
  expect(newestSegment({ disk: nodeDisk, directory: folder })).toBeUndefined();
});

test.each([
  { until: 8, left: 8 },
  { until: 7, left: 6 },
  { until: 6, left: 6 },
  { until: 1, left: 0 },
])('history is cut back to $until between groups, behind command $left, with the state of that command', async ({ until, left }) => {
  const { folder, stop } = await fourGroups();
  await stop();
  const copy = newFolder();
  cpSync(folder, copy, { recursive: true });
  const place = { disk: nodeDisk, directory: copy };
  const cut = findCut(place, ({ seq }) => seq <= until);
  expect(cut?.seq ?? 8).toBe(left);
  if (cut !== undefined) await cutHistory(place, cut);
  if (left > 0) expect(stateOf(archiveOf(copy))).toMatchObject({ seq: left, stateHash: stateAfter(folder, left) });
  const { heart } = await openHeart(copy);
  // It goes on as if what was cut had never been.
  const first = await heart.submit(person(9));
  expect(first.seq).toBe(left + 1);
  await heart.stop();
});
