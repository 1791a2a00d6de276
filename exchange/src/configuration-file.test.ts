import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Value } from 'typebox/value';
import type { TSchema } from 'typebox';
import { afterAll, expect, test } from 'vitest';
import { fieldOfFile, fileSchema } from './configuration-file.ts';
import { type Config, readConfig } from './config.ts';
import { InstallationFile } from './installation.ts';
import { fieldOf, SETTING_SCHEMAS } from './settings.ts';

const folder = mkdtempSync(join(tmpdir(), 'orrery-file-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const path = join(folder, 'orrery.config.json');

function read(file: unknown, env: Record<string, string> = {}): Config {
  writeFileSync(path, JSON.stringify(file));
  return readConfig({ ORRERY_CONFIG: path, ...env });
}

function secretFile(text: string): string {
  const secret = join(folder, 'secret');
  writeFileSync(secret, text);
  return secret;
}

test('a setting stands in it under the name that it has in Config, beside markets', () => {
  const config = read({
    $schema: './docs/orrery.config.schema.json',
    port: 9000,
    publicOrigins: ['https://a.example'],
    marketMaker: 'off',
    databaseUrlFile: secretFile('postgres://somewhere/x\n'),
    blockedAddresses: [],
  });
  const { port, publicOrigins, marketMaker, databaseUrl, host, installation } = config;
  expect({ port, publicOrigins, marketMaker, databaseUrl, host, blocked: installation.blockedAddresses }).toEqual({
    port: 9000,
    publicOrigins: ['https://a.example'],
    marketMaker: 'off',
    databaseUrl: 'postgres://somewhere/x',
    host: '127.0.0.1',
    blocked: [],
  });
  expect(config.redact('at postgres://somewhere/x')).toBe('at [redacted]');
});

test('the environment wins over it, and a variable that is empty is not given', () => {
  const file = { port: 9000, operatorKeyFile: secretFile(`0x${'ab'.repeat(32)}`) };
  const key = `0x${'cd'.repeat(32)}`;
  const { port, signers } = read(file, { ORRERY_PORT: '9001', ORRERY_OPERATOR_KEY: key });
  expect({ port, operator: signers.operator }).toEqual({ port: 9001, operator: { key } });
  expect(read(file, { ORRERY_PORT: '' }).port).toBe(9000);
});

test.each<[unknown, string]>([
  [{ prot: 1 }, 'prot is no setting: the nearest is port'],
  [{ ORRERY_PORT: 1 }, 'ORRERY_PORT is no setting: the nearest is port'],
  [{ config: 'other.json' }, 'config is no setting: the nearest is'],
  [{ port: '9000' }, 'port must be a whole number from 0 to 65535, not "9000"'],
  [{ port: 1.5 }, 'port must be a whole number from 0 to 65535, not 1.5'],
  [{ host: '' }, 'host must be text, not ""'],
  [{ marketMaker: true }, 'marketMaker must be one of on, off, not true'],
  [{ publicOrigins: 'https://a.example' }, 'publicOrigins must be a list of texts, not "https://a.example"'],
  [{ databaseUrl: 'postgres://a' }, 'databaseUrl is a secret: write it into a file of its own, and name that as databaseUrlFile'],
  [{ databaseUrlFile: 5 }, 'databaseUrlFile must be the path of a file'],
])('%j is refused by name', (file, sentence) => {
  expect(() => read(file)).toThrow(`ORRERY_CONFIG: ${path}: ${sentence}`);
});

test('no secret that stands in it is shown', () => {
  expect(() => read({ smtpUrl: 'smtps://a:hidden@b', operatorKeyFile: secretFile('hidden') })).toThrow(
    /smtpUrl is a secret[^]*ORRERY_OPERATOR_KEY must be 0x and 64 hex digits$/,
  );
  expect(() => read({ smtpUrl: 'smtps://a:hidden@b', operatorKeyFile: secretFile('hidden') })).not.toThrow('hidden');
});

test('all that is wrong is said at once, in the environment and in the file, and nothing that only follows from it', () => {
  const file = { luckyAt: 'noon', fees: {}, hsot: '::', contracts: ['X_USDC'], markets: [{ symbol: 'BTC_USDC' }, { symbol: 'BTC_USDC' }] };
  const env = { ORRERY_PORT: 'x', ORRERY_OPERATOR_KEY: '0x12', ORRERY_RPC_URL: 'http://chain', ORRERY_PROXY_HOPS: '1' };
  expect(() => read(file, env)).toThrow(
    [
      `ORRERY_CONFIG: ${path}: fees must have required properties makerPpm, takerPpm`,
      `ORRERY_CONFIG: ${path}: hsot is no setting: the nearest is host`,
      'ORRERY_PORT must be a whole number from 0 to 65535, not "x"',
      'ORRERY_OPERATOR_KEY must be 0x and 64 hex digits',
      'ORRERY_PUBLIC_ORIGINS must list the origins under which people open the page, such as https://app.example.org, because ORRERY_PROXY_HOPS is 1',
      `ORRERY_LUCKY_AT must be a cron pattern that comes true some day, not "noon" (luckyAt in ${path})`,
      `ORRERY_CONFIG: ${path}: markets[1].symbol is there twice: BTC_USDC`,
      `ORRERY_CONFIG: ${path}: contracts[0] is no contract of this program: name BTC_USDC, ETH_USDC, SOL_USDC, BNB_USDC, DOGE_USDC, BTC_USD`,
    ].join('\n'),
  );
});

test('no setting has the name of a field of its own', () => {
  const fields = [...SETTING_SCHEMAS.keys()].map((name) => fieldOf(name) as string);
  expect(new Set([...fields, ...Object.keys(InstallationFile.properties)]).size).toBe(
    fields.length + Object.keys(InstallationFile.properties).length,
  );
});

test('its schema takes what the page shows, and knows every setting that can stand there', () => {
  const schema = fileSchema() as TSchema & { readonly properties: Readonly<Record<string, unknown>> };
  const page = readFileSync(new URL('../../docs/configuration.md', import.meta.url), 'utf8');
  const example: unknown = JSON.parse(/```json\n([^]*?)```/.exec(page)?.[1] ?? '');
  expect([...Value.Errors(schema, example)]).toEqual([]);
  expect(Value.Check(schema, { prot: 1 })).toBe(false);
  const settings = [...SETTING_SCHEMAS].filter(([name]) => name !== 'ORRERY_CONFIG').map(([name, one]) => fieldOfFile(name, one));
  expect(Object.keys(schema.properties)).toEqual(['$schema', ...settings, ...Object.keys(InstallationFile.properties)]);
});
