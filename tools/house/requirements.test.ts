import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { repository } from '../step.ts';

const read = (path: string): string => readFileSync(join(repository, path), 'utf8');
const tests = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '*.test.ts', '*.test.tsx', '*.e2e.ts'], {
  cwd: repository,
  encoding: 'utf8',
})
  .trim()
  .split('\n');

/** The numbers of a title: of requirements in brackets, of invariants before a colon. */
interface Numbers {
  readonly requirements: readonly string[];
  readonly invariants: readonly string[];
}

const LIST = '[A-Z]\\d+(?:, [A-Z]\\d+)*';
const TITLE = new RegExp(`['"\`](?:\\[(${LIST})\\] )?(?:(${LIST}): )?`, 'g');

function numbersOf(source: string): Numbers {
  const titles = [...source.matchAll(TITLE)];
  const all = (place: number) => titles.flatMap((title) => title[place]?.split(', ') ?? []);
  return { requirements: all(1), invariants: all(2) };
}

/** The rows of both tables, and whether a requirement is built. */
function tablesOf(page: string) {
  const [before = '', after = ''] = page.split('\n## Invariants\n');
  const requirements = new Map(
    [...before.matchAll(/^\| ([A-Z]\d+) \| .+ \| (yes|no) \|$/gm)].map(([, number = '', built]) => [number, built === 'yes']),
  );
  const invariants = new Set([...after.matchAll(/^\| ([A-Z]\d+) \| /gm)].map(([, number = '']) => number));
  return { requirements, invariants };
}

/** A sentence for each number without a row, and for each requirement that is built and named by no test. */
function faultsOf(page: string, { requirements, invariants }: Numbers): readonly string[] {
  const tables = tablesOf(page);
  return [
    ...requirements.filter((number) => !tables.requirements.has(number)).map((number) => `[${number}] is no requirement`),
    ...invariants.filter((number) => !tables.invariants.has(number)).map((number) => `${number} is no invariant`),
    ...[...tables.requirements]
      .filter(([number, built]) => built && !requirements.includes(number))
      .map(([number]) => `no test names [${number}]`),
  ];
}

test('every number in a title stands in docs/requirements.md, and a test names every requirement that is built', () => {
  const page = read('docs/requirements.md');
  const { requirements, invariants } = numbersOf(tests.map(read).join('\n'));
  expect(invariants.length).toBeGreaterThan(100);
  expect(faultsOf(page, { requirements, invariants })).toEqual([]);
});

test('a number without a row, and a requirement without a test, are found', () => {
  const page = ['| A1 | logs in | yes |', '| A2 | logs out | yes |', '| A3 | OTC | no |', '', '## Invariants', '| M1 | sums |'].join('\n');
  const source = ["test('[A1, A9] M1: of both')", "test('M2, A1: of none')"].join('\n');
  expect(faultsOf(page, numbersOf(source))).toEqual([
    '[A9] is no requirement',
    'M2 is no invariant',
    'A1 is no invariant',
    'no test names [A2]',
  ]);
});
