import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { repository } from '../step.ts';

const paths = new Set(execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { cwd: repository, encoding: 'utf8' }).split('\n'));
const read = (path: string): string => readFileSync(join(repository, path), 'utf8');

/** What a table of features names as its proof: a file, and the words of a title in it. */
interface Proof {
  readonly path: string;
  readonly words: string | undefined;
}

const proofsOf = (cell: string): readonly Proof[] =>
  [...cell.matchAll(/`([^`]+\.(?:tsx?|css|md|png))`(?:: ([^;`|]+))?/g)].map(([, file = '', words]) => ({
    path: file.includes('/') ? file : `exchange/e2e/${file}`,
    words: file.endsWith('.test.ts') || file.endsWith('.e2e.ts') ? words?.trim() : undefined,
  }));

/** A sentence for each feature that is said to be there and names no test with words of it. */
function unshown(page: string): readonly string[] {
  const rows = page.split('\n').flatMap((line) => /^\| (.+) \| (?:must|should|could|must, should) \| yes \| (.+) \|$/.exec(line) ?? []);
  return rows.flatMap((cell, place) =>
    place % 3 !== 2 || proofsOf(cell).some(({ words }) => words !== undefined) ? [] : [`${rows[place - 1]} names no test with its words`],
  );
}

/** A sentence for each proof that is not there. */
function missingProofs(page: string): readonly string[] {
  return proofsOf(page).flatMap(({ path, words }) => {
    if (!paths.has(path)) return [`${path} is not there`];
    return words === undefined || read(path).includes(words) ? [] : [`${path} has no words "${words}"`];
  });
}

test('each feature of docs/terminal.md is shown by a test or a picture that is there', () => {
  const page = read('docs/terminal.md');
  expect(proofsOf(page).length).toBeGreaterThan(40);
  expect(missingProofs(page)).toEqual([]);
  expect(unshown(page)).toEqual([]);
});

test('a proof without its file or without its words is found', () => {
  expect(missingProofs('| x | `nowhere.e2e.ts` | `keyboard.e2e.ts`: no such words |')).toEqual([
    'exchange/e2e/nowhere.e2e.ts is not there',
    'exchange/e2e/keyboard.e2e.ts has no words "no such words"',
  ]);
  expect(unshown('| Candles | must | yes | `keyboard.e2e.ts`, `docs/images/trade-390.png`: shown |\n| Tape | should | no | |')).toEqual([
    'Candles names no test with its words',
  ]);
});
