import { expect, test } from 'vitest';
import { ACCOUNTS, isHouse, Month } from '../testing/wash-month.ts';
import { accountId } from '@orrery/units';
import { findClusters } from './clusters.ts';
import { ClusterFinder } from './finder.ts';

const HOUSE = [accountId(ACCOUNTS + 1), accountId(ACCOUNTS + 2)];
const CAPTIVE_FROM = 1_000_000_000n;
const month = new Month(7).play();
const { flows } = month;
const nothing = {
  flows: [],
  relations: { funding: [], invites: [], traces: [], apart: [], funds: [] },
  house: [],
  captiveFrom: CAPTIVE_FROM,
};

test('F4: the thread finds what is found here, and this thread goes on meanwhile', { timeout: 120_000 }, async () => {
  const finder = new ClusterFinder();
  // The thread has started and loaded what it needs.
  await finder.find(nothing);
  const began = performance.now();
  const asked = finder.find({ flows, relations: month.relations, house: HOUSE, captiveFrom: CAPTIVE_FROM });
  const handedOver = performance.now() - began;
  const found = await asked;
  const here = performance.now();
  const expected = findClusters({ flows, relations: month.relations, isHouse, captiveFrom: CAPTIVE_FROM });
  console.log(
    `${flows.length} flows: handed over in ${handedOver.toFixed(0)} ms, looked through in ${(performance.now() - here).toFixed(0)} ms`,
  );
  expect([found.all, found.commonFunders]).toEqual([expected.all, expected.commonFunders]);
  for (let account = 1; account <= ACCOUNTS; account += 1)
    expect(found.rootOf(accountId(account))).toBe(expected.rootOf(accountId(account)));
  await finder.close();
});

test('a search that fails rejects its caller; the next one starts another thread; a closed finder accepts none', async () => {
  const finder = new ClusterFinder();
  await expect(finder.find({ ...nothing, relations: {} as never })).rejects.toThrow('the thread that looks for clusters has failed');
  expect((await finder.find(nothing)).all).toEqual([]);
  // It takes longer than the closing.
  const waiting = finder.find({ flows, relations: month.relations, house: HOUSE, captiveFrom: CAPTIVE_FROM });
  const refused = expect(waiting).rejects.toThrow('the thread that looks for clusters has ended');
  await finder.close();
  await refused;
  await expect(finder.find(nothing)).rejects.toThrow('clusters are looked for no longer');
});
