import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { nodeDisk, packOldestSegment } from '@orrery/sequencer';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { verifyFolder } from '../../../services/sequencer/src/verify.ts';
import { ENGINES } from '../engines.ts';
import { historyDirectory } from '../start-heart.ts';
import { writeJournal } from '../testing/short-segments.ts';
import { holdFiles } from './data-files.ts';

let place: string;
beforeEach(async () => {
  place = mkdtempSync(join(tmpdir(), 'orrery-data-files-'));
  await writeJournal(historyDirectory(join(place, 'data')));
});
afterEach(() => rmSync(place, { recursive: true, force: true }));

const pack = () => packOldestSegment({ disk: nodeDisk, directory: historyDirectory(join(place, 'data')) });

test('a set has every segment once, in the old form or the new one, whichever are packed while it is made', async () => {
  const [data, set] = [join(place, 'data'), join(place, 'set')];
  const before = verifyFolder(historyDirectory(data), ENGINES);
  // Found in both forms, as a crash between the two steps leaves it.
  const segments = readdirSync(join(data, 'history', 'journal')).filter((name) => name.endsWith('.segment'));
  const [first = ''] = segments;
  cpSync(join(data, 'history', 'journal', first), join(place, first));
  await pack();
  cpSync(join(place, first), join(data, 'history', 'journal', first));
  const held = holdFiles(data);
  let packed = 0;
  while ((await pack()) !== undefined) packed += 1;
  expect(packed).toBeGreaterThan(2);
  const { files, gone } = await held.storeInto(set);
  held.release();
  expect(gone).toBe(0);
  expect(new Set(files.map(({ path }) => path)).size).toBe(files.length);
  const stored = files.map(({ path }) => /([0-9.]+)\.(?:segment|packed)$/.exec(path)?.[1]).filter((name) => name !== undefined);
  expect(stored.toSorted()).toEqual(segments.map((name) => name.replace('.segment', '')).toSorted());
  expect(verifyFolder(historyDirectory(join(set, 'data')), ENGINES)).toEqual(before);
});
