import { spawnSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { chosen, positiveNumber, wholeNumber } from './asked.ts';
import { repository } from './step.ts';

const spawned = (command: string): { status: number | null; said: string; output: string } => {
  const { status, stderr, stdout } = spawnSync(process.execPath, command.split(' '), { cwd: repository, encoding: 'utf8' });
  return { status, said: stderr, output: stdout };
};

describe('a command with wrong arguments prints the reason and its usage, and runs nothing', () => {
  test.each([
    ['simulator/src/main.ts --seed x', '--seed is a whole number of at least 0, not "x"'],
    ['simulator/src/main.ts --seeds 9..3', '--seeds is a whole number of at least 9, not "3"'],
    ['simulator/src/main.ts --hours 0', '--hours is a number above zero, not "0"'],
    ['torture/src/main.ts --only E3,E99', '--only: there is no E99; there are E1, '],
    ['torture/src/main.ts --sed 7', "Unknown option '--sed'"],
    ['bench/src/main.ts --only engin', '--only: there is no engin; there are book, '],
    ['bench/src/capacity/main.ts --only accounts', '--only: there is no accounts; there are heart-account, '],
    ['tools/mutate.ts core/none.ts', 'there is no core/none.ts'],
  ])('%s', (command, why) => {
    const { status, said, output } = spawned(command);
    expect(said).toContain(why);
    expect(said).toContain('npm run');
    expect(said).not.toContain('    at ');
    expect([status, output]).toEqual([2, '']);
  });

  test('--help prints the usage', () => {
    expect(spawned('torture/src/main.ts --help')).toMatchObject({
      status: 0,
      said: '',
      output: expect.stringContaining('npm run torture'),
    });
  });
});

test.each(['', '-1', '1.5', '01', '1e3', ' 1', '1000000000000000'])('%j is no whole number', (text) => {
  expect(() => wholeNumber('--n', text)).toThrow('--n is a whole number');
});

test('whole numbers from the least one on', () => {
  expect(wholeNumber('--n', '0')).toBe(0);
  expect(wholeNumber('--n', '999999999999999')).toBe(999_999_999_999_999);
  expect(wholeNumber('--n', '3', { least: 3 })).toBe(3);
  expect(() => wholeNumber('--n', '2', { least: 3 })).toThrow('at least 3');
});

test.each(['0', '0.0', '-1', 'x', '', '.5', 'Infinity'])('%j is no positive number', (text) => {
  expect(() => positiveNumber('--n', text)).toThrow('--n is a number above zero');
});

test('a positive number may have a fraction', () => {
  expect(positiveNumber('--n', '0.25')).toBe(0.25);
});

test('what is chosen is among what there is; nothing said is everything', () => {
  expect(chosen('--only', undefined, ['a', 'b'])).toEqual(['a', 'b']);
  expect(chosen('--only', 'b', ['a', 'b'])).toEqual(['b']);
  expect(() => chosen('--only', 'b,c', ['a', 'b'])).toThrow('--only: there is no c; there are a, b');
});
