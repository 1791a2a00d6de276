/**
 * `npm run mutate`: would a test notice if a line of the core were wrong? Stryker changes one place after the other in a copy of the core, in
 * `.cache/mutation`, and runs the tests that reach it; the tree itself is never touched. Ends with the score of each file.
 * `npm run mutate -- core/engine/src/book/book.ts` mutates these files only; `ORRERY_COMMANDS` is the length of the random runs,
 * `ORRERY_TESTS` a pattern of the tests that are run in place of all.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { asked } from './asked.ts';
import { repository } from './step.ts';

const workspace = join(repository, '.cache/mutation');
/** Whose run it is: another one at the same time would change the files under its hands. */
const RUNNING = join(workspace, 'running.pid');
const LOCK = 'package-lock.json';
const WORKSPACE_FILES = ['package.json', LOCK, 'stryker.config.json', 'vitest.config.ts'];
const COPIED = ['core', 'tsconfig.base.json'];
const MUTATED = ['core/rules/src/**/*.ts', 'core/engine/src/{ledger,money,orders,book}/**/*.ts'];
const NEVER = ['!**/*.test.ts', '!**/testing/**'];
/** Short, for they run again and again, and always the same. */
const DOSE = { ORRERY_COMMANDS: '6000', ORRERY_SEED: '1' };

function run(command: string, args: readonly string[], env: Readonly<Record<string, string>> = {}): number {
  return spawnSync(command, args, { cwd: workspace, stdio: 'inherit', env: { ...env, ...process.env } }).status ?? 1;
}

function contentOf(path: string): string | undefined {
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}

/** @returns false when the packages could not be installed. */
function prepare(): boolean {
  const source = join(repository, 'tools/mutation');
  const isInstalled = existsSync(join(workspace, 'node_modules')) && contentOf(join(workspace, LOCK)) === contentOf(join(source, LOCK));
  rmSync(join(workspace, 'core'), { recursive: true, force: true });
  for (const path of COPIED) cpSync(join(repository, path), join(workspace, path), { recursive: true });
  if (!isInstalled) {
    for (const file of WORKSPACE_FILES) rmSync(join(workspace, file), { force: true });
    cpSync(join(source, 'package.json'), join(workspace, 'package.json'));
    cpSync(join(source, LOCK), join(workspace, LOCK));
    if (run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']) !== 0) {
      rmSync(join(workspace, LOCK), { force: true });
      return false;
    }
  }
  for (const file of WORKSPACE_FILES) cpSync(join(source, file), join(workspace, file));
  return true;
}

const USAGE = `npm run mutate [-- FILE FILE...], each file below core; ORRERY_TESTS and ORRERY_COMMANDS as in docs/mutation.md`;

const files = asked(USAGE, () => {
  const { positionals } = parseArgs({ allowPositionals: true });
  const missing = positionals.filter((path) => !existsSync(join(repository, path)));
  if (missing.length > 0) throw new RangeError(`there is no ${missing.join(', ')}`);
  const other = running();
  if (other !== undefined) throw new Error(`process ${other} is at it`);
  return positionals;
});

/** The process that runs in the workspace now. */
function running(): number | undefined {
  const pid = Number(contentOf(RUNNING) ?? process.pid);
  if (pid === process.pid) return undefined;
  try {
    process.kill(pid, 0);
    return pid;
  } catch {
    return undefined;
  }
}

mkdirSync(workspace, { recursive: true });
writeFileSync(RUNNING, String(process.pid));
if (!prepare()) {
  process.stderr.write('orrery: the packages of the mutation run could not be installed: see the lines above\n');
  process.exit(1);
}
const mutated = [...(files.length > 0 ? files : MUTATED), ...NEVER].join(',');
const stryker = join(workspace, 'node_modules/@stryker-mutator/core/bin/stryker.js');
process.exit(run(process.execPath, [stryker, 'run', '--mutate', mutated], DOSE));
