import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { readSegment, segmentName, segmentsIn } from './segment.ts';

const directory = mkdtempSync(join(tmpdir(), 'orrery-segment-'));
afterEach(() => {
  for (const segment of segmentsIn(directory)) rmSync(join(directory, segmentName(segment)));
});

const SEGMENT = { after: 0, part: 0 };
const PATH = join(directory, segmentName(SEGMENT));
/** Whole lines begin with a digit. */
const parse = (line: string): string | undefined => (/^\d/.test(line) ? line : undefined);

async function read(place: 'newest' | 'older' = 'newest'): Promise<{ lines: string[]; length: number }> {
  const lines: string[] = [];
  const consume = (line: string): Promise<void> => Promise.resolve(void lines.push(line));
  const { length } = await readSegment({ directory, segment: SEGMENT, place, parse, consume });
  return { lines, length };
}

test('lines that cross the edges of what is read at a time are whole', async () => {
  const lines = Array.from({ length: 40 }, (_, index) => `${index} ${'x'.repeat(100_000)}`);
  writeFileSync(PATH, lines.map((line) => `${line}\n`).join(''));
  const { lines: found, length } = await read('older');
  expect(found.every((line, index) => line === lines[index])).toBe(true);
  expect(found).toHaveLength(40);
  expect(length).toBe(lines.reduce((sum, line) => sum + line.length + 1, 0));
});

test('a torn end is left out of the newest segment, also one longer than any line, and refused in an older one', async () => {
  for (const torn of ['2 half', 'x'.repeat(3_000_000), `x\n${'y'.repeat(1_500_000)}`]) {
    writeFileSync(PATH, '1 one\n');
    appendFileSync(PATH, torn);
    expect(await read()).toEqual({ lines: ['1 one'], length: 6 });
    await expect(read('older')).rejects.toThrow('is damaged at byte 6');
  }
});

test('damage before a whole line is refused with its offset', async () => {
  for (const damage of ['x\n', `${'x'.repeat(2_500_000)}\n`]) {
    writeFileSync(PATH, `1 one\n${damage}2 two\n`);
    await expect(read()).rejects.toThrow('is damaged at byte 6');
  }
});

test('segments are in the order in which they were written', () => {
  for (const segment of [
    { after: 500, part: 0 },
    { after: 0, part: 10 },
    { after: 0, part: 0 },
    { after: 0, part: 2 },
  ])
    writeFileSync(join(directory, segmentName(segment)), '');
  writeFileSync(join(directory, 'after-x.log'), '');
  expect(segmentsIn(directory).map(({ after, part }) => `${after}/${part}`)).toEqual(['0/0', '0/2', '0/10', '500/0']);
});
