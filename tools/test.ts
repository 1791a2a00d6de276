/**
 * Every check and every test, the most informative first: types, lint, tests of each package, then the whole
 * program in a real browser, and the experiments. Ends with what failed, and one line that counts the tests.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { repository, step } from './step.ts';

/** What we read of the report that Vitest writes for a project. */
interface TestReport {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly success: boolean;
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly message: string;
    readonly assertionResults: readonly {
      readonly fullName: string;
      readonly status: string;
      readonly failureMessages: readonly string[];
    }[];
  }[];
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

interface Program {
  readonly name: string;
  readonly packageName: string;
  /** In the package. */
  readonly path: string;
  /** The setting that names it. */
  readonly variable: string;
  readonly purpose: string;
}

const PROMTOOL: Program = {
  name: 'promtool',
  packageName: 'prometheus',
  path: 'usr/bin/promtool',
  variable: 'ORRERY_PROMTOOL',
  purpose: 'the alert rules',
};
const NATS_SERVER: Program = {
  name: 'nats-server',
  packageName: 'nats-server',
  path: 'usr/sbin/nats-server',
  variable: 'ORRERY_NATS_SERVER',
  purpose: 'hearts in other processes',
};

/** Without them the test of the image is counted as skipped, with the reason. */
function ensureContainers(): void {
  const missing = ['podman', 'buildah', 'runc', 'mmdebstrap'].filter((name) => spawnSync(name, ['--version']).error !== undefined);
  for (const name of missing) install(name, 'the test of the image');
}

/**
 * The program, taken out of its package, which would start a server where it is installed. Without it the tests that need it are counted as skipped.
 * @returns the setting that names it
 */
function findProgram({ name, packageName, path, variable, purpose }: Program): Readonly<Record<string, string>> {
  const unpacked = join(repository, '.cache', packageName);
  const candidates = [process.env[variable] ?? name, join(unpacked, path)];
  const found = (): string | undefined => candidates.find((one) => spawnSync(one, ['--version']).error === undefined);
  if (found() === undefined) {
    process.stderr.write(`orrery: fetching ${packageName} for ${purpose}\n`);
    mkdirSync(unpacked, { recursive: true });
    const run = (command: string, ...args: readonly string[]) => spawnSync(command, args, { cwd: unpacked, stdio: ['ignore', 2, 2] });
    run('apt-get', 'update', '-qq');
    run('apt-get', 'download', '-qq', packageName);
    for (const file of readdirSync(unpacked)) if (file.endsWith('.deb')) run('dpkg', '-x', file, '.');
  }
  const program = found();
  if (program === undefined) process.stderr.write(`orrery: there is no ${name}: ${purpose} are not tried\n`);
  return program === undefined ? {} : { [variable]: program };
}

/** Milliseconds from the start of this process: a test runner that has not ended by then hangs, and is ended. Half of that is usual. */
const DEADLINE = 87 * 60_000;

/** Milliseconds that the checks take on a machine that is slow. */
const SLOW_CHECKS = 3 * 60_000;
/** Milliseconds by which the unit tests have ended where there is time for every experiment; later, a part of them and all the rest still end in time. */
const SLOW_UNIT = 16 * 60_000;
/** On such a machine less is drawn at random, so that every test that is not drawn has its time. What is left out is counted as skipped. */
const FEWER_COMMANDS = { ORRERY_COMMANDS: '100000', ORRERY_REQUESTS: '5000' };
const fewerExperiments = (part: number): Readonly<Record<string, string>> => ({ ORRERY_LITTLE_TIME: String(part) });
/** By then half of the time is over, and a sixth of the experiments is what is left for them. */
const VERY_SLOW_UNIT = 24 * 60_000;

/** A third of what a whole program and its browser do in a test is to wait: with one file more than processors nobody waits for long. With four, no more end in the same time. */
const FILES_AT_ONCE = ['--maxWorkers=3'];

