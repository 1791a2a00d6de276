import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { repository } from '../step.ts';
import { controlViolations } from './controls.ts';
import type { SourceFile } from './source-rules.ts';

const REASONS: Readonly<Record<string, string>> = {
  'pager.tsx': 'its value is two props, as the address has them: the page, and how many rows it has',
};

const sources: readonly SourceFile[] = execFileSync('git', ['ls-files', '-co', '--exclude-standard', 'clients/terminal/src/kit/ui'], {
  cwd: repository,
  encoding: 'utf8',
})
  .split('\n')
  .filter((path) => path.endsWith('.tsx'))
  .map((path) => ({ path, text: readFileSync(join(repository, path), 'utf8') }));

test('every control of the kit takes value and onChange(value)', () => {
  expect(controlViolations(sources, REASONS)).toEqual([]);
});

const part = (text: string, path = 'rating.tsx'): SourceFile => ({ path: `clients/terminal/src/kit/ui/${path}`, text });
const props = (body: string, from = ''): string => `export interface RatingProps ${from}{\n${body}\n}\n`;

test.each([
  ["import { Switch as Radix } from 'radix-ui';\n"],
  ['<input type="range" />'],
  ['<textarea rows={2} />'],
  ['<button role="radio" />'],
  ['<Radix.CheckboxItem />'],
])('what sets a value without the protocol is found: %s', (text) => {
  expect(controlViolations([part(text)], {})).toEqual(['rating.tsx sets a value, and its props extend no Control of control.ts']);
  expect(controlViolations([part(`${text}\n${props('  readonly label: string;', 'extends FormControl<number> ')}`)], {})).toEqual([]);
  expect(controlViolations([part(text)], { 'rating.tsx': 'it sets nothing' })).toEqual([]);
});

test.each([
  ['checked', '  readonly checked: boolean;'],
  ['onChange', '  readonly value: string;\n  readonly onChange: (event: ChangeEvent) => void;'],
  ['onValueChange', '  readonly onValueChange?: (value: string) => void;'],
  ['onPick', '  readonly onPick: (value: string) => void;'],
])('a prop of another name is found: %s', (name, body) => {
  expect(controlViolations([part(props(body, 'extends Control<string> '))], {})).toEqual([
    `rating.tsx RatingProps has ${name}: a control takes value and onChange(value), from Control of control.ts`,
  ]);
});

test('what is no control, and a reason that nothing needs', () => {
  const menu = part(props('  readonly onSelect: () => void;'), 'menu.tsx');
  expect(controlViolations([menu, part('<input />', 'menu.test.tsx')], { 'menu.tsx': 'an action' })).toEqual([
    'menu.tsx has a reason to be no control, and needs none',
  ]);
});
