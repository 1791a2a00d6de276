import { describe, expect, test } from 'vitest';
import type { FeedStatus } from '../platform/data/streams/streams.ts';
import { livenessOf } from './liveness.ts';

const FRESH: FeedStatus = { phase: 'live', heardAt: 1, resyncs: 0, reconnects: 0, book: 'fresh', account: 'fresh' };

describe('what may be called live', () => {
  test.each<[string, FeedStatus | undefined, string]>([
    ['no feed is needed', undefined, 'live'],
    ['everything is fresh', FRESH, 'live'],
    ['nobody looks at a book', { ...FRESH, book: 'idle' }, 'live'],
    ['the book is awaited', { ...FRESH, book: 'waiting' }, 'partly'],
    ['the account is awaited', { ...FRESH, account: 'waiting' }, 'partly'],
    ['the stream is away', { ...FRESH, phase: 'reconnecting' }, 'partly'],
    ['the worker could not be loaded', { ...FRESH, phase: 'failed' }, 'partly'],
  ])('while calls are answered and %s', (_name, feed, overall) => {
    expect(livenessOf('live', feed).overall).toBe(overall);
  });

  test('an exchange that cannot be reached is not live, whatever the stream says', () => {
    expect(livenessOf('offline', FRESH)).toMatchObject({ overall: 'offline' });
    expect(livenessOf('starting', undefined)).toMatchObject({ overall: 'starting' });
  });

  test('behind a stream that is away no topic is fresh', () => {
    expect(livenessOf('live', { ...FRESH, phase: 'reconnecting' }).topics).toEqual([
      ['calls', 'fresh'],
      ['stream', 'waiting'],
      ['book', 'waiting'],
      ['account', 'waiting'],
    ]);
  });
});
