import { expect, test } from 'vitest';
import { packLadder } from './ladder.ts';
import { LadderStore } from './ladder-store.ts';

const frame = (bids: readonly [number, number][], asks: readonly [number, number][]): Float64Array => {
  const side = (levels: readonly [number, number][]) => ({
    prices: levels.map(([price]) => price),
    sizes: levels.map(([, size]) => size),
    length: levels.length,
  });
  return packLadder(side(bids), side(asks), { step: 1, rows: 10 });
};

test('only the rows that changed are notified', () => {
  const store = new LadderStore();
  store.put(
    frame(
      [
        [100, 5],
        [99, 7],
      ],
      [[101, 12]],
    ),
  );
  const heard: string[] = [];
  for (const [name, index] of [
    ['bid', 0],
    ['bid', 1],
    ['ask', 0],
  ] as const)
    store.subscribeRow(name, index, () => heard.push(`${name} ${index}`));
  store.put(
    frame(
      [
        [100, 5],
        [99, 7],
      ],
      [[101, 12]],
    ),
  );
  expect(heard).toEqual([]);
  store.put(
    frame(
      [
        [100, 5],
        [99, 6],
      ],
      [[101, 12]],
    ),
  );
  expect(heard).toEqual(['bid 1']);
});

test('a row that did not change is the same object', () => {
  const store = new LadderStore();
  store.put(
    frame(
      [
        [100, 5],
        [99, 7],
      ],
      [[101, 12]],
    ),
  );
  const before = store.row('bid', 0);
  store.put(
    frame(
      [
        [100, 5],
        [99, 6],
      ],
      [[101, 12]],
    ),
  );
  expect(store.row('bid', 0)).toBe(before);
});

test('the deeper side is the measure of the depth bars', () => {
  const store = new LadderStore();
  store.put(
    frame(
      [
        [100, 5],
        [99, 5],
      ],
      [
        [101, 4],
        [102, 16],
      ],
    ),
  );
  expect(store.row('ask', 1)?.share).toBe(1);
  expect(store.row('bid', 1)?.share).toBe(0.5);
});

test('rows beyond the end of a side vanish', () => {
  const store = new LadderStore();
  store.put(
    frame(
      [
        [100, 5],
        [99, 7],
      ],
      [[101, 2]],
    ),
  );
  store.put(frame([[100, 5]], [[101, 2]]));
  expect(store.row('bid', 1)).toBeUndefined();
});

test('another market starts from nothing', () => {
  const store = new LadderStore();
  store.put(frame([[100, 5]], [[101, 2]]));
  store.clear();
  expect(store.loaded()).toBe(false);
  expect(store.row('bid', 0)).toBeUndefined();
  expect(store.top()).toEqual({ bestBid: 0, bestAsk: 0, bidTotal: 0, askTotal: 0 });
});
