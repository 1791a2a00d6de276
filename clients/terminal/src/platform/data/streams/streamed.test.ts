import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { FeedStatus } from '../../feed/messages.ts';
import { Store } from '../../feed/store.ts';
import { FAILED_AFTER_MS, healthOf, STALE_AFTER_MS } from './health.ts';
import type { Judged } from './health.ts';
import { streamedOf } from './streamed.ts';

const NOW = 1_800_000_000_000;
const status = (part: Partial<FeedStatus>): FeedStatus => ({
  phase: 'live',
  heardAt: NOW,
  resyncs: 0,
  reconnects: 0,
  book: 'fresh',
  account: 'idle',
  ...part,
});

beforeEach(() => void vi.useFakeTimers({ now: NOW }));
afterEach(() => void vi.useRealTimers());

describe('the health of the stream', () => {
  test('a stream that is away for three seconds is stale, and fresh again when it is back', () => {
    const feed = new Store(status({}));
    const health = healthOf(feed);
    const heard: string[] = [];
    health.subscribe(() => heard.push(health.get()));
    feed.set(status({ phase: 'reconnecting' }));
    vi.advanceTimersByTime(STALE_AFTER_MS - 1);
    expect(health.get()).toBe('fresh');
    vi.advanceTimersByTime(1);
    feed.set(status({}));
    expect(heard).toEqual(['stale', 'fresh']);
  });

  test('one that is back sooner was not away', () => {
    const feed = new Store(status({ phase: 'reconnecting' }));
    const health = healthOf(feed);
    vi.advanceTimersByTime(STALE_AFTER_MS - 1);
    feed.set(status({}));
    vi.advanceTimersByTime(STALE_AFTER_MS);
    expect(health.get()).toBe('fresh');
  });

  test('a first connection that takes its time is not stale: nothing came that could be old', () => {
    const health = healthOf(new Store(status({ phase: 'reconnecting', heardAt: 0 })));
    vi.advanceTimersByTime(2 * STALE_AFTER_MS);
    expect(health.get()).toBe('fresh');
  });

  test('an account of which nothing has come for ten seconds has failed, and is fresh when it comes after all', () => {
    const awaited = { phase: 'live', heardAt: 0, state: 'waiting' } as const;
    const own = new Store<Judged>({ ...awaited, state: 'idle' });
    const health = healthOf(own);
    vi.advanceTimersByTime(FAILED_AFTER_MS);
    own.set(awaited);
    vi.advanceTimersByTime(FAILED_AFTER_MS - 1);
    own.set({ ...awaited, phase: 'reconnecting' });
    expect(health.get()).toBe('fresh');
    vi.advanceTimersByTime(1);
    expect(health.get()).toBe('failed');
    own.set({ phase: 'live', heardAt: Date.now(), state: 'fresh' });
    vi.advanceTimersByTime(FAILED_AFTER_MS);
    expect(health.get()).toBe('fresh');
  });

  test('signs of life notify nobody', () => {
    const feed = new Store(status({}));
    const listener = vi.fn();
    healthOf(feed).subscribe(listener);
    for (let second = 1; second < 5; second += 1) feed.set(status({ heardAt: NOW + 1_000 * second }));
    expect(listener).not.toHaveBeenCalled();
  });
});

test.each([
  ['fresh', 'what has come', { value: 7, health: 'fresh' }, { value: 7, since: undefined }],
  ['stale', 'what is old', { value: 7, health: 'stale' }, { value: 7, since: NOW }],
  ['stale', 'what came before the stream failed', { value: 7, health: 'failed' }, { value: 7, since: NOW }],
  ['loading', 'what is on its way', { value: undefined, health: 'fresh' }, { value: undefined }],
  ['failed', 'what a stream that failed cannot bring', { value: undefined, health: 'failed' }, { value: undefined }],
  ['idle', 'what a visitor is not sent', { value: undefined, health: 'fresh', isAsked: false }, { value: undefined }],
] as const)('%s is %s', (phase, _what, stream, known) => {
  const retry = vi.fn();
  const loaded = streamedOf<number>({ heardAt: NOW, retry, ...stream });
  expect(loaded).toMatchObject({ phase, ...known });
  loaded.retry();
  expect(retry).toHaveBeenCalledTimes(1);
});
