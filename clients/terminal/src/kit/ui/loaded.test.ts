import { expect, test } from 'vitest';
import { known as given, loadedOf, mapped, together } from './loaded.ts';
import type { QueryState } from './loaded.ts';

const nothing: QueryState<string> = { data: undefined, isError: false, isPaused: false, error: null, dataUpdatedAt: 0 };
const known: QueryState<string> = { ...nothing, data: 'ten', dataUpdatedAt: 7 };
const reader = { isAsked: true, retry: () => undefined };

test('what was never read is loading while it is asked for, and idle when nobody asks', () => {
  expect(loadedOf(nothing, reader)).toMatchObject({ phase: 'loading', value: undefined });
  expect(loadedOf({ ...nothing, isPaused: true }, reader)).toMatchObject({ phase: 'loading' });
  expect(loadedOf(nothing, { ...reader, isAsked: false })).toMatchObject({ phase: 'idle' });
});

test('what was never read and was refused has failed, and says why', () => {
  const error = new Error('refused');
  expect(loadedOf({ ...nothing, isError: true, error }, reader)).toMatchObject({ phase: 'failed', error });
});

test('what is known stays when it cannot be read again, and says since when', () => {
  expect(loadedOf(known, reader)).toMatchObject({ phase: 'fresh', value: 'ten', since: undefined });
  expect(loadedOf({ ...known, isError: true }, reader)).toMatchObject({ phase: 'stale', value: 'ten', since: 7 });
  expect(loadedOf({ ...known, isPaused: true }, reader)).toMatchObject({ phase: 'stale', value: 'ten', since: 7 });
});

test('what stands in the place of a page that waits for the exchange is stale since nobody knows when', () => {
  expect(loadedOf({ ...known, isPaused: true, dataUpdatedAt: 0 }, reader)).toEqual({
    phase: 'stale',
    value: 'ten',
    since: undefined,
    retry: reader.retry,
  });
});

test('the time of what is fresh is not looked at, so that nobody renders for it', () => {
  const state = {
    ...known,
    get dataUpdatedAt(): number {
      throw new Error('looked at');
    },
  };
  expect(loadedOf(state, reader).phase).toBe('fresh');
});

test('what is made of a value is as old as it is; of what is not known nothing is made, and it can be tried again', () => {
  const length = (word: string): number => word.length;
  expect(mapped(loadedOf({ ...known, isError: true }, reader), length)).toMatchObject({ phase: 'stale', value: 3, since: 7 });
  const failed = loadedOf({ ...nothing, isError: true }, reader);
  expect(mapped(failed, length)).toBe(failed);
});

test('two readings that need each other: failed where one is, loading where one is, stale since the older one', () => {
  const fresh = loadedOf(known, reader);
  const failed = loadedOf({ ...nothing, isError: true }, reader);
  const loading = loadedOf(nothing, reader);
  const stale = (at: number) => loadedOf({ ...known, isError: true, dataUpdatedAt: at }, reader);
  expect(together(fresh, given(2))).toMatchObject({ phase: 'fresh', value: ['ten', 2] });
  expect(together(loading, failed).phase).toBe('failed');
  expect(together(fresh, failed).phase).toBe('failed');
  expect(together(loading, fresh).phase).toBe('loading');
  expect(together(stale(9), stale(4))).toMatchObject({ phase: 'stale', since: 4 });
  expect(together(fresh, stale(9))).toMatchObject({ phase: 'stale', since: 9 });
});

test('what is tried again of two is both', () => {
  const tried: string[] = [];
  const read = (name: string) => loadedOf(nothing, { isAsked: true, retry: () => void tried.push(name) });
  together(read('one'), read('other')).retry();
  expect(tried).toEqual(['one', 'other']);
});
