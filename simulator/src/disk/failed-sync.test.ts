import { createEngine, decodeState } from '@orrery/engine';
import { openSequencer, type Sequencer } from '@orrery/sequencer';
import { parseAddress } from '@orrery/units';
import { expect, test } from 'vitest';
import { Chance } from '../chance.ts';
import { Life } from '../life.ts';
import { Timeline } from '../timeline.ts';
import { DiskFaults } from './disk-faults.ts';
import { Platter } from './platter.ts';
import { SimDisk } from './sim-disk.ts';

const timeline = new Timeline();
const platter = new Platter();
const faults = new DiskFaults(timeline, new Chance('failed sync'));

/** A second is enough for anything here. */
async function result<Value>(promise: Promise<Value>): Promise<Value> {
  promise.catch(() => undefined);
  for (let tenth = 0; tenth < 10; tenth += 1) await timeline.runUntil(timeline.now + 100, () => false);
  return promise;
}

function open(): Promise<Sequencer> {
  return result(
    openSequencer({
      directory: '/history',
      engines: { createEngine, decodeState },
      disk: new SimDisk({ platter, life: new Life(timeline), faults }),
      clock: { wallMs: () => 1, monotonicMs: () => timeline.now },
      onFatal: () => undefined,
      log: () => undefined,
      limits: { segmentBytes: 8_192, reserveBytes: 8_192 },
      lockFolder: async () => ({ release: async () => undefined }),
    }),
  );
}

/** In one group, which is so large that it has sectors of its own. */
function openAccounts(heart: Sequencer, from: number, count: number): Promise<unknown> {
  const addresses = Array.from({ length: count }, (_, index) => parseAddress(`0x${(from + index).toString(16).padStart(40, '0')}`));
  return result(
    Promise.all(addresses.flatMap((address) => (address === undefined ? [] : [heart.submit({ type: 'OpenAccount', address })]))),
  );
}

test('a group whose sync failed is written again before the next life believes it', async () => {
  const first = await open();
  await openAccounts(first, 1, 40);
  faults.failNextSync = true;
  await expect(openAccounts(first, 41, 40)).rejects.toThrow('EIO');
  // The kernel still shows the group, and has given up writing it.
  const second = await open();
  expect(second.status().seq).toBe(80);
  await openAccounts(second, 81, 40);
  platter.failPower(new Chance('power'), 0);
  const third = await open();
  expect(third.status().seq).toBe(120);
});
