import { expect, test } from 'vitest';
import { bugReport } from './bug-report.ts';

const FACTS = {
  version: '1.2.3',
  environment: 'test',
  path: '/trade/spot/BTC_USDC',
  browser: 'Sundial 1',
  window: { width: 390, height: 844 },
  language: 'en',
  feed: { phase: 'live', heardAt: 1_000, resyncs: 2, reconnects: 1, book: 'fresh', account: 'idle' },
  events: [{ at: 2_000, kind: 'call', words: 'balances: no answer' }],
} as const;

test('a bug report has the versions, the gaps and the last events', () => {
  const lines = bugReport(FACTS).split('\n');
  expect(lines).toContain('Exchange: 1.2.3, environment test');
  expect(lines).toContain('Feed: live, book fresh, account idle, last heard 1970-01-01T00:00:01.000Z, gaps 2');
  expect(lines.at(-1)).toBe('1970-01-01T00:00:02.000Z call: balances: no answer');
});

test('what is not known is said to be unknown', () => {
  const text = bugReport({ ...FACTS, version: undefined, feed: undefined, events: [] });
  expect(text).toContain('Exchange: unknown version');
  expect(text).toContain('Feed: not in use');
  expect(text).toContain('Last 0 events');
});
