/**
 * Every check and every test, in the order in which they tell most: types, lint, tests of each package, then the whole
 * program in a real browser. Ends with one line that counts the tests.
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

function ensureChromium(): void {
  if (existsSync(CHROMIUM)) return;
  process.stderr.write('orrery: installing chromium for the browser tests\n');
  spawnSync('apt-get', ['update', '-qq'], { stdio: ['ignore', 2, 2] });
  spawnSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'chromium'], {
    stdio: ['ignore', 2, 2],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  });
  if (existsSync(CHROMIUM)) return;
  process.stderr.write(`orrery: the browser tests need Chromium: install it, or name it in ORRERY_CHROMIUM (looked for ${CHROMIUM})\n`);
  process.exit(1);
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
const checked = step('checks', [process.execPath, join(repository, 'tools/check.ts')]);
const reports = ['unit', 'whole'].map(runTests);
const sum = (count: (report: TestReport) => number): number => reports.reduce((total, report) => total + count(report), 0);
const passed = sum((report) => report.numPassedTests);
const failed = sum((report) => report.numFailedTests);
const skipped = sum((report) => report.numPendingTests);
const green = checked && passed > 0 && failed === 0 && reports.every((report) => report.success);
if (!checked) process.stdout.write('the checks failed: see above\n');
process.stdout.write(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}\n`);
process.exit(green ? 0 : 1);
