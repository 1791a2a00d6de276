import { expect, test } from 'vitest';
import { solve } from './proof-of-work.ts';

const parameters = {
  algorithm: 'PBKDF2/SHA-256',
  cost: 50,
  data: { action: 'code', network: 'home' },
  expiresAt: 1_795_000_120,
  keyLength: 32,
  keyPrefix: '255de40b1874ee8fdc929eb442599988',
  nonce: '00112233445566778899aabbccddeeff',
  salt: 'ffeeddccbbaa99887766554433221100',
} as const;

test('[A1] the page finds the counter of a proof of work, and its whole key', async () => {
  expect(await solve({ parameters, signature: '' })).toEqual({
    counter: 123,
    derivedKey: '255de40b1874ee8fdc929eb4425999884a9b744de024ea6b6a35b1e859f2f95b',
  });
});
