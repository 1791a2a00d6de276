/** The keyed hash that stands for an address where usage is measured. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Browser, openTown, person, type Town } from './testing/town.ts';

let town: Town;
beforeAll(async () => {
  town = await openTown();
});
afterAll(() => town.close());

test('[C8] an owner gets a keyed hash of the address: the same all month and after a restart, another in the next month and for another address', async () => {
  town.clock.now = Date.UTC(2026, 2, 1);
  const [alice, bob] = [new Browser(town), new Browser(town)];
  const { address } = await alice.login(person(0xa8));
  await bob.login(person(0xb8));
  const idOf = (of: Browser) => of.call(town.accounts.handlers.analytics.analyticsId);
  const march = await idOf(alice);
  expect(march).toEqual({ walletAddress: expect.stringMatching(/^[\w-]{43}$/), month: '2026-03' });
  expect(JSON.stringify(march).toLowerCase()).not.toContain(address.slice(2));
  expect((await idOf(bob)).walletAddress).not.toBe(march.walletAddress);
  await town.reopen();
  expect(await idOf(alice)).toEqual(march);
  town.clock.now = Date.UTC(2026, 2, 31, 23, 59);
  await alice.login(person(0xa8));
  expect(await idOf(alice)).toEqual(march);
  town.clock.now = Date.UTC(2026, 3, 1);
  const april = await idOf(alice);
  expect(april.month).toBe('2026-04');
  expect(april.walletAddress).not.toBe(march.walletAddress);
});
