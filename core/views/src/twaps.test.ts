import { expect, test } from 'vitest';
import { accountId, atoms, lots, marketId, millis, seq } from '@orrery/units';
import { TwapsView } from './twaps.ts';

const place = { account: accountId(3), market: marketId(2) } as const;
const accepted = {
  type: 'TwapAccepted',
  twapId: 5,
  ...place,
  key: 't',
  side: 'buy',
  positionSide: 'both',
  size: lots(10),
  minutes: 1,
  reduceOnly: false,
  seed: 0,
} as const;
const advanced = {
  type: 'TwapAdvanced',
  twapId: 5,
  ...place,
  startedAt: millis(1_000),
  filled: lots(4),
  filledNotional: atoms(400n),
} as const;

test('a TWAP order has its start and what it filled, also by the facts of a later start', () => {
  const view = new TwapsView();
  const began = { seq: seq(1), at: millis(1_000) };
  view.apply(accepted, began);
  expect(view.of(place.account)).toMatchObject([{ twapId: 5, acceptedAt: 1_000, filled: 0 }]);
  view.apply(advanced, { seq: seq(2), at: millis(2_000) });
  expect(view.of(place.account)).toMatchObject([{ acceptedAt: 1_000, filled: 4 }]);
  const restarted = new TwapsView();
  for (const fact of [accepted, advanced]) restarted.apply(fact, { seq: seq(0), at: millis(0) });
  expect(restarted.of(place.account)).toEqual(view.of(place.account));
  view.apply({ type: 'TwapClosed', twapId: 5, ...place, reason: 'completed', filled: lots(10), filledNotional: atoms(1_000n) }, began);
  expect(view.of(place.account)).toEqual([]);
  expect(view.ended(5)).toMatchObject({ size: 10, filled: 10, reason: 'completed', closedAt: 1_000 });
});

test('of those that ended the newest thousand are kept', () => {
  const view = new TwapsView();
  const moment = { seq: seq(1), at: millis(1_000) };
  for (let twapId = 1; twapId <= 1_001; twapId += 1) {
    view.apply({ ...accepted, twapId }, moment);
    view.apply({ type: 'TwapClosed', twapId, ...place, reason: 'positionClosed', filled: lots(4), filledNotional: atoms(400n) }, moment);
  }
  expect(view.ended(1)).toBeUndefined();
  expect(view.ended(1_001)).toMatchObject({ size: 10, filled: 4, reason: 'positionClosed' });
});
