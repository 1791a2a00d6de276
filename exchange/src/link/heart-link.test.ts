import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { NatsConnection } from '@nats-io/transport-node';
import { createEngine, decodeState } from '@orrery/engine';
import { type Applied, type Command, type Heart, HeartError } from '@orrery/protocol';
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

async function lead(limits: object = {}): Promise<Leading> {
  const end = new DurableSeq();
  const heart = await openSequencer({
    directory,
    engines,
    disk: nodeDisk,
    clock: { wallMs: Date.now, monotonicMs: () => performance.now() },
    onFatal: raise,
    onDurable: (at) => end.report(at),
    log: () => undefined,
    limits,
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
  readonly epoch?: number;
}

function serve({ heart, connection, epoch = 1 }: ServedOptions): HeartServer {
  const server = new HeartServer({ heart, connection, prefix: PREFIX, epoch, onTrouble: raise });
  onTestFinished(() => server.stop());
  return server;
}

function linkTo(connection: NatsConnection): HeartLink {
  const link = new HeartLink({ connection, prefix: PREFIX, monotonicMs: () => performance.now(), onTrouble: raise });
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
  readonly nats: NatsServer;
  readonly server: HeartServer;
}

async function pair(): Promise<Pair> {
  const nats = await natsServer();
  const leading = await lead();
  const server = serve({ ...leading, connection: await connected(nats) });
  const replica = await replicaOf(leading, linkTo(await connected(nats)));
  return { ...leading, replica, nats, server };
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
  test('answers with the place and the facts that the heart which leads has', async () => {
    const { heart, replica } = await pair();
    const random = new RandomCommands(7, { upgrades: false });
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

  test('gives a caller at once what it has written itself', async () => {
    const { replica } = await pair();
    const receipts = await Promise.all(Array.from({ length: 50 }, (_, index) => replica.submit(deposit(`d${index}`))));
    const last = Math.max(...receipts.map(({ seq: at }) => at));
    expect(replica.status().seq).toBeGreaterThanOrEqual(last);
    expect(new Set(receipts.map(({ seq: at }) => at)).size).toBe(50);
  });

  test('goes by the time of the heart that leads', async () => {
    const { heart, replica } = await pair();
    await expect.poll(() => Math.abs(replica.nowMs() - heart.nowMs()) < 1_000).toBe(true);
  });

  test('opens a view whose tail goes on without a gap', async () => {
    const { replica } = await pair();
    await replica.submit(deposit('before'));
    const view = replica.open();
    const reading = first(view.tail, 2);
    const written = [await replica.submit(deposit('one')), await replica.submit(deposit('two'))];
    expect((await reading).map(({ seq: at }) => at)).toEqual(written.map(({ seq: at }) => at));
    view.close();
  });

  test('says what the heart that leads refuses, and that nothing happened', async () => {
    const { replica, heart } = await pair();
    const refusal = await failureOf(replica.submit({ ...deposit('x'), key: '\ud800' } as Command));
    expect(refusal).toMatchObject({ failure: 'unencodable', outcomeUnknown: false });
    expect(heart.status().seq).toBe(0);
  });

  test('says that nobody leads, and sends the command to nobody', async () => {
    const { replica, server, heart } = await pair();
    server.stop();
    const refusal = await failureOf(replica.submit(deposit('lost')));
    expect(refusal).toMatchObject({ failure: 'overloaded', outcomeUnknown: false });
    expect(replica.unready()).toBe('no heart leads at present');
    expect(heart.status().seq).toBe(0);
  });

  test('holds a command until another heart leads, where nobody can have it', async () => {
    const leading = await pair();
    leading.server.stop();
    const held = leading.replica.submit(deposit('held'));
    serve({ ...leading, connection: await connected(leading.nats), epoch: 2 });
    expect((await held).seq).toBe(1);
  });

  test('never sends a command to a second heart that the first may have taken', async () => {
    const leading = await lead();
    const nats = await natsServer();
    const silent: Heart['submit'] = () => new Promise(() => undefined);
    const deaf = Object.assign(Object.create(leading.heart) as Sequencer, {
      submit: silent,
      status: () => leading.heart.status(),
      nowMs: Date.now,
      unready: () => undefined,
    });
    const old = serve({ ...leading, heart: deaf, connection: await connected(nats) });
    const link = linkTo(await connected(nats));
    await expect.poll(() => link.nowMs()).toBeDefined();
    const refused = failureOf(link.submit(deposit('once')));
    await expect.poll(() => old.taken).toBe(1);
    serve({ ...leading, connection: await connected(nats), epoch: 2 });
    expect(await refused).toMatchObject({ outcomeUnknown: true });
    expect(leading.heart.status().seq).toBe(0);
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

  test('follows history that was written while it was away', async () => {
    const { heart, end, nats } = await pair();
    for (let count = 0; count < 40; count += 1) await heart.submit(deposit(`k${count}`));
    const late = await replicaOf({ heart, end }, linkTo(await connected(nats)));
    expect(late.status().seq).toBe(40);
    expect((await first(late.subscribe(seq(0)), 40)).length).toBe(40);
  });
});

async function failureOf(promise: Promise<unknown>): Promise<HeartError> {
  const error = await promise.then(
    () => undefined,
    (cause: unknown) => cause,
  );
  if (error instanceof HeartError) return error;
  throw new Error(`no HeartError, but ${String(error)}`);
}
