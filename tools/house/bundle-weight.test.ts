import { join } from 'node:path';
import { expect, test } from 'vitest';
import { repository } from '../step.ts';
import { BUDGETS, readBundle, weightOf, weightViolations, type Bundle, type Chunk } from './bundle-weight.ts';

const KIB = 1_024;

const bundleOf = (chunks: readonly Chunk[]): Bundle => ({
  entry: 'index-1.js',
  chunks: new Map(chunks.map((chunk) => [chunk.file, chunk])),
});

const chunk = (file: string, kib: number, imports: readonly string[] = []): Chunk => ({ file, weight: kib * KIB, imports });

const LIGHT = [
  chunk('index-1.js', 100, ['react-1.js']),
  chunk('react-1.js', 50),
  chunk('trade-page-1.js', 50, ['react-1.js']),
  chunk('klinecharts-chart-1.js', 58),
  chunk('feed.worker-1.js', 20),
  chunk('points-page-1.js', 20, ['index-1.js']),
];

test('the terminal as it is built keeps its budgets', () => {
  const bundle = readBundle(join(repository, 'clients/terminal/dist'));
  expect(weightOf(bundle, [bundle.entry])).toBeGreaterThan(50);
  expect(weightViolations(bundle)).toEqual([]);
});

test('what several chunks need is weighed once', () => {
  expect(weightOf(bundleOf(LIGHT), ['index-1.js', 'trade-page-1.js'])).toBe(200);
  expect(weightViolations(bundleOf(LIGHT))).toEqual([]);
});

test.each([
  ['a shell', chunk('react-1.js', BUDGETS.shell), 'the shell is 290.0 KiB of 190 KiB'],
  ['a chart', chunk('klinecharts-chart-1.js', 200), 'the trading page is 420.0 KiB of 345 KiB'],
  ['a worker', chunk('feed.worker-1.js', 120), 'the trading page is 378.0 KiB of 345 KiB'],
  ['a page', chunk('points-page-1.js', 90, ['index-1.js']), 'beyond the shell, points-page-1.js is 90.0 KiB of 60 KiB'],
])('%s that is too heavy is found', (_what, planted, sentence) => {
  expect(weightViolations(bundleOf([...LIGHT.filter(({ file }) => file !== planted.file), planted]))).toContain(sentence);
});

test('a trading page that was not found is no light one', () => {
  expect(weightViolations(bundleOf(LIGHT.slice(0, 2)))).toEqual(['the chunks of the trading page were not found']);
});
