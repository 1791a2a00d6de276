import { describe, expect, test, vi } from 'vitest';
import { mayGoOn, switchFailure, switchNetwork } from './network-switch.ts';
import { walletPrompt } from './prompts.ts';
import { toChains } from './chains.ts';
import { en } from '../../kit/i18n/messages/en/index.ts';

const TARGET = 138565;
const on = (chainId: number, requestSwitch = () => Promise.resolve()) => ({ chainId: () => Promise.resolve(chainId), requestSwitch });

describe('[L12] network switch', () => {
  test('[L12] a wallet on the chain already is asked nothing', async () => {
    const requestSwitch = vi.fn(() => Promise.resolve());
    expect(await switchNetwork({ wallet: on(TARGET, requestSwitch), target: TARGET })).toBe('alreadyThere');
    expect(requestSwitch).not.toHaveBeenCalled();
  });

  test('[L12] else a switch is requested', async () => {
    const requestSwitch = vi.fn(() => Promise.resolve());
    expect(await switchNetwork({ wallet: on(1, requestSwitch), target: TARGET })).toBe('switched');
    expect(requestSwitch).toHaveBeenCalledWith(TARGET);
  });

  test.each([
    ['code 4902', { code: 4902, message: 'Unrecognized chain ID' }, 'missing'],
    ['ChainNotConfigured by name', Object.assign(new Error('x'), { name: 'ChainNotConfiguredError' }), 'missing'],
    ['4902 inside what a library wraps', new Error('outer', { cause: Object.assign(new Error('inner'), { code: 4902 }) }), 'missing'],
    ["4902 inside a phone wallet's data", { code: -32603, data: { originalError: { code: 4902 } } }, 'missing'],
    ['code 4001', { code: 4001, message: 'no' }, 'declined'],
    ['UserRejected by name', Object.assign(new Error('x'), { name: 'UserRejectedRequestError' }), 'declined'],
    ['User rejected in words', new Error('User rejected the request.'), 'declined'],
    ['anything else', new Error('boom'), 'failed'],
    ['no error at all', undefined, 'failed'],
  ] as const)('[L12] %s means %s', (_, error, outcome) => {
    expect(switchFailure(error)).toBe(outcome);
  });

  test('[L12] a refusal is fine for someone who only checks', () => {
    expect(mayGoOn('declined', 'check')).toBe(true);
    expect(mayGoOn('declined', 'act')).toBe(false);
    expect([mayGoOn('missing', 'check'), mayGoOn('failed', 'check'), mayGoOn('switched', 'act'), mayGoOn('alreadyThere', 'act')]).toEqual([
      false,
      false,
      true,
      true,
    ]);
  });

  test('[L12] three chains, the default is the testnet: 138565, SOSO, 18 decimals', () => {
    const soso = { name: 'SOSO', symbol: 'SOSO', decimals: 18 };
    const chain = (chainId: number) => ({ chainId, name: `chain ${chainId}`, rpcUrls: ['/rpc'], explorerUrl: null, nativeCurrency: soso });
    const chains = toChains({ chains: [chain(1), chain(TARGET), chain(5)], defaultChainId: TARGET }, 'http://localhost:8080');
    expect(chains.all.map(({ id }) => id)).toEqual([TARGET, 1, 5]);
    expect(chains.target).toMatchObject({ nativeCurrency: soso, rpcUrls: { default: { http: ['http://localhost:8080/rpc'] } } });
  });
});

describe('[L14] wallet prompts', () => {
  test('[L14] injected wallets', () => {
    expect((['sign', 'approveSpending', 'sendTransaction'] as const).map((action) => en[walletPrompt(action, 'injected')])).toEqual([
      'Approve in wallet',
      'Approve Spending Cap in wallet',
      'Confirm in wallet',
    ]);
  });

  test('[L14] mobile connections say Mobile', () => {
    expect((['sign', 'approveSpending', 'sendTransaction'] as const).map((action) => en[walletPrompt(action, 'walletConnect')])).toEqual([
      'Approve in Mobile wallet',
      'Approve Spending Cap in Mobile wallet',
      'Confirm in Mobile wallet',
    ]);
  });
});
