import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { NatsConnection } from '@nats-io/transport-node';
import { createEngine, decodeState } from '@orrery/engine';
import type { Applied, Command, Heart } from '@orrery/protocol';
import { nodeDisk, openSequencer, Replica, type Sequencer } from '@orrery/sequencer';
import { assetId, atoms, seq } from '@orrery/units';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { addressOf, RandomCommands } from '../../../core/engine/src/testing/random-commands.ts';
import { DurableSeq } from '../history/durable-seq.ts';
import { hasNats, NatsServer } from '../testing/nats-server.ts';
import { HeartLink } from './heart-link.ts';
import { HeartServer } from './heart-server.ts';
import { connectNats } from './nats.ts';

const engines = { createEngine, decodeState };
const PREFIX = 'orrery.test';
const SEED = Number(process.env['ORRERY_SEED'] ?? Date.now() % 1_000_000);
/** The clock of the heart that leads is ahead of the others. */
const AHEAD_MS = 3_600_000;
const raise = (error: unknown): never => {
  throw error;
};

let directory = '';
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'orrery-link-'));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const deposit = (key: string): Command => ({
  type: 'CreditDeposit',
  key,
  address: addressOf(1),
  asset: assetId(1),
  amount: atoms(5n),
});

interface Leading {
  readonly heart: Sequencer;
  readonly end: DurableSeq;
}

async function lead(): Promise<Leading> {
  const end = new DurableSeq();
  const heart = await openSequencer({
    directory,
    engines,
    disk: nodeDisk,
    clock: { wallMs: () => Date.now() + AHEAD_MS, monotonicMs: () => performance.now() },
    onFatal: raise,
    onDurable: (at) => end.report(at),
    log: () => undefined,
  });
  onTestFinished(() => heart.stop());
  end.report(heart.status().seq);
  return { heart, end };
}

async function natsServer(): Promise<NatsServer> {
  const server = await NatsServer.start();
  onTestFinished(() => server.kill());
  return server;
}

async function connected({ port }: NatsServer): Promise<NatsConnection> {
  const connection = await connectNats(`nats://127.0.0.1:${port}`, 'test');
  onTestFinished(() => connection.close());
  return connection;
}

interface ServedOptions extends Leading {
  readonly connection: NatsConnection;
}

function serve({ heart, connection }: ServedOptions): void {
  const server = new HeartServer({ heart, connection, prefix: PREFIX, epoch: 1, onTrouble: raise });
  onTestFinished(() => server.stop());
}

function linkTo(connection: NatsConnection, options: { readonly deadlineMs?: number } = {}): HeartLink {
  const link = new HeartLink({ connection, prefix: PREFIX, monotonicMs: () => performance.now(), onTrouble: raise, ...options });
  onTestFinished(() => link.stop());
  return link;
}

async function replicaOf({ end }: Leading, link: HeartLink): Promise<Replica> {
  const replica = await Replica.open({ directory, disk: nodeDisk, engines, log: () => undefined, end, link, onFatal: raise });
  onTestFinished(() => replica.stop());
  return replica;
}

interface Pair extends Leading {
  readonly replica: Replica;
}

async function pair(): Promise<Pair> {
  const nats = await natsServer();
  const leading = await lead();
  serve({ ...leading, connection: await connected(nats) });
  const replica = await replicaOf(leading, linkTo(await connected(nats)));
  return { ...leading, replica };
}

async function first(tail: AsyncIterable<readonly Applied[]>, count: number): Promise<readonly Applied[]> {
  const all: Applied[] = [];
  for await (const batch of tail) {
    all.push(...batch);
    if (all.length >= count) return all.slice(0, count);
  }
  return all;
}

describe.skipIf(!hasNats())('a heart in another process', () => {
  test(`answers with the place and the facts that the heart which leads has, seed ${SEED}`, async () => {
    const { heart, replica } = await pair();
    const random = new RandomCommands(SEED, { upgrades: false });
    for (let count = 0; count < 300; count += 1) {
      const { command } = random.next();
      const receipt = await (count % 2 === 0 ? heart : replica).submit(command);
      random.follow({ ...receipt, command }, receipt.events);
    }
    await expect.poll(() => replica.status().seq).toBe(heart.status().seq);
    const [own, other] = await Promise.all([first(heart.subscribe(seq(0)), 300), first(replica.subscribe(seq(0)), 300)]);
    expect(other).toEqual(own);
    expect(replica.open().facts).toEqual(heart.open().facts);
    expect(replica.status().at).toBe(heart.status().at);
  });

  test('goes by the time of the heart that leads', async () => {
    const { heart, replica } = await pair();
    await expect.poll(() => Math.abs(replica.nowMs() - heart.nowMs())).toBeLessThan(AHEAD_MS / 2);
  });

  test('learns how far history goes while it has followed less, and that nobody says it', async () => {
    const nats = await natsServer();
    const leading = await lead();
    serve({ ...leading, connection: await connected(nats) });
    const following = new DurableSeq();
    const link = linkTo(await connected(nats), { deadlineMs: 300 });
    await expect.poll(() => link.nowMs()).toBeDefined();
    const replica = await replicaOf({ ...leading, end: following }, link);
    for (const key of ['one', 'two']) await leading.heart.submit(deposit(key));
    expect([await replica.end(), replica.status().seq]).toEqual([2, 0]);
    // A hundred who wait share two questions: the one that is on its way, which came too early for most of them, and the next.
    let questions = 0;
    const listener = await connected(nats);
    listener.subscribe(`${PREFIX}.end.1`, { callback: () => void (questions += 1) });
    await listener.flush();
    expect(new Set(await Promise.all(Array.from({ length: 100 }, () => replica.end())))).toEqual(new Set([2]));
    await listener.flush();
    expect(questions).toBe(2);
    await nats.kill();
    await expect(replica.end()).rejects.toMatchObject({ failure: 'overloaded', outcomeUnknown: false });
  });

  test('takes a command once whose answer was lost with the NATS server', async () => {
    const leading = await lead();
    const nats = await natsServer();
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const slow: Heart['submit'] = async (command) => {
      const receipt = await leading.heart.submit(command);
      await held;
      return receipt;
    };
    const late = Object.assign(Object.create(leading.heart) as Sequencer, {
      submit: slow,
      status: () => leading.heart.status(),
      nowMs: Date.now,
      unready: () => undefined,
    });
    serve({ ...leading, heart: late, connection: await connected(nats) });
    const link = linkTo(await connected(nats));
    await expect.poll(() => link.nowMs()).toBeDefined();
    const answer = link.submit(deposit('once'));
    await expect.poll(() => leading.heart.status().seq).toBe(1);
    await nats.kill();
    await nats.start();
    release();
    expect(await answer).toBe(1);
    expect(leading.heart.status().seq).toBe(1);
  });
});
