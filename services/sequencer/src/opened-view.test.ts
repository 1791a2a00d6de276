import type { Applied } from '@orrery/protocol';
import { seq } from '@orrery/units';
import { expect, test } from 'vitest';
import { OpenedView } from './opened-view.ts';

const opened = (): OpenedView =>
  new OpenedView({
    seq: seq(7),
    facts: [],
    tail: (async function* (): AsyncGenerator<readonly Applied[]> {
      yield [];
    })(),
    close: () => undefined,
  });

test('the facts of a view are there until its tail is read, and are let go then', async () => {
  const view = opened();
  expect([view.facts, view.facts]).toEqual([[], []]);
  for await (const batch of view.tail) expect(batch).toEqual([]);
  expect(() => view.facts).toThrow('read before its tail');
});

test('the facts of a view that is closed unread stay', () => {
  const view = opened();
  view.close();
  expect(view.facts).toEqual([]);
});
