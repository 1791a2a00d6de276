import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { NatsConnection } from '@nats-io/transport-node';
import { type Command, HeartError, type Receipt } from '@orrery/protocol';
import { nodeDisk, openSequencer, Replica, type Sequencer } from '@orrery/sequencer';
import { millis, seq } from '@orrery/units';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { ENGINES } from '../engines.ts';
import { describeHeart, openAccount, seqsOf, take, type TestedHeart } from '../testing/heart-conformance.ts';
import { hasNats, NatsServer } from '../testing/nats-server.ts';
import { HeardEnd } from './heard-end.ts';
import { HeartLink } from './heart-link.ts';
import { HeartServer } from './heart-server.ts';
import { connectNats } from './nats.ts';
import { decodeAnswer, encodeSent, KEY_BYTES, submitSubject } from './wire.ts';

const PREFIX = 'test';
const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
});

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'orrery-remote-'));
  ends.push(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const fail = (error: unknown): never => {
  throw error;
};
const clock = { wallMs: Date.now, monotonicMs: () => performance.now() };

async function openLeader(directory: string, onDurable: () => void = () => undefined): Promise<Sequencer> {
  const heart = await openSequencer({
    directory,
    clock,
    engines: ENGINES,
    disk: nodeDisk,
    onFatal: fail,
    onDurable,
    log: () => undefined,
    limits: { segmentBytes: 1 << 18, reserveBytes: 1 << 18 },
  });
  ends.push(() => heart.stop());
  return heart;
}

async function connected(nats: NatsServer): Promise<NatsConnection> {
  const connection = await connectNats(`nats://127.0.0.1:${nats.port}`, 'test');
  ends.push(() => connection.close());
  return connection;
}

async function openNats(): Promise<NatsServer> {
  const nats = await NatsServer.start();
  ends.push(() => nats.kill());
  return nats;
}

interface Leader {
  readonly heart: Sequencer;
  readonly server: HeartServer;
}

async function lead(nats: NatsServer, directory: string): Promise<Leader> {
  let server: HeartServer | undefined;
  const heart = await openLeader(directory, () => server?.beat());
  server = serve(await connected(nats), { heart, epoch: heart.epoch });
  return { heart, server };
}

function serve(connection: NatsConnection, { heart, epoch }: { heart: Served; epoch: number }): HeartServer {
  const server = new HeartServer({ heart, epoch, connection, prefix: PREFIX, onTrouble: fail });
  ends.push(() => server.stop());
  return server;
}

type Served = ConstructorParameters<typeof HeartServer>[0]['heart'];
type Patience = { readonly deadlineMs?: number; readonly attemptMs?: number };

async function linkTo(nats: NatsServer, patience: Patience = {}): Promise<{ link: HeartLink; end: HeardEnd }> {
  const end = new HeardEnd();
  const connection = await connected(nats);
  const link = new HeartLink({ connection, end, prefix: PREFIX, monotonicMs: () => performance.now(), onTrouble: fail, ...patience });
  ends.push(() => link.stop());
  return { link, end };
}

async function follow(nats: NatsServer, directory: string, patience: Patience = {}): Promise<Replica> {
  const { link, end } = await linkTo(nats, patience);
  await link.found;
  const replica = await Replica.open({ directory, end, link, disk: nodeDisk, engines: ENGINES, onFatal: fail, log: () => undefined });
  ends.push(() => replica.stop());
  return replica;
}

/** A heart that counts what it is given, and answers when the test says so. */
class ScriptedHeart implements Served {
  readonly given: Command[] = [];
  readonly answers: PromiseWithResolvers<Receipt>[] = [];
  now = 1_700_000_000_000;

  submit(command: Command): Promise<Receipt> {
    this.given.push(command);
    const answer = Promise.withResolvers<Receipt>();
    this.answers.push(answer);
    return answer.promise;
  }

  answer(place: number): void {
    this.answers.at(-1)?.resolve({ seq: seq(place), at: millis(1), events: [] });
  }

  status = () => ({ seq: seq(0), at: millis(0), stateHash: '', stateHashSeq: seq(0), clockAheadMs: 0 });
  nowMs = (): number => this.now;
  unready = () => undefined;
}

describe('the sequencer', () => {
  describeHeart(async () => {
    const heart = await openLeader(newFolder());
    return { heart, stop: () => heart.stop() };
  });
});

describe.skipIf(!hasNats())('a heart that is reached over NATS', () => {
  describeHeart(async (): Promise<TestedHeart> => {
    const [nats, directory] = [await openNats(), newFolder()];
    await lead(nats, directory);
    const heart = await follow(nats, directory);
    return { heart, stop: () => heart.stop() };
  });

  test('what one process submits, every other one follows, to the same state', async () => {
    const [nats, directory] = [await openNats(), newFolder()];
    const { heart } = await lead(nats, directory);
    const [alice, bob] = [await follow(nats, directory), await follow(nats, directory)];
    await Promise.all(Array.from({ length: 50 }, (_, person) => (person % 2 === 0 ? alice : bob).submit(openAccount(person + 1))));
    await expect.poll(() => [alice.seq, bob.seq]).toEqual([50, 50]);
    expect(alice.open().facts).toEqual(heart.open().facts);
    expect(bob.open().facts).toEqual(heart.open().facts);
  });

  test('[R3] a command whose answer is lost is sent again, and becomes history once', async () => {
    const [nats, heart] = [await openNats(), new ScriptedHeart()];
    const connection = await connected(nats);
    serve(connection, { heart, epoch: 1 });
    let attempts = 0;
    connection.subscribe(submitSubject(PREFIX, 1), { callback: () => void (attempts += 1) });
    const { link } = await linkTo(nats, { attemptMs: 50 });
    const sent = link.submit(openAccount(1));
    await vi.waitFor(() => expect(attempts).toBeGreaterThan(2));
    heart.answer(7);
    expect(await sent).toBe(7);
    expect(heart.given).toHaveLength(1);
  });

  test('[R3] a command that one heart may have is never sent to the next: its outcome is unknown', async () => {
    const [nats, first, second] = [await openNats(), new ScriptedHeart(), new ScriptedHeart()];
    const server = serve(await connected(nats), { heart: first, epoch: 1 });
    const { link } = await linkTo(nats, { attemptMs: 50 });
    const sent = link.submit(openAccount(1));
    const outcome = expect(sent).rejects.toMatchObject({ outcomeUnknown: true });
    await vi.waitFor(() => expect(first.given).toHaveLength(1));
    server.stop();
    serve(await connected(nats), { heart: second, epoch: 2 });
    await outcome;
    expect(second.given).toEqual([]);
  });

  test('a command that nobody has got waits for the heart that comes', async () => {
    const [nats, first, second] = [await openNats(), new ScriptedHeart(), new ScriptedHeart()];
    const connection = await connected(nats);
    const server = serve(connection, { heart: first, epoch: 1 });
    const { link } = await linkTo(nats);
    await link.found;
    server.stop();
    // NATS knows now that nobody listens: before that the command could still be given to the first.
    await connection.flush();
    const sent = link.submit(openAccount(1));
    serve(await connected(nats), { heart: second, epoch: 2 });
    await vi.waitFor(() => expect(second.given).toHaveLength(1));
    second.answer(3);
    expect(await sent).toBe(3);
    expect(first.given).toEqual([]);
  });

  test('where nobody leads, the command is refused within its deadline, and that nothing happened is certain', async () => {
    const { link } = await linkTo(await openNats(), { deadlineMs: 100 });
    expect(link.unready()).toBe('no heart leads at present');
    await expect(link.submit(openAccount(1))).rejects.toMatchObject({ failure: 'overloaded', outcomeUnknown: false });
  });

  test('a heart that does not answer leaves the outcome unknown, within the deadline', async () => {
    const [nats, heart] = [await openNats(), new ScriptedHeart()];
    serve(await connected(nats), { heart, epoch: 1 });
    const { link } = await linkTo(nats, { deadlineMs: 150, attemptMs: 50 });
    await link.found;
    await expect(link.submit(openAccount(1))).rejects.toMatchObject({ outcomeUnknown: true });
    expect(heart.given).toHaveLength(1);
  });

  test('a command that comes after its time is not taken, also when the clock is set back', async () => {
    const [nats, heart] = [await openNats(), new ScriptedHeart()];
    const connection = await connected(nats);
    serve(connection, { heart, epoch: 1 });
    const send = async (key: number, notAfter: number) => {
      const bytes = encodeSent({ key: new Uint8Array(KEY_BYTES).fill(key), notAfter, command: openAccount(1) });
      return decodeAnswer((await connection.request(submitSubject(PREFIX, 1), bytes)).data);
    };
    expect(await send(1, heart.now - 1)).toBe('late');
    const inTime = send(2, heart.now + 500);
    await vi.waitFor(() => expect(heart.given).toHaveLength(1));
    heart.answer(1);
    expect(await inTime).toEqual({ seq: 1 });
    heart.now += 1_000;
    expect(await send(3, heart.now - 1)).toBe('late');
    heart.now -= 1_000;
    expect(await send(2, heart.now + 500)).toBe('late');
    expect(heart.given).toHaveLength(1);
  });

  test('a deposed heart that still beats is not listened to', async () => {
    const [nats, first, second] = [await openNats(), new ScriptedHeart(), new ScriptedHeart()];
    const deposed = serve(await connected(nats), { heart: first, epoch: 1 });
    const { link } = await linkTo(nats);
    await link.found;
    serve(await connected(nats), { heart: second, epoch: 2 });
    second.now += 3_600_000;
    await vi.waitFor(() => expect(link.nowMs()).toBeGreaterThan(first.now + 3_000_000));
    deposed.beat();
    const sent = link.submit(openAccount(1));
    await vi.waitFor(() => expect(second.given).toHaveLength(1));
    second.answer(1);
    await sent;
    expect(first.given).toEqual([]);
  });

  test('a NATS server that is lost fails commands within their deadline, and is found again; the gap is read from the journal', async () => {
    const [nats, directory] = [await openNats(), newFolder()];
    const { heart } = await lead(nats, directory);
    const replica = await follow(nats, directory, { deadlineMs: 400, attemptMs: 100 });
    await replica.submit(openAccount(1));
    await nats.kill();
    const lost = await replica.submit(openAccount(2)).catch((error: unknown) => error);
    expect(lost).toBeInstanceOf(HeartError);
    for (let person = 3; person <= 30; person += 1) await heart.submit(openAccount(person));
    await nats.start();
    await expect.poll(() => replica.unready()).toBeUndefined();
    await expect.poll(() => replica.seq).toBe(heart.status().seq);
    const { seq: at } = await replica.submit(openAccount(31));
    const history = await take(replica.subscribe(seq(0)), at);
    expect(seqsOf(history)).toEqual(Array.from({ length: at }, (_, index) => index + 1));
  });

  test('a heart that starts again on the same history is followed on', async () => {
    const [nats, directory] = [await openNats(), newFolder()];
    const { heart, server } = await lead(nats, directory);
    const replica = await follow(nats, directory);
    for (let person = 1; person <= 10; person += 1) await replica.submit(openAccount(person));
    server.stop();
    await heart.stop();
    const { heart: next } = await lead(nats, directory);
    for (let person = 11; person <= 20; person += 1) await replica.submit(openAccount(person));
    expect(replica.open().facts).toEqual(next.open().facts);
    expect(next.epoch).toBeGreaterThan(heart.epoch);
  });
});
