/** Every experiment at its small dose. An experiment that cannot run on this machine is reported as skipped, with the reason. */
import { expect, test, type TestContext } from 'vitest';
import { littleTimePart } from '../../exchange/e2e/little-time.ts';
import type { Experiment } from './experiment.ts';
import { EXPERIMENTS as ALL } from './experiments/index.ts';
import { conduct } from './outcome.ts';

const SEED = Number(process.env['ORRERY_SEED'] ?? Date.now() % 1_000_000);

/** Where `npm test` is late, a part of them, by the seed: each machine has its turn with each. */
const isDrawn = (at: number): boolean => at % littleTimePart === SEED % littleTimePart;
const EXPERIMENTS = ALL.filter((_, at) => isDrawn(at));

for (const { id } of ALL.filter((_, at) => !isDrawn(at))) test.skip(`${id}: this machine is too slow for all of them`, () => undefined);

const titleOf = ({ id, title, mustHold }: Experiment): string => `${id} ${title}: ${mustHold} (seed ${SEED})`;

async function check(experiment: Experiment, { skip }: TestContext): Promise<void> {
  const { findings } = await conduct(experiment, { dose: 'small', seed: SEED, say: (line) => console.log(`${experiment.id} ${line}`) });
  if (findings.notRun !== undefined) skip(`not run: ${findings.notRun}`);
  expect(findings.violations).toEqual([]);
  expect(findings.trials).toBeGreaterThan(0);
}

for (const experiment of EXPERIMENTS.filter(({ waits }) => waits !== true)) {
  test(titleOf(experiment), (context) => check(experiment, context));
}

for (const experiment of EXPERIMENTS.filter(({ waits }) => waits === true)) {
  test.concurrent(titleOf(experiment), (context) => check(experiment, context));
}
