import { join } from 'node:path';
import { expect, test } from 'vitest';
import PrintedSeeds, { seedsIn } from './printed-seeds.ts';
import { repository } from './step.ts';

test.each([
  ['ORRERY_SEED=42\n', ['ORRERY_SEED=42']],
  ['book pair: seed 7 (set ORRERY_SEED to repeat)\nround 1 of 9\n', ['book pair: seed 7 (set ORRERY_SEED to repeat)']],
  ['18 files, 3 seeds, 2 h\n', ['18 files, 3 seeds, 2 h']],
  ['it proceeds, seedless\n', []],
])('of %j the seeds are %j', (printed, seeds) => {
  expect(seedsIn(printed)).toEqual(seeds);
});

test('a seed is named with the test that passed, once its file has ended; of a test that failed the runner shows all', () => {
  const lines: string[] = [];
  const reporter = new PrintedSeeds({ write: (line) => lines.push(line) });
  const file = {
    id: 'file',
    moduleId: join(repository, 'core/dice.test.ts'),
    children: { allTests: (state: 'passed') => [{ id: state, fullName: 'dice > are fair' }] },
  };
  reporter.onUserConsoleLog({ content: 'seed 1\nthe rest\n', taskId: 'passed' });
  reporter.onUserConsoleLog({ content: 'seed 2\nseed 3\nseed 4\nseed 5\n', taskId: 'passed' });
  reporter.onUserConsoleLog({ content: 'seed 6\n', taskId: 'failed' });
  expect(lines).toEqual([]);
  reporter.onTestModuleEnd(file);
  expect(lines).toEqual([
    'orrery: core/dice.test.ts > dice > are fair: seed 1\n',
    'orrery: core/dice.test.ts > dice > are fair: seed 2\n',
    'orrery: core/dice.test.ts > dice > are fair: seed 3\n',
    'orrery: core/dice.test.ts > dice > are fair: and 2 lines more\n',
  ]);
  reporter.onTestModuleEnd(file);
  expect(lines).toHaveLength(4);
});
