import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { checkSettings } from './check-settings.ts';

const folder = mkdtempSync(join(tmpdir(), 'orrery-check-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const KEY = `0x${'ab'.repeat(32)}`;
const path = join(folder, 'orrery.config.json');
writeFileSync(join(folder, 'key'), KEY);
writeFileSync(path, JSON.stringify({ luckyAt: '0 13 * * *', operatorKeyFile: join(folder, 'key'), fees: { makerPpm: 0, takerPpm: 5 } }));

/** Name, value and source of each line, which two blanks or more separate. */
const rows = (lines: readonly string[]): Readonly<Record<string, readonly string[]>> =>
  Object.fromEntries(lines.map((line) => line.split(/ {2,}/)).map(([name = '', ...rest]) => [name, rest]));

test('each setting is shown with its value in force and where it comes from; a secret is only set', () => {
  const env = { ORRERY_CONFIG: path, ORRERY_ENV: 'preview', ORRERY_DATABASE_URL: 'postgres://a:hidden-word@b/c' };
  const { isUsable, lines, hints } = checkSettings(env);
  expect({ isUsable, hints }).toEqual({ isUsable: true, hints: [] });
  expect(rows(lines)).toMatchObject({
    ORRERY_PORT: ['8080', 'default'],
    ORRERY_ENV: ['preview', 'environment'],
    ORRERY_LUCKY_AT: ['0 13 * * *', `luckyAt in ${path}`],
    ORRERY_OPERATOR_KEY: ['set', `file ${join(folder, 'key')}`],
    ORRERY_DATABASE_URL: ['set', 'environment'],
    ORRERY_RPC_URL: ['embedded chain', 'default'],
    // What depends on others is shown as it was decided.
    ORRERY_TIMELOCK_SECONDS: ['86400', 'default'],
    ORRERY_SANDBOX: ['off', 'default'],
    fees: ['{"makerPpm":0,"takerPpm":5}', `fees in ${path}`],
    markets: ["the program's", 'default'],
  });
  expect(lines.join('\n')).not.toMatch(/hidden-word|abab/);
});

test('a variable that nothing reads is listed with the setting that it may mean', () => {
  expect(checkSettings({ ORRERY_PRT: '1', ORRERY_PORT_FILE: 'x', OTHER: '' }).hints).toEqual([
    'ORRERY_PRT is no setting: the nearest is ORRERY_PORT',
    'ORRERY_PORT_FILE is no setting: the nearest is ORRERY_PORT',
  ]);
});

describe('the program', () => {
  async function run(argument: string, env: Readonly<Record<string, string>>) {
    const data = join(folder, 'data');
    const program = spawn(process.execPath, [join(import.meta.dirname, 'main.ts'), argument], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { PATH: process.env['PATH'], ORRERY_DATA: data, ...env },
    });
    const output = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr'] as const) program[name].on('data', (bytes: Buffer) => (output[name] += bytes.toString()));
    const code = await new Promise((resolve) => program.on('close', resolve));
    return { code, ...output, isDataThere: existsSync(data) };
  }

  test('with --check prints what is in force, ends with 0, and leaves nothing behind', async () => {
    const before = readdirSync(folder);
    const { code, stdout, stderr, isDataThere } = await run('--check', { ORRERY_CONFIG: path, ORRERY_PORT: '0' });
    expect({ code, stderr, isDataThere }).toEqual({ code: 0, stderr: '', isDataThere: false });
    expect(rows(stdout.split('\n'))).toMatchObject({ ORRERY_PORT: ['0', 'environment'], ORRERY_OPERATOR_KEY: ['set', expect.any(String)] });
    expect(stdout).not.toContain('Orrery is ready');
    expect(readdirSync(folder)).toEqual(before);
  }, 60_000);

  test.each([
    [
      '--check',
      'orrery: ORRERY_PORT must be a whole number from 0 to 65535, not "x"\norrery: ORRERY_LOG must be one of warn, info, debug, trace, error, silent, not "loud"\n',
    ],
    ['--chek', 'orrery: --chek is no argument: there is only --check, which shows the settings and starts nothing\n'],
  ])(
    'with %s and what can not be used ends with 1, each in a sentence',
    async (argument, sentences) => {
      expect(await run(argument, { ORRERY_PORT: 'x', ORRERY_LOG: 'loud' })).toEqual({
        code: 1,
        stdout: '',
        stderr: sentences,
        isDataThere: false,
      });
    },
    60_000,
  );
});
