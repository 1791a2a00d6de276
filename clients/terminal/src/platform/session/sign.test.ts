import { describe, expect, test, vi } from 'vitest';
import { printLoginMessage } from './login-message.ts';
import { SIGN_ERROR, sign, SIGNING_LIMIT_MS, statementOf } from './sign.ts';
import type { SignPorts } from './sign.ts';
import { WalletTimeout } from '../wallet/in-time.ts';
import { POLL_MS, POLLS_MAX, waitForSigning } from './sign-in-wait.ts';
import type { Signing } from './session-state.ts';

const ADDRESS = '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed';

const ports: SignPorts = {
  origin: 'http://localhost:8080',
  chainId: () => Promise.resolve(138565),
  nonce: () => Promise.resolve('abcdef0123456789'),
  time: () => Promise.resolve(Date.UTC(2025, 10, 21, 12, 0, 0)),
  signMessage: () => Promise.resolve('0x01'),
};

test('[L9] the message is EIP-4361, line by line what the exchange compares with its own record', () => {
  const message = printLoginMessage({
    address: ADDRESS,
    origin: 'http://localhost:8080',
    chainId: 138565,
    statement: 'Sign in to Orrery.',
    nonce: 'abcdef0123456789',
    issuedAt: Date.UTC(2025, 10, 21, 12, 0, 0),
  });
  expect(message).toBe(
    [
      'localhost:8080 wants you to sign in with your Ethereum account:',
      '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
      '',
      'Sign in to Orrery.',
      '',
      'URI: http://localhost:8080',
      'Version: 1',
      'Chain ID: 138565',
      'Nonce: abcdef0123456789',
      'Issued At: 2025-11-21T12:00:00.000Z',
    ].join('\n'),
  );
});

describe('signing', () => {
  test('[L13] each purpose has its own nonce and its own words', async () => {
    const nonce = vi.fn(() => Promise.resolve('abcdef0123456789'));
    const { message } = await sign({ ...ports, nonce }, { address: ADDRESS, purpose: 'connection', statement: statementOf('connection') });
    expect(nonce).toHaveBeenCalledWith({ evmAddress: ADDRESS, purpose: 'connection' });
    expect(message).toContain('Open a gas-free trading connection with Orrery.');
  });

  test('a withdrawal names its id in the message', async () => {
    const signed = await sign(ports, { address: ADDRESS, purpose: 'withdraw', statement: 'Withdraw 1 USDC.', requestId: '0xid' });
    expect(signed.message.endsWith('\nRequest ID: 0xid')).toBe(true);
  });

  test.each(['', '0x'])('[L3] the empty signature "%s" is a sign error', async (empty) => {
    const request = { address: ADDRESS, purpose: 'login', statement: statementOf('login') } as const;
    await expect(sign({ ...ports, signMessage: () => Promise.resolve(empty) }, request)).rejects.toThrow(SIGN_ERROR);
  });
});

describe('[L8] the signing-in state is polled', () => {
  test('[L8] every 50 ms, up to 100 tries', async () => {
    const slept: number[] = [];
    const sleep = (millis: number): Promise<void> => {
      slept.push(millis);
      return Promise.resolve();
    };
    expect(await waitForSigning({ read: () => 'pending', sleep })).toBe('pending');
    expect(slept).toEqual(Array.from({ length: POLLS_MAX }, () => POLL_MS));
    expect([POLL_MS, POLLS_MAX]).toEqual([50, 100]);
  });

  test('[L8] it ends as soon as signing is over', async () => {
    const states: Signing[] = ['pending', 'pending', 'success'];
    let slept = 0;
    const result = await waitForSigning({
      read: () => states[Math.min(slept, 2)] ?? 'idle',
      sleep: () => {
        slept += 1;
        return Promise.resolve();
      },
    });
    expect([result, slept]).toEqual(['success', 2]);
  });
});

test('a wallet that does not answer is waited for two minutes and no longer', async () => {
  vi.useFakeTimers();
  const { promise } = Promise.withResolvers<string>();
  const signing = sign({ ...ports, signMessage: () => promise }, { address: ADDRESS, purpose: 'login', statement: statementOf('login') });
  const outcome = signing.catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(SIGNING_LIMIT_MS);
  expect(await outcome).toBeInstanceOf(WalletTimeout);
  vi.useRealTimers();
});
