import { beforeEach, expect, test, vi } from 'vitest';
import { lastView } from './last-view.ts';
import { previousCurrencyPair } from './remembered.ts';

beforeEach(() => {
  const entries = new Map<string, string>();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => entries.get(key) ?? null,
    setItem: (key: string, value: string) => void entries.set(key, value),
    removeItem: (key: string) => void entries.delete(key),
  });
});

test('a newcomer had nothing in view', () => {
  expect(lastView.read()).toBeUndefined();
});

test.each([
  { kind: 'spot', pair: 'ETH_USDC' },
  { kind: 'futures', pair: 'BTC_USDC' },
] as const)('the market in view last is opened again, of its kind: %j', (view) => {
  lastView.write(view);
  expect(lastView.read()).toEqual(view);
});

test('a pair alone, as it was written before, is one of spot', () => {
  previousCurrencyPair.write('SOL_USDC');
  expect(lastView.read()).toEqual({ kind: 'spot', pair: 'SOL_USDC' });
});
