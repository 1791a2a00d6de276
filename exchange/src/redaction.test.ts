/** Every secret is set to a canary, what depends on it fails, and the canary is looked for in all that is written. */
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPublicClient, http } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Pool } from 'pg';
import { Closing } from './closing.ts';
import { readConfig } from './config.ts';
import { openLog } from './log.ts';
import { redactor } from './redaction.ts';
import { SECRET_NAMES } from './settings.ts';
import { troubleOf } from './surroundings.ts';

const CANARY = 'canary0123456789';
const KEY = `0x${'c0ffee'.repeat(10)}c0fe`;
/** Port 9 takes nothing. */
const NOWHERE = '127.0.0.1:9';
const CANARIES: Readonly<Record<string, string>> = {
  ORRERY_JOURNAL: `postgres://orrery:${CANARY}@${NOWHERE},${NOWHERE}/journal`,
  ORRERY_DATABASE_URL: `postgres://orrery:${CANARY}@${NOWHERE}/orrery`,
  ORRERY_EVENTS: `nats://orrery:${CANARY}@${NOWHERE}`,
  ORRERY_RPC_URL: `http://${NOWHERE}/v2/${CANARY}`,
  ORRERY_OPERATOR_KEY: KEY,
  ORRERY_DEPLOYER_KEY: KEY,
  ORRERY_TRACES: `http://orrery:${CANARY}@${NOWHERE}`,
  ORRERY_PRICE_FEEDS: `bybit=wss://${NOWHERE}/feed?token=${CANARY}`,
  ORRERY_CONSOLE_CODE: CANARY,
  ORRERY_FILES_URL: `http://access:${CANARY}@${NOWHERE}/bucket`,
  ORRERY_SMTP_URL: `smtp://orrery:${CANARY}@${NOWHERE}`,
  ORRERY_SMS_URL: `http://${NOWHERE}/send/${CANARY}`,
  ORRERY_SMS_TOKEN: CANARY,
  ORRERY_GEETEST_KEY: CANARY,
};
const SPELLINGS: readonly (readonly [string, (text: string) => string])[] = [
  ['as it is', (text) => text],
  ['in an address', (text) => encodeURIComponent(text)],
  ['in JSON', (text) => JSON.stringify({ text })],
  ['in the message of an error', (text) => String(new Error(`HTTP request failed. URL: ${text}`))],
  ['in its middle', (text) => `POST ${text}/more?than=that`],
];

test('every secret has its canary here', () => {
  expect(Object.keys(CANARIES).toSorted()).toEqual([...SECRET_NAMES].toSorted());
});

test.each(Object.entries(CANARIES))('%s is in nothing that is written, in whatever spelling', (_name, value) => {
  const redact = redactor([value]);
  for (const [how, spelt] of SPELLINGS) {
    const shown = redact(spelt(value));
    for (const secret of [CANARY, KEY]) expect(shown, how).not.toContain(secret);
  }
});

test('ordinary text stays as it is: short words and hosts are not secret', () => {
  const redact = redactor([...Object.values(CANARIES), 'ab', '']);
  const text = `the database orrery at ${NOWHERE} does not answer, bucket /feed bybit access`;
  expect(redact(text)).toBe(text);
});

test('a secret with letters that an address or JSON writes otherwise is found in each', () => {
  const password = 'p@ss/w"rd\\ümlaut';
  const redact = redactor([`postgres://orrery:${encodeURIComponent(password)}@db.example/orrery`]);
  for (const [how, spelt] of SPELLINGS) expect(redact(spelt(password)), how).not.toMatch(/p@ss|p%40ss|mlaut/);
});

describe('a dependency that fails', () => {
  const failures: readonly (readonly [string, string, (value: string) => Promise<unknown>])[] = [
    ['the chain', 'ORRERY_RPC_URL', (url) => createPublicClient({ transport: http(url, { retryCount: 0, timeout: 2_000 }) }).getBlock()],
    ['the database', 'ORRERY_DATABASE_URL', (url) => new Pool({ connectionString: url }).query('select 1')],
    ['the files', 'ORRERY_FILES_URL', (url) => fetch(url)],
    [
      'the text messages',
      'ORRERY_SMS_URL',
      (url) => fetch(url).catch((cause: unknown) => Promise.reject(new Error(`${url} failed`, { cause }))),
    ],
  ];

  test.each(failures)('%s: the log names no secret', async (part, name, call) => {
    const lines: string[] = [];
    const config = { ...readConfig({}), logLevel: 'trace', redact: redactor([CANARIES[name] ?? '']) } as const;
    const log = openLog(config, { write: (line) => void lines.push(line) });
    const report = troubleOf({ config, log, closing: new Closing(() => undefined), onFatal: () => undefined }, part);
    const error = await call(CANARIES[name] ?? '').then(
      () => undefined,
      (cause: unknown) => cause,
    );
    expect(error).toBeInstanceOf(Error);
    report(error);
    log.error({ err: error, url: CANARIES[name] }, String(error));
    expect(lines).toHaveLength(2);
    expect(lines.join('')).not.toContain(CANARY);
    for (const line of lines) expect(() => JSON.parse(line)).not.toThrow();
  });
});

describe('the program', () => {
  let directory: string;
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'orrery-redaction-'));
  });
  afterAll(() => rm(directory, { recursive: true, force: true }));

  test.each([
    ['ORRERY_JOURNAL', /The PostgreSQL of ORRERY_JOURNAL does not answer/],
    ['ORRERY_DATABASE_URL', /The database of ORRERY_DATABASE_URL does not answer/],
    ['ORRERY_RPC_URL', /The chain at ORRERY_RPC_URL does not answer/],
  ])(
    'that can not start for %s says so without it',
    async (name, sentence) => {
      const notUsed = [
        'ORRERY_JOURNAL',
        'ORRERY_DATABASE_URL',
        'ORRERY_EVENTS',
        'ORRERY_RPC_URL',
        'ORRERY_PRICE_FEEDS',
        'ORRERY_FILES_URL',
      ].filter((each) => each !== name);
      const canaries = Object.fromEntries(Object.entries(CANARIES).filter(([each]) => !notUsed.includes(each)));
      const program = spawn(process.execPath, [join(import.meta.dirname, 'main.ts')], {
        env: {
          ...process.env,
          ...canaries,
          ORRERY_DATA: join(directory, name),
          ORRERY_PORT: '0',
          ORRERY_LOG: 'trace',
          ORRERY_GEETEST_ID: 'id',
        },
      });
      let output = '';
      program.stdout.on('data', (bytes: Buffer) => (output += bytes.toString()));
      program.stderr.on('data', (bytes: Buffer) => (output += bytes.toString()));
      const code = await new Promise((resolve) => program.on('exit', resolve));
      expect(output).toMatch(sentence);
      expect(code).not.toBe(0);
      for (const secret of [CANARY, KEY]) expect(output).not.toContain(secret);
    },
    240_000,
  );
});
