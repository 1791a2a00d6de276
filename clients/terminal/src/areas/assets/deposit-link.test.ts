import { expect, test } from 'vitest';
import { depositLink } from './deposit-link.ts';

const VAULT = `0x${'1'.repeat(40)}`;
const OWNER = `0x${'2'.repeat(40)}`;

test('[A8] the native coin has a link that calls the vault for its owner; a token, which takes two calls, has none', () => {
  expect(depositLink({ account: VAULT, chainId: 138_565, coinType: 'NATIVE' }, OWNER)).toBe(
    `ethereum:${VAULT}@138565/depositNative?address=${OWNER}`,
  );
  expect(depositLink({ account: VAULT, chainId: 138_565, coinType: 'TOKEN' }, OWNER)).toBeUndefined();
});
