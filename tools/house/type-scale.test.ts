import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { repository } from '../step.ts';
import { strayTypeSizes } from './type-scale.ts';

const paths = execFileSync('git', ['ls-files', '-co', '--exclude-standard', 'clients/terminal/src'], { cwd: repository, encoding: 'utf8' })
  .split('\n')
  .filter((path) => /\.(tsx?|css)$/.test(path));

test('every size of type in the terminal is of the scale', () => {
  expect(paths.length).toBeGreaterThan(100);
  expect(paths.flatMap((path) => strayTypeSizes({ path, text: readFileSync(join(repository, path), 'utf8') }))).toEqual([]);
});

test.each([
  ['x.tsx', '<p className="grow text-[10.5px]" />'],
  ['x.tsx', '<p className="tablet:text-[0.92em] grow" />'],
  ['x.tsx', '<p className="text-xs" />'],
  ['x.tsx', "const look = 'text-3xl font-semibold';"],
  ['x.css', '.own { font-size: 11px; }'],
  ['x.css', '.own {\n  font-size: 0.9em;\n}'],
])('a size of its own is found in %s: %s', (file, text) => {
  expect(strayTypeSizes({ path: `clients/terminal/src/kit/ui/${file}`, text })).toHaveLength(1);
});

test.each([
  ['x.tsx', '<p className="text-sm text-[var(--up)] text-fg2 max-w-[64ch]" />'],
  ['x.css', '.own { font-size: var(--type-sm); }'],
  ['x.test.ts', "expect(found).toContain('text-xs');"],
])('a step of the scale and a colour are left alone in %s: %s', (file, text) => {
  expect(strayTypeSizes({ path: `clients/terminal/src/kit/ui/${file}`, text })).toEqual([]);
});
