/** Every experiment at its small dose. What can not be done on this machine is told as skipped, with the reason. */
import { expect, test } from 'vitest';
import { EXPERIMENTS } from './experiments/index.ts';
import { conduct } from './outcome.ts';

const SEED = Number(process.env['ORRERY_SEED'] ?? Date.now() % 1_000_000);

for (const experiment of EXPERIMENTS) {
  test(`${experiment.id} ${experiment.title}: ${experiment.mustHold} (seed ${SEED})`, async ({ skip }) => {
    const { findings } = await conduct(experiment, { dose: 'small', seed: SEED, say: (line) => console.log(`${experiment.id} ${line}`) });
    if (findings.notRun !== undefined) skip(`not run: ${findings.notRun}`);
    expect(findings.violations).toEqual([]);
    expect(findings.trials).toBeGreaterThan(0);
  });
}
