import type { Applied } from '@orrery/protocol';
import { accountId, millis, seq } from '@orrery/units';
import { expect, test } from 'vitest';
import { Recent } from './recent.ts';

const applied = (at: number): Applied => ({
  seq: seq(at),
  at: millis(at),
  command: { type: 'CancelOrder', account: accountId(1), orderId: 0, clientOrderId: '' },
  events: [],
});

function filled({ upTo }: { upTo: number }): Recent {
  const recent = new Recent({ capacity: 8, kept: 2, after: 0 });
  for (let at = 1; at <= upTo; at += 1) recent.push(applied(at));
  return recent;
}

const reported = (recent: Recent, after: number): number[] => recent.after(after).map((each) => each.seq);

test('what every reader has taken is let go of, but for the newest', () => {
  const recent = filled({ upTo: 6 });
  const [near, far] = [{ seq: 5 }, { seq: 2 }];
  recent.enter(near);
  recent.enter(far);
  recent.trim();
  expect([1, 2].map((at) => recent.covers(at))).toEqual([false, true]);
  expect(reported(recent, far.seq)).toEqual([3, 4, 5, 6]);
  far.seq = 6;
  recent.trim();
  expect([3, 4].map((at) => recent.covers(at))).toEqual([false, true]);
  expect(reported(recent, near.seq)).toEqual([6]);
});

test('a reader that left keeps nothing, and one that does not read no more than there is room for', () => {
  const recent = filled({ upTo: 6 });
  const cursor = { seq: 0 };
  recent.enter(cursor);
  for (let at = 7; at <= 20; at += 1) recent.push(applied(at));
  recent.trim();
  expect([11, 12].map((at) => recent.covers(at))).toEqual([false, true]);
  expect(reported(recent, 12)).toEqual([13, 14, 15, 16, 17, 18, 19, 20]);
  recent.leave(cursor);
  recent.trim();
  expect([17, 18].map((at) => recent.covers(at))).toEqual([false, true]);
});

test('without readers the newest stay for those who come', () => {
  const recent = filled({ upTo: 3 });
  recent.trim();
  expect(reported(recent, 1)).toEqual([2, 3]);
});
