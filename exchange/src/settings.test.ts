import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { readConfig } from './config.ts';
import { readSettings } from './read-settings.ts';
import { PAGES } from './settings-page.ts';
import { SECRET_NAMES, SECTIONS, SETTING_SCHEMAS } from './settings.ts';

const folder = mkdtempSync(join(tmpdir(), 'orrery-settings-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function fileOf(text: string): string {
  const path = join(folder, `${Math.random()}`);
  writeFileSync(path, text);
  return path;
}

test.each([...PAGES])('%s says what the schema says: else `npm run docs`', (path, written) => {
  const page = readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
  expect(page).toBe(written(page));
});

test('every setting stands in one section, with its meaning', () => {
  const listed = Object.values(SECTIONS).flatMap((section) => Object.keys(section));
  expect(listed.toSorted()).toEqual([...SETTING_SCHEMAS.keys()].toSorted());
  for (const [name, { description }] of SETTING_SCHEMAS) expect(description, name).toMatch(/^\S.+[^.]$/s);
});

test('a setting is in Config under its own name', () => {
  const { luckyAt, walletconnectProjectId, rpcUrl, port, publicOrigins } = readConfig({
    ORRERY_LUCKY_AT: '* * * * * *',
    ORRERY_WALLETCONNECT_PROJECT_ID: 'id',
    ORRERY_PUBLIC_ORIGINS: 'https://a.example',
  });
  expect({ luckyAt, walletconnectProjectId, rpcUrl, port, publicOrigins }).toEqual({
    luckyAt: '* * * * * *',
    walletconnectProjectId: 'id',
    rpcUrl: undefined,
    port: 8080,
    publicOrigins: ['https://a.example'],
  });
});

test.each([
  ['ORRERY_PORT', 'eighty', 'ORRERY_PORT must be a whole number from 0 to 65535, not "eighty"'],
  ['ORRERY_PORT', '1e3', 'ORRERY_PORT must be a whole number from 0 to 65535, not "1e3"'],
  ['ORRERY_PORT', ' 80', 'ORRERY_PORT must be a whole number from 0 to 65535, not " 80"'],
  ['ORRERY_WHITELIST', 'closed', 'ORRERY_WHITELIST must be one of open, weekly, not "closed"'],
  ['ORRERY_OPERATOR_KEY', '0x12', 'ORRERY_OPERATOR_KEY must be 0x and 64 hex digits'],
  ['ORRERY_CONSOLE_CODE', 'short', 'ORRERY_CONSOLE_CODE must be 12 to 64 letters, digits, _ or -'],
])('%s of "%s" is refused in a sentence, and no secret is shown', (name, value, sentence) => {
  expect(() => readSettings({ [name]: value })).toThrow(new RegExp(`^${sentence.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`));
});

describe('a secret in a file', () => {
  test('every secret can be given by file', () => {
    expect(SECRET_NAMES.toSorted()).toEqual([
      'ORRERY_CONSOLE_CODE',
      'ORRERY_DATABASE_URL',
      'ORRERY_DEPLOYER_KEY',
      'ORRERY_EVENTS',
      'ORRERY_FILES_URL',
      'ORRERY_GEETEST_KEY',
      'ORRERY_JOURNAL',
      'ORRERY_OPERATOR_KEY',
      'ORRERY_PRICE_FEEDS',
      'ORRERY_RPC_URL',
      'ORRERY_SMS_TOKEN',
      'ORRERY_SMS_URL',
      'ORRERY_SMTP_URL',
      'ORRERY_TRACES',
    ]);
  });

  test('is what the file holds, without the blanks around it', () => {
    const key = `0x${'ab'.repeat(32)}`;
    const { signers, databaseUrl } = readConfig({
      ORRERY_OPERATOR_KEY_FILE: fileOf(`${key}\n`),
      ORRERY_DATABASE_URL_FILE: fileOf(' postgres://somewhere/x \n'),
    });
    expect({ operator: signers.operator, databaseUrl }).toEqual({ operator: { key }, databaseUrl: 'postgres://somewhere/x' });
  });

  test('beside the variable itself is refused: which of the two is meant?', () => {
    expect(() => readSettings({ ORRERY_DATABASE_URL: 'postgres://a', ORRERY_DATABASE_URL_FILE: fileOf('postgres://b') })).toThrow(
      'ORRERY_DATABASE_URL and ORRERY_DATABASE_URL_FILE are both given: keep one of them',
    );
  });

  test('that is not there, or empty, is refused by name', () => {
    const missing = join(folder, 'missing');
    expect(() => readSettings({ ORRERY_CONSOLE_CODE_FILE: missing })).toThrow(
      `ORRERY_CONSOLE_CODE_FILE names ${missing}, which can not be read: ENOENT`,
    );
    const empty = fileOf('\n');
    expect(() => readSettings({ ORRERY_CONSOLE_CODE_FILE: empty })).toThrow(`ORRERY_CONSOLE_CODE_FILE names ${empty}, which is empty`);
  });
});