/** @param flags of the test runner */
function runTests(projects: readonly string[], env: Readonly<Record<string, string>>, flags: readonly string[] = []): TestReport {
  const report = join(repository, '.cache', `${projects.join('-')}.report.json`);
  mkdirSync(join(repository, '.cache'), { recursive: true });
  rmSync(report, { force: true });
  const vitest = join(repository, 'node_modules/vitest/vitest.mjs');
  const done = spawnSync(
    process.execPath,
    [
      vitest,
      'run',
      ...projects.flatMap((project) => ['--project', project]),
      '--reporter=default',
      '--reporter=json',
      `--reporter=${join(repository, 'tools/running-files.ts')}`,
      `--reporter=${join(repository, 'tools/printed-seeds.ts')}`,
      `--outputFile.json=${report}`,
      ...flags,
      ...process.argv.slice(2),
    ],
    {
      cwd: repository,
      stdio: ['ignore', 'inherit', 'inherit'],
      env: { ...env, ...process.env, ORRERY_CHROMIUM: CHROMIUM, ...programs },
      timeout: Math.max(60_000, Math.ceil(DEADLINE - performance.now())),
      killSignal: 'SIGKILL',
    },
  );
  if (done.signal !== null)
    process.stderr.write(`orrery: the tests of ${projects.join(' and ')} were ended by ${done.signal}: see above what was still running
`);
  if (!existsSync(report)) return { numPassedTests: 0, numFailedTests: 1, numPendingTests: 0, success: false, testResults: [] };
  return JSON.parse(readFileSync(report, 'utf8')) as TestReport;
}

/** Without the ways through the test runner. */
const ownLines = (messages: readonly string[]): string =>
  messages
    .flatMap((message) => message.split('\n'))
    .filter((line) => !line.includes('/node_modules/'))
    .join('\n');

/** Every test that failed, and every file that could not be run, with the beginning of what it said: a log is read from its end. */
function failuresOf({ testResults }: TestReport): string[] {
  return testResults.flatMap(({ name, status, message, assertionResults }) => {
    const file = relative(repository, name);
    const tests = assertionResults
      .filter((test) => test.status === 'failed')
      .map((test) => `FAILED ${file} > ${test.fullName}\n${ownLines(test.failureMessages).slice(0, 1_500)}\n`);
    return tests.length === 0 && status === 'failed' ? [`FAILED ${file}\n${message.slice(0, 1_500)}\n`] : tests;
  });
}

ensureChromium();
ensureStrace();
const programs = { ...findProgram(PROMTOOL), ...findProgram(NATS_SERVER) };
ensureContainers();
const checksFrom = performance.now();
const checked = step('checks', [process.execPath, join(repository, 'tools/check.ts')]);
const unit = runTests(['unit'], performance.now() - checksFrom > SLOW_CHECKS ? FEWER_COMMANDS : {});
const isLate = performance.now() > SLOW_UNIT;
const part = performance.now() > VERY_SLOW_UNIT ? 6 : 3;
if (isLate)
  process.stderr.write(
    `orrery: this machine is slow: one of ${part} experiments and fewer kills are drawn, the image is not built, and no year is projected\n`,
  );
const reports = [unit, runTests(['browser', 'whole'], isLate ? fewerExperiments(part) : {}, FILES_AT_ONCE)];
const sum = (count: (report: TestReport) => number): number => reports.reduce((total, report) => total + count(report), 0);
const passed = sum((report) => report.numPassedTests);
const failed = sum((report) => report.numFailedTests);
const skipped = sum((report) => report.numPendingTests);
const green = checked && passed > 0 && failed === 0 && reports.every((report) => report.success);
process.stdout.write(reports.flatMap(failuresOf).join('\n'));
if (!checked) process.stdout.write('the checks failed: see above\n');
process.stdout.write(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}\n`);
process.exit(green ? 0 : 1);
