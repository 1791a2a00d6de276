import type { Applied, Command, Event } from '@orrery/protocol';
import { marketId, millis, seq, ticks } from '@orrery/units';
import { expect, test } from 'vitest';
import { PriceRoundsView } from './price-rounds.ts';

const MARKET = marketId(101);
const round = (price: number): Command => ({
  type: 'SubmitPrices',
  market: MARKET,
  index: [{ source: 'east', price: ticks(price), ageMs: 40, weight: 2 }],
  external: [],
});
const given = (at: number, command: Command, events: readonly Event[] = []): Applied => ({ seq: seq(at), at: millis(at), command, events });
const rejected: Event = { type: 'CommandRejected', reason: 'InvalidField', field: 'index' };

test('a contract has the samples of its last round that was taken', () => {
  const view = new PriceRoundsView();
  expect(view.round(MARKET)).toBeUndefined();
  view.apply(given(1, round(600_000)));
  view.apply(given(2, round(610_000)));
  view.apply(given(3, round(620_000), [rejected]));
  view.apply(given(4, { type: 'ResetPrices' }));
  expect(view.round(MARKET)).toEqual({
    at: 2,
    index: [{ source: 'east', price: 610_000, ageMs: 40, weight: 2 }],
    external: [],
  });
});
