import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { repository } from '../step.ts';
import { physicalSides } from './logical-css.ts';

const paths = execFileSync('git', ['ls-files', '-co', '--exclude-standard', 'clients/terminal/src'], { cwd: repository, encoding: 'utf8' })
  .split('\n')
  .filter((path) => /\.(tsx?|css)$/.test(path));

test('no style of the terminal names a physical side', () => {
  expect(paths.length).toBeGreaterThan(100);
  expect(paths.flatMap((path) => physicalSides({ path, text: readFileSync(join(repository, path), 'utf8') }))).toEqual([]);
});

test.each([
  ['x.tsx', '<p className="max-tablet:-ml-2 grow" />'],
  ['x.tsx', 'const align = isEnd ? \'text-right\' : "";'],
  ['x.tsx', '<p className="[&>svg]:right-0.5" />'],
  ['x.tsx', '<p className="border-l-2" />'],
  ['x.tsx', '<p className="tablet:rounded-tl" />'],
  ['x.css', '.own {\n  left: 3px;\n}'],
  ['x.css', '.own {\n  padding-right: 3px;\n}'],
  ['x.css', '.own { text-align: left; }'],
])('a physical side is found in %s: %s', (file, text) => {
  expect(physicalSides({ path: `clients/terminal/src/kit/ui/${file}`, text })).toHaveLength(1);
});

test.each([
  ['x.tsx', '<p className="absolute left-1/2 -translate-x-1/2 border-line text-start ps-2" />'],
  ['x.tsx', "const words = 'the left-over of a right-click';"],
  ['x.css', '.bar { transform-origin: right; }'],
])('a logical side, a middle and a plain word are left alone in %s: %s', (file, text) => {
  expect(physicalSides({ path: `clients/terminal/src/kit/ui/${file}`, text })).toEqual([]);
});
