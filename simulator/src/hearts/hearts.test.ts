import { expect, test } from 'vitest';
import { Meters } from '../meters.ts';
import type { HeartsPlant } from './hearts-world.ts';
import { runHearts } from './run-hearts.ts';

/** Between them everything happens that must. */
const SEEDS = [1, 3, 6, 11];
const MINUTES = 2;
/** One more, so that the same few seeds are not all that is ever tried. */
const RANDOM = Number(process.env['ORRERY_SEED'] ?? Math.floor(Math.random() * 1_000_000_000));

async function mustHold(seed: number): Promise<Meters> {
  const { failure, meters } = await runHearts({ seed, minutes: MINUTES });
  if (failure !== undefined)
    throw new Error(`again: npm run sim -- --hearts --seed ${seed} --hours ${MINUTES / 60}\n${failure.log.join('\n')}`, {
      cause: failure.error,
    });
  return meters;
}

test('the same seed is the same run', { timeout: 60_000 }, async () => {
  const [one, other] = [await runHearts({ seed: 7, minutes: 0.5 }), await runHearts({ seed: 7, minutes: 0.5 })];
  expect(one.failure).toBeUndefined();
  expect([other.stateHash, other.meters.print()]).toEqual([one.stateHash, one.meters.print()]);
});

test(
  `[R2] [R3] [R7] several hearts hold through every fault, seeds ${SEEDS.join(', ')} and ORRERY_SEED=${RANDOM}`,
  { timeout: 120_000 },
  async () => {
    const meters = new Meters();
    for (const seed of [...SEEDS, RANDOM]) meters.add(await mustHold(seed));
    expect(meters.zeros(WANTED)).toEqual([]);
  },
);

const WANTED = [
  'fault kill of the leader',
  'fault deathAtAppend',
  'fault pause of the leader',
  'fault cutFromStore of the leader',
  'fault cutFromNats of the leader',
  'fault primaryLost',
  'fault natsDown',
  'fault clockJump',
  'calls answered',
  'calls unknown',
  'appends of a deposed heart',
  'appends that were there already',
  'appends that a lost primary took along',
  'jobs',
];

/** Each must be found within three seeds from the first one on, by one of these invariants. */
test.each<[HeartsPlant, string, number]>([
  ['noFence', 'R2|R7', 1],
  ['noLease', 'lease', 1],
  ['ackBeforeStandby', 'R2|R7', 1],
  ['serversApart', 'lease', 9],
])('a planted %s is caught', { timeout: 120_000 }, async (plant, invariants, first) => {
  const kinds: (string | undefined)[] = [];
  while (kinds.length < 3 && !new RegExp(`^(${invariants})$`).test(kinds.at(-1) ?? ''))
    kinds.push((await runHearts({ seed: first + kinds.length, minutes: 2, plant })).failure?.kind);
  console.log(`${plant}: ${kinds.join(', ')}`);
  expect(kinds.at(-1)).toMatch(new RegExp(`^(${invariants})$`));
});
