import { afterEach, beforeEach, expect, test, vi } from 'vitest';

const found = vi.hoisted(() => ({ wallets: Promise.withResolvers<void>(), opened: 0 }));

vi.mock('../../platform/wallet/open-wallets.ts', () => ({ wallets: () => found.wallets.promise }));
vi.mock('../../kit/ui/dialogs.tsx', () => ({
  lazyDialog: () => undefined,
  openDialog: () => {
    found.opened += 1;
    return Promise.resolve(true);
  },
}));

const { openConnect } = await import('./connect.tsx');

beforeEach(() => {
  vi.useFakeTimers();
  found.wallets = Promise.withResolvers<void>();
  found.opened = 0;
});
afterEach(() => void vi.useRealTimers());

test('the dialog opens with its wallets, so that it does not grow under the pointer', async () => {
  const isSignedIn = openConnect();
  await vi.advanceTimersByTimeAsync(599);
  expect(found.opened).toBe(0);
  found.wallets.resolve();
  await vi.advanceTimersByTimeAsync(0);
  expect(found.opened).toBe(1);
  expect(await isSignedIn).toBe(true);
});

test('wallets that are not found soon are awaited in the dialog', async () => {
  void openConnect();
  await vi.advanceTimersByTimeAsync(600);
  expect(found.opened).toBe(1);
});

test('a list of wallets that could not be loaded opens the dialog too', async () => {
  void openConnect();
  found.wallets.reject(new Error('not loaded'));
  await vi.advanceTimersByTimeAsync(0);
  expect(found.opened).toBe(1);
});
