import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readBatch, sumOf, writeBatch, type Batch } from './batch.ts';
import { COVERED_HOURS, uncovered } from './coverage.ts';
import { Meters } from './meters.ts';

const EVERYTHING = uncovered(new Meters());

/** Of `hours` for each of the seeds, in which all of `names` happened. */
function batch(seeds: readonly [number, number], names: readonly string[], changed: Partial<Batch> = {}): Batch {
  return { commit: 'abc', seeds, hours: 2, failed: [], meters: Meters.of(Object.fromEntries(names.map((name) => [name, 1]))), ...changed };
}

const ENOUGH = COVERED_HOURS / 4;

test('another batch may cover what one batch never reached', () => {
  const [rare = '', ...common] = EVERYTHING;
  const one = batch([1, ENOUGH], common);
  const other = batch([ENOUGH + 1, 2 * ENOUGH], [rare]);
  expect(sumOf([one, other])).toMatchObject({ seeds: 2 * ENOUGH, hours: COVERED_HOURS, complaints: [] });
});

test('a meter that stands at zero in all of them is a complaint', () => {
  const [rare = '', ...common] = EVERYTHING;
  const all = [batch([1, ENOUGH], common), batch([ENOUGH + 1, 2 * ENOUGH], common)];
  expect(sumOf(all).complaints).toEqual([`never happened: ${rare}`]);
});

test('a failed seed, a seed counted twice and too few hours are complaints', () => {
  const failed = batch([1, 2 * ENOUGH], EVERYTHING, { failed: [7] });
  expect(sumOf([failed]).complaints).toEqual(['seed 7 over 2 h failed']);
  const all = [batch([1, 2 * ENOUGH], EVERYTHING), batch([2 * ENOUGH, 3 * ENOUGH], EVERYTHING)];
  expect(sumOf(all).complaints).toEqual([`seed ${2 * ENOUGH} over 2 h is counted twice`]);
  expect(sumOf([batch([1, 2], EVERYTHING)]).complaints).toEqual([`4 h are too few to come to everything: ${COVERED_HOURS} are`]);
});

test('the same seeds over other hours are other runs', () => {
  const all = [batch([1, 2 * ENOUGH], EVERYTHING), batch([1, ENOUGH], EVERYTHING, { hours: 1 })];
  expect(sumOf(all)).toMatchObject({ hours: COVERED_HOURS * 1.25, complaints: [] });
});

let folder = '';
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'orrery-batch-'))));
afterEach(() => rmSync(folder, { recursive: true }));

test('what is written is read again', () => {
  const path = join(folder, 'meters.json');
  const written = batch([3, 9], ['fatal', 'deposits credited'], { failed: [4] });
  writeBatch(path, written);
  const { meters, ...read } = readBatch(path);
  expect(read).toEqual({ commit: 'abc', seeds: [3, 9], hours: 2, failed: [4] });
  expect(meters.counts()).toEqual(written.meters.counts());
});

test.each([
  ['', 'is no file of meters'],
  ['7', 'is no file of meters'],
  ['{"seeds":[1,2],"hours":2,"failed":[],"meters":{}}', 'commit'],
  ['{"commit":"abc","seeds":[2,1],"hours":2,"failed":[],"meters":{}}', 'seeds'],
  ['{"commit":"abc","seeds":[1,2],"hours":0,"failed":[],"meters":{}}', 'hours'],
  ['{"commit":"abc","seeds":[1,2],"hours":2,"failed":"none","meters":{}}', 'failed'],
  ['{"commit":"abc","seeds":[1,2],"hours":2,"failed":[],"meters":{"fatal":-1}}', 'meters'],
])('%s is refused, and the file and the field are named', (text, named) => {
  const path = join(folder, 'meters.json');
  writeFileSync(path, text);
  expect(() => readBatch(path)).toThrow(path);
  expect(() => readBatch(path)).toThrow(named);
});
