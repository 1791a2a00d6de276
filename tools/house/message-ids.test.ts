import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { repository } from '../step.ts';
import { unusedMessageIds } from './message-ids.ts';
import type { SourceFile } from './source-rules.ts';

const sources: readonly SourceFile[] = execFileSync('git', ['ls-files', '-co', '--exclude-standard', 'clients/terminal/src'], {
  cwd: repository,
  encoding: 'utf8',
})
  .split('\n')
  .filter((path) => /\.tsx?$/.test(path))
  .map((path) => ({ path, text: readFileSync(join(repository, path), 'utf8') }));

test('the terminal shows every message of its catalogue somewhere', () => {
  expect(unusedMessageIds(sources)).toEqual([]);
});

test('an id that no source names is found; one that is named whole or by a template is not', () => {
  const catalogue = {
    path: 'clients/terminal/src/kit/i18n/messages/en/x.ts',
    text: "{\n  'a.one': '1',\n  'a.two.end': '2',\n  'a.lost': '3',\n}",
  };
  const code = { path: 'clients/terminal/src/x.tsx', text: "text('a.one'); text(`a.${name}.end`);" };
  expect(unusedMessageIds([catalogue, code])).toEqual(['a.lost']);
});
