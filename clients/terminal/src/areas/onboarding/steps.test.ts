import { describe, expect, test } from 'vitest';
import { nextExpansion } from './next-expansion.ts';
import { newcomerSteps } from './steps.ts';
import type { NewcomerFacts } from './steps.ts';

const nothing: NewcomerFacts = {
  hasWallet: false,
  isSignedIn: false,
  hasAcceptedTerms: false,
  inWhitelist: false,
  hasTokens: false,
  hasFunds: false,
  isConnected: false,
  hasOrdered: false,
};

const shown = (facts: Partial<NewcomerFacts>): string =>
  newcomerSteps({ ...nothing, ...facts })
    .map(({ name, state }) => `${{ done: '✓', current: '→', ahead: '·' }[state]}${name}`)
    .join(' ');

describe('the way to the first order', () => {
  test('a visitor begins with the wallet', () => {
    expect(shown({})).toBe('→connect ·terms ·whitelist ·faucet ·fund ·connection ·order');
  });

  test('a connected wallet that has not signed is led to sign in, not to connect', () => {
    const first = (facts: Partial<NewcomerFacts>) => newcomerSteps({ ...nothing, ...facts })[0]?.action;
    expect(first({})).toBe('steps.connect.action');
    expect(first({ hasWallet: true })).toBe('steps.sign.action');
  });

  test('[T13] who has tokens in funding only is led to fund the wallet', () => {
    expect(shown({ isSignedIn: true, hasAcceptedTerms: true, inWhitelist: true, hasTokens: true })).toBe(
      '✓connect ✓terms ✓whitelist ✓faucet →fund ·connection ·order',
    );
  });

  test('a step done early is shown as done, and the first open one is next', () => {
    expect(shown({ isSignedIn: true, hasAcceptedTerms: true, inWhitelist: true, isConnected: true })).toBe(
      '✓connect ✓terms ✓whitelist →faucet ·fund ✓connection ·order',
    );
  });

  test('at the end nothing is next', () => {
    const all = {
      hasWallet: true,
      isSignedIn: true,
      hasAcceptedTerms: true,
      inWhitelist: true,
      hasTokens: true,
      hasFunds: true,
      isConnected: true,
      hasOrdered: true,
    };
    expect(newcomerSteps(all).every(({ state }) => state === 'done')).toBe(true);
  });
});

describe('[T8] the whitelist grows every Monday at 12:00 UTC', () => {
  test.each([
    ['on Sunday evening', '2025-11-23T23:59:59Z', '2025-11-24T12:00:00.000Z'],
    ['on Monday before noon', '2025-11-24T11:59:59Z', '2025-11-24T12:00:00.000Z'],
    ['on Monday at noon', '2025-11-24T12:00:00Z', '2025-12-01T12:00:00.000Z'],
    ['in a leap year', '2024-02-28T00:00:00Z', '2024-03-04T12:00:00.000Z'],
  ])('[T8] %s', (_, now, next) => {
    expect(new Date(nextExpansion(Date.parse(now))).toISOString()).toBe(next);
  });
});
