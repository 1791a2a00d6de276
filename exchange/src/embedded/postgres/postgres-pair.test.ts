import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { frameAfter } from '../../../../services/sequencer/src/testing/frames.ts';
import { PostgresStore } from '../../journal/postgres-store.ts';
import { PostgresPair } from './postgres-pair.ts';

const [BEFORE, AFTER] = [50, 10];
const hex = (hash: Uint8Array): string => Buffer.from(hash).toString('hex');

test('[R2] the primary is lost by kill -9: every frame that was acknowledged is with the standby that takes its place, and the chain goes on there', async () => {
  const pair = await PostgresPair.start();
  try {
    const store = await PostgresStore.open({
      urls: [pair.url('primary'), pair.url('standby')],
      withoutStandby: 'cancel-only',
      onNoStandby: () => undefined,
      log: () => undefined,
    });
    expect([store.standbys(), store.shortage()]).toEqual([1, undefined]);
    const epoch = (await store.takeEpoch(0)) ?? 0;
    let last = frameAfter(undefined, { epoch, persons: [1] });
    await store.append(last);
    const acknowledged = [last.hash];
    let isLost = false;
    const lost = (async () => {
      while (acknowledged.length < BEFORE) await turn();
      await pair.kill('primary');
      isLost = true;
      await pair.promote();
    })();
    for (let after = 0; after < AFTER; after += isLost ? 1 : 0) {
      last = frameAfter(last, { epoch, persons: [1] });
      await store.append(last);
      acknowledged.push(last.hash);
      await turn();
    }
    await lost;
    const kept: Uint8Array[] = [];
    for (let seq = 0; ;) {
      const frames = await store.read(seq);
      if (frames.length === 0) break;
      kept.push(...frames.map(({ hash }) => hash));
      seq += frames.length;
    }
    expect(kept.map(hex)).toEqual(acknowledged.map(hex));
    await store.close();
  } finally {
    await pair.stop();
  }
}, 120_000);
