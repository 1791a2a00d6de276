import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { readSettings } from './read-settings.ts';
import { readSignerSettings } from './signer-settings.ts';

const KEY = `0x${'ab'.repeat(32)}`;
const ADDRESS = `0x${'cd'.repeat(20)}`;
const directory = mkdtempSync(join(tmpdir(), 'orrery-signers-'));
const file = join(directory, 'operator.key');
writeFileSync(file, `${KEY}\n`, { mode: 0o600 });

afterAll(() => rmSync(directory, { recursive: true, force: true }));

test('the operator’s key is read from a file, so that no environment holds it', () => {
  expect(readSignerSettings(readSettings({ ORRERY_RPC_URL: 'http://chain', ORRERY_OPERATOR_KEY_FILE: file })).operator).toEqual({
    key: KEY,
  });
  expect(readSignerSettings(readSettings({ ORRERY_DEPLOYER_KEY_FILE: file })).deployer).toEqual({ key: KEY });
});

test('each role has an account of its own', () => {
  expect(
    readSignerSettings(
      readSettings({
        ORRERY_SIGNER_URL: 'http://127.0.0.1:9000',
        ORRERY_OPERATOR_ADDRESS: ADDRESS,
        ORRERY_DEPLOYER_KEY: KEY,
        ORRERY_PAUSER_ADDRESS: ADDRESS,
        ORRERY_LISTER_ADDRESS: ADDRESS,
      }),
    ),
  ).toEqual({ operator: { address: ADDRESS }, deployer: { key: KEY }, pauser: ADDRESS, lister: ADDRESS, url: 'http://127.0.0.1:9000' });
});

test.each([
  [{ ORRERY_OPERATOR_KEY: '0x12' }, 'ORRERY_OPERATOR_KEY must be 0x and 64 hex digits'],
  [{ ORRERY_OPERATOR_KEY: KEY, ORRERY_OPERATOR_KEY_FILE: file }, 'ORRERY_OPERATOR_KEY and ORRERY_OPERATOR_KEY_FILE are both given'],
  [{ ORRERY_OPERATOR_KEY_FILE: join(directory, 'none') }, /^ORRERY_OPERATOR_KEY_FILE names .* which can not be read: ENOENT$/],
  [{ ORRERY_OPERATOR_ADDRESS: ADDRESS }, 'ORRERY_OPERATOR_ADDRESS is an account of an external signer'],
  [{ ORRERY_OPERATOR_KEY: KEY, ORRERY_OPERATOR_ADDRESS: ADDRESS, ORRERY_SIGNER_URL: 'http://a' }, 'are both given'],
  [{ ORRERY_PAUSER_ADDRESS: '0x1' }, 'ORRERY_PAUSER_ADDRESS must be an address'],
  [{ ORRERY_SIGNER_URL: 'ftp://signer' }, 'ORRERY_SIGNER_URL must be the http or https address'],
  [{ ORRERY_RPC_URL: 'http://chain' }, 'ORRERY_RPC_URL names a chain of its own'],
])('settings of keys that can not be used are refused by name: %o', (env, reason) => {
  expect(() => readSignerSettings(readSettings(env))).toThrow(reason);
});
