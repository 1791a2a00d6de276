/** The heart in a process of its own: what happens to those who trade when it is killed, and comes back. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Client } from '@orrery/sdk';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasNats, NatsServer } from '../src/testing/nats-server.ts';
import { keyClient, prepareToTrade, signIn, tradeKey } from './person.ts';
import { startProgram, type Program } from './program.ts';
import { settingsOfRole, sharedServer, type SharedServer } from './shared-journal.ts';

const MARKET = 'BTC_USDC';

const place = (client: Client, { clientOrderId, price }: { clientOrderId: string; price: string }) =>
  client.createOrder({ symbol: MARKET, direction: 'BUY', tradeType: 'LIMIT', price, totalAmount: '0.001', clientOrderId });

const openIds = async (client: Client): Promise<readonly string[]> =>
  (await client.openOrders({ symbol: MARKET, page: 1, size: 50 })).items.flatMap(({ clientOrderId }) => clientOrderId ?? []).toSorted();

describe.skipIf(!hasNats())('a gateway whose heart is in another process', () => {
  let nats: NatsServer;
  let dataDirectory: string;
  let heart: Program;
  let gateway: Program;

  const start = (role: string): Promise<Program> =>
    startProgram({
      dataDirectory,
      env: settingsOfRole(role, nats),
    });

  beforeAll(async () => {
    dataDirectory = await mkdtemp(join(tmpdir(), 'orrery-roles-'));
    nats = await NatsServer.start();
    [heart, gateway] = await Promise.all([start('heart'), start('gateway,worker,projector')]);
  });

  afterAll(async () => {
    await gateway?.stop();
    await heart?.stop();
    await nats?.kill();
    await rm(dataDirectory, { recursive: true, force: true });
  });

  test('[R2] kill -9 of the heart, three times: the gateway goes on without a restart, and no acknowledged order is lost', async () => {
    const person = await signIn(gateway.url, { from: '10.9.0.1' });
    await prepareToTrade(gateway.url, person);
    const client = keyClient(gateway.url, await tradeKey(person));
    const price = String(Math.floor(Number((await client.indexPrice({ symbol: MARKET })).p) * 0.98));
    const acknowledged: string[] = [];
    for (const round of [1, 2, 3]) {
      for (let count = 1; count <= 5; count += 1) {
        await place(client, { clientOrderId: `order-${round}-${count}`, price });
        acknowledged.push(`order-${round}-${count}`);
      }
      expect(await openIds(client)).toEqual(acknowledged.toSorted());
      await heart.kill();
      heart = await start('heart');
      await expect.poll(() => openIds(client)).toEqual(acknowledged.toSorted());
    }
    await place(client, { clientOrderId: 'last', price });
    expect(await openIds(client)).toContain('last');
  });
});

describe.skipIf(!hasNats())('a gateway and two hearts that share a journal', () => {
  let nats: NatsServer;
  let server: SharedServer;
  let parent: string;
  let gateway: Program;
  let leader: { readonly name: string; readonly heart: Program };
  /** Started and not ready yet: a heart is ready when it leads. */
  const waiting = new Map<string, Promise<Program>>();

  const start = (role: string, name: string): Promise<Program> =>
    startProgram({
      dataDirectory: join(parent, name),
      env: { ...settingsOfRole(role, nats), ...server.journal },
    });
  const enter = (name: string): void => void waiting.set(name, start('heart', name));
  const nextLeader = async (): Promise<typeof leader> => {
    const next = await Promise.race([...waiting].map(async ([name, starting]) => ({ name, heart: await starting })));
    waiting.delete(next.name);
    return next;
  };

  beforeAll(async () => {
    parent = await mkdtemp(join(tmpdir(), 'orrery-hearts-'));
    [nats, server] = await Promise.all([NatsServer.start(), sharedServer()]);
    for (const name of ['one', 'two']) enter(name);
    leader = await nextLeader();
    gateway = await start('gateway,worker,projector', 'gateway');
  });

  afterAll(async () => {
    await gateway?.stop();
    await leader?.heart.stop();
    // The one that followed leads now.
    if (waiting.size > 0) await (await nextLeader()).heart.stop();
    await nats?.kill();
    await server?.stop();
    await rm(parent, { recursive: true, force: true });
  });

  test('[R2] kill -9 of the heart that leads, three times: the other one leads, and every acknowledged order is there once', async () => {
    const person = await signIn(gateway.url, { from: '10.9.0.2' });
    await prepareToTrade(gateway.url, person);
    const client = keyClient(gateway.url, await tradeKey(person));
    const price = String(Math.floor(Number((await client.indexPrice({ symbol: MARKET })).p) * 0.98));
    const acknowledged: string[] = [];
    const names: string[] = [];
    for (const round of [1, 2, 3]) {
      for (let count = 1; count <= 5; count += 1) {
        await place(client, { clientOrderId: `order-${round}-${count}`, price });
        acknowledged.push(`order-${round}-${count}`);
      }
      const deposed = leader;
      await deposed.heart.kill();
      leader = await nextLeader();
      names.push(leader.name);
      enter(deposed.name);
      await expect.poll(() => openIds(client)).toEqual(acknowledged.toSorted());
    }
    expect(names[0]).not.toBe(names[1]);
    await place(client, { clientOrderId: 'last', price });
    expect(await openIds(client)).toEqual([...acknowledged, 'last'].toSorted());
  });
});
