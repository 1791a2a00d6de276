/**
 * Every check and every test, in the order in which they tell most: types, lint, tests of each package, then the whole
 * program in a real browser, and the experiments. Ends with one line that counts the tests.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { repository, step } from './step.ts';

interface TestReport {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly success: boolean;
}

const CHROMIUM = process.env['ORRERY_CHROMIUM'] ?? '/usr/bin/chromium';

/** Debian's, where we may install it. */
function install(name: string, purpose: string): void {
  process.stderr.write(`orrery: installing ${name} for ${purpose}\n`);
  spawnSync('apt-get', ['update', '-qq'], { stdio: ['ignore', 2, 2] });
  spawnSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', name], {
    stdio: ['ignore', 2, 2],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  });
}

function ensureChromium(): void {
  if (existsSync(CHROMIUM)) return;
  install('chromium', 'the browser tests');
  if (existsSync(CHROMIUM)) return;
  process.stderr.write(`orrery: the browser tests need Chromium: install it, or name it in ORRERY_CHROMIUM (looked for ${CHROMIUM})\n`);
  process.exit(1);
}

/** Without it the experiments that need it are counted as skipped, each with the reason. */
function ensureStrace(): void {
  const isThere = (): boolean => spawnSync('strace', ['-V']).error === undefined;
  if (isThere()) return;
  install('strace', 'the experiments');
  if (!isThere()) process.stderr.write('orrery: there is no strace: the experiments with failing and slow disks are not run\n');
}

function runTests(project: string): TestReport {
  const report = join(repository, '.cache', `${project}.report.json`);
  mkdirSync(join(repository, '.cache'), { recursive: true });
  rmSync(report, { force: true });
  const vitest = join(repository, 'node_modules/vitest/vitest.mjs');
  spawnSync(
    process.execPath,
    [vitest, 'run', '--project', project, '--reporter=default', '--reporter=json', `--outputFile.json=${report}`, ...process.argv.slice(2)],
    { cwd: repository, stdio: ['ignore', 'inherit', 'inherit'], env: { ...process.env, ORRERY_CHROMIUM: CHROMIUM } },
  );
  if (!existsSync(report)) return { numPassedTests: 0, numFailedTests: 1, numPendingTests: 0, success: false };
  return JSON.parse(readFileSync(report, 'utf8')) as TestReport;
}

ensureChromium();
ensureStrace();
const checked = step('checks', [process.execPath, join(repository, 'tools/check.ts')]);
const reports = ['unit', 'browser', 'whole'].map(runTests);
const sum = (count: (report: TestReport) => number): number => reports.reduce((total, report) => total + count(report), 0);
const passed = sum((report) => report.numPassedTests);
const failed = sum((report) => report.numFailedTests);
const skipped = sum((report) => report.numPendingTests);
const green = checked && passed > 0 && failed === 0 && reports.every((report) => report.success);
if (!checked) process.stdout.write('the checks failed: see above\n');
process.stdout.write(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}\n`);
process.exit(green ? 0 : 1);
