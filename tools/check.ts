/** The checks that need no test runner: types, lint, format, unused code, and the house rules. Each runs even if one before it failed. */
import { join } from 'node:path';
import { repository, step } from './step.ts';

const tool = (path: string): string => join(repository, 'node_modules', path);

const results = [
  step('types', [tool('.bin/tsc'), '-b']),
  step('lint', [tool('.bin/oxlint'), '--deny-warnings']),
  step('format', [tool('.bin/oxfmt'), '--check', '.']),
  step('unused code', [tool('.bin/knip'), '--no-config-hints']),
];
process.exit(results.every(Boolean) ? 0 : 1);
