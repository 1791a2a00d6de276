import { expect, test } from 'vitest';
import { Meters } from '../meters.ts';
import { Violation } from '../violation.ts';
import { ApartWorld } from './apart-world.ts';
import type { ApartPlant } from './mover.ts';

const STEPS = 3_000;
const SEEDS = [1, 2, 3, 4, 5, 6];
const RANDOM = Number(process.env['ORRERY_SEED'] ?? Math.floor(Math.random() * 1_000_000_000));

const WANTED = [
  'message lost',
  'message twice',
  'crash that took a debit back',
  'crash that took a credit back',
  'crash that took a settlement back',
  'account blocked',
  'account unblocked',
  'done RequestWithdrawal',
  'rejected RequestWithdrawal InsufficientBalance',
  'rejected RequestWithdrawal AccountBlocked',
  'done PlaceOrder',
  'money left a heart',
  'money arrived at the other',
];

test(
  `M7: money that moves between two hearts arrives once, through crashes, lost and doubled messages and two movers, seeds ${SEEDS.join(', ')} and ORRERY_SEED=${RANDOM}`,
  { timeout: 120_000 },
  () => {
    const meters = new Meters();
    for (const seed of [...SEEDS, RANDOM]) {
      const world = new ApartWorld({ seed, steps: STEPS });
      world.run();
      meters.add(world.meters);
    }
    expect(meters.zeros(WANTED)).toEqual([]);
  },
);

test.each<[ApartPlant, RegExp]>([
  ['creditsUnsynced', /never left|arrived twice|came in/],
  ['keyOfTry', /arrived twice/],
  ['settlesFirst', /settled, and has not arrived/],
  ['wrongPerson', /another account/],
  ['sameHeart', /arrived where it left/],
  ['refunds', /given back too|came in|arrived at none/],
])('a planted %s is caught', (plant, sentence) => {
  const run = (seed: number) => () => new ApartWorld({ seed, steps: STEPS, plant }).run();
  for (const seed of [1, 2, 3]) {
    expect(run(seed)).toThrow(Violation);
    expect(run(seed)).toThrow(/^M7: /);
    expect(run(seed)).toThrow(sentence);
  }
});
