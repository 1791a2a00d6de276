import { expect, test } from 'vitest';
import { accountId, millis, seq, ticks } from '@orrery/units';
import type { Command } from '@orrery/protocol';
import { createEngine, type Engine } from '../engine.ts';
import { LINEAR, openingOfContracts } from '../testing/futures-table.ts';

const alice = accountId(1);
const place = { account: alice, market: LINEAR.market } as const;

/** The running hash of one command after an opening under the rules. */
function hashOf(command: Command, rules: 5 | 6): string {
  const engine: Engine = createEngine();
  let count = 0;
  const give = (one: Command): void => {
    count += 1;
    engine.apply({ seq: seq(count), at: millis(1_000_000 + count), command: one });
  };
  for (const one of openingOfContracts(rules)) give(one);
  give({ type: 'ScheduleCancel', account: alice, at: millis(1_900_000) });
  engine.takeRunningHash();
  give(command);
  return Buffer.from(engine.takeRunningHash()).toString('hex');
}

const index = (price: number): Command => ({
  type: 'SubmitPrices',
  market: LINEAR.market,
  index: ['one', 'two', 'three'].map((source) => ({ source, price: ticks(price), ageMs: 0, weight: 1 })),
  external: [],
});
const twap = (minutes: number): Command => ({
  type: 'PlaceTwap',
  ...place,
  key: 'k',
  side: 'buy',
  positionSide: 'both',
  size: LINEAR.maxSize,
  minutes,
  reduceOnly: false,
  seed: 1,
});

const PAIRS: readonly (readonly [string, Command, Command])[] = [
  [
    'leverage',
    { type: 'SetLeverage', ...place, positionSide: 'both', leverage: 5 },
    { type: 'SetLeverage', ...place, positionSide: 'both', leverage: 6 },
  ],
  [
    'side of automatic margin',
    { type: 'SetAutoMargin', ...place, positionSide: 'both', value: true },
    { type: 'SetAutoMargin', ...place, positionSide: 'both', value: false },
  ],
  [
    'position mode',
    { type: 'SetPositionMode', account: alice, payoff: 'linear', mode: 'hedge' },
    { type: 'SetPositionMode', account: alice, payoff: 'inverse', mode: 'hedge' },
  ],
  [
    'fee tier',
    { type: 'SetFeeTier', account: alice, tier: 1, rebateTier: 0 },
    { type: 'SetFeeTier', account: alice, tier: 2, rebateTier: 0 },
  ],
  ['prices', index(100), index(101)],
  [
    'scheduled cancel',
    { type: 'ScheduleCancel', account: alice, at: millis(2_000_000) },
    { type: 'ScheduleCancel', account: alice, at: millis(2_000_001) },
  ],
  ['TWAP order', twap(1), twap(2)],
];

test.each(PAIRS)('R1: the running hash differs where a setting does, since rules 6: %s', (_, one, other) => {
  expect(hashOf(one, 6)).toBe(hashOf(one, 6));
  expect(hashOf(one, 6)).not.toBe(hashOf(other, 6));
  expect(hashOf(one, 5)).toBe(hashOf(other, 5));
});
