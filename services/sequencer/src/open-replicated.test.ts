/** Hearts on one shared journal: one leads, the others follow it and stand ready. */
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { Command, HeartError } from '@orrery/protocol';
import { nodeDisk } from './node-disk.ts';
import { openReplicated, type ReplicatedOptions } from './open-replicated.ts';
import type { Sequencer } from './sequencer.ts';
import { fakeEngines, personAddress } from './testing/fake-engine.ts';
import { MemoryHistory, MemoryStore } from './testing/memory-store.ts';
import { newFolder, openHeart, removeFolders, SMALL } from './testing/open-heart.ts';
import { verifyFolder } from './verify.ts';

const members: Member[] = [];
afterEach(async () => {
  for (const member of members.splice(0)) await member.end();
  removeFolders();
});

const openAccount = (person: number): Command => ({ type: 'OpenAccount', address: personAddress(person) });
const CANCEL = { type: 'CancelAllOrders', account: 1, market: 0 } as unknown as Command;

class Member {
  readonly store: MemoryStore;
  readonly folder: string;
  readonly fatal: HeartError[] = [];
  readonly lines: string[] = [];
  readonly heart: Promise<Sequencer>;
  isFollowing = false;
  epoch: number | undefined;
  /** By which each look at its clock is later than the one before. */
  stepMs = 0;
  readonly #ending = new AbortController();
  #now = 0;

  constructor(history: MemoryHistory, { folder = newFolder(), ...changes }: Partial<ReplicatedOptions> & { folder?: string } = {}) {
    this.store = new MemoryStore(history);
    this.folder = folder;
    this.heart = openReplicated({
      store: this.store,
      directory: folder,
      engines: fakeEngines,
      disk: nodeDisk,
      clock: { wallMs: () => 1_700_000_000_000, monotonicMs: () => (this.#now += this.stepMs) },
      onFatal: (error) => this.fatal.push(error),
      log: (line) => this.lines.push(line),
      onFollowing: () => (this.isFollowing = true),
      onLeading: (epoch) => (this.epoch = epoch),
      limits: SMALL,
      signal: this.#ending.signal,
      ...changes,
    });
    this.heart.catch(() => undefined);
    members.push(this);
  }

  /** Whatever it is doing. */
  async end(): Promise<void> {
    this.store.isCut = false;
    this.#ending.abort();
    await this.heart.then((heart) => heart.stop()).catch(() => undefined);
  }
}

const hashOf = (folder: string): string => verifyFolder(folder, fakeEngines).stateHash;

describe('a heart on a shared journal', () => {
  test('[R2] has everything that was acknowledged after kill -9, though its folder is gone', async () => {
    const history = new MemoryHistory();
    const first = new Member(history);
    for (let person = 1; person <= 30; person += 1) await (await first.heart).submit(openAccount(person));
    const { stateHash } = (await first.heart).status();
    history.leader = { ...history.leader, hasResigned: true };
    const second = new Member(history);
    expect((await second.heart).status()).toMatchObject({ seq: 30 });
    expect(hashOf(second.folder)).toBe(hashOf(first.folder));
    expect(stateHash).toHaveLength(64);
    await (await second.heart).submit(openAccount(31));
    expect(verifyFolder(second.folder, fakeEngines)).toMatchObject({ seq: 31 });
  });

  test('goes on with the copy in its folder, over many segments, and keeps snapshots in it', async () => {
    const history = new MemoryHistory();
    const limits = { ...SMALL, segmentBytes: 2_048, snapshotEvery: 10 };
    let folder: string | undefined;
    for (let round = 0; round < 3; round += 1) {
      const member: Member = new Member(history, { limits, ...(folder === undefined ? {} : { folder }) });
      ({ folder } = member);
      const heart = await member.heart;
      for (let person = 1; person <= 25; person += 1) await heart.submit(openAccount(round * 25 + person));
      await heart.stop();
      expect(member.lines).toEqual([]);
    }
    expect(readdirSync(join(folder ?? '', 'journal')).length).toBeGreaterThan(3);
    expect(readdirSync(join(folder ?? '', 'snapshots'))).toHaveLength(2);
    expect(verifyFolder(folder ?? '', fakeEngines)).toMatchObject({ seq: 75, frames: { read: 75, chained: 75 }, tornBytes: 0 });
  });

  test('makes the copy again when a crash of the machine has torn or damaged it', async () => {
    const history = new MemoryHistory();
    const first = new Member(history);
    for (let person = 1; person <= 20; person += 1) await (await first.heart).submit(openAccount(person));
    await (await first.heart).stop();
    const [name] = readdirSync(join(first.folder, 'journal'));
    const path = join(first.folder, 'journal', name ?? '');
    const whole = nodeDisk.read(path).slice();
    for (const [offset, length] of [
      [whole.length - 40, 40],
      [200, 500],
      [0, 64],
    ] as const) {
      const file = nodeDisk.open(path);
      file.write(whole, 0);
      file.write(new Uint8Array(length), offset);
      file.close();
      const next: Member = new Member(history, { folder: first.folder });
      expect((await next.heart).status().seq).toBe(20);
      await (await next.heart).stop();
      expect(verifyFolder(first.folder, fakeEngines).seq).toBe(20);
    }
  });

  test('makes the copy again when it is of another history', async () => {
    const first = new Member(new MemoryHistory());
    await (await first.heart).submit(openAccount(1));
    await (await first.heart).stop();
    const second = new Member(new MemoryHistory(), { folder: first.folder });
    expect((await second.heart).status().seq).toBe(0);
    await (await second.heart).submit(openAccount(2));
    await (await second.heart).submit(openAccount(3));
    expect(verifyFolder(second.folder, fakeEngines).seq).toBe(2);
  });

  test('puts the journal of its folder into a store that has none, with its chain of hashes, and goes on with it', async () => {
    const folder = newFolder();
    for (let round = 0; round < 2; round += 1) {
      const { heart } = await openHeart(folder, { limits: { segmentBytes: 2_048 } });
      for (let person = 1; person <= 25; person += 1) await heart.submit(openAccount(round * 25 + person));
      await heart.stop();
    }
    const before = verifyFolder(folder, fakeEngines);
    const history = new MemoryHistory();
    const member = new Member(history, { folder });
    expect((await member.heart).status()).toMatchObject({ seq: 50, stateHash: before.stateHash });
    expect(member.lines.join()).toContain('50 commands of');
    await (await member.heart).submit(openAccount(51));
    await (await member.heart).stop();
    const elsewhere = new Member(history);
    expect((await elsewhere.heart).status().seq).toBe(51);
    expect(verifyFolder(elsewhere.folder, fakeEngines, new Map([[50, before.stateHash]]))).toMatchObject({ seq: 51, tornBytes: 0 });
  });

  test('does not touch a folder with a journal of its own when the store has another history, or the folder is damaged', async () => {
    const folder = newFolder();
    const { heart } = await openHeart(folder);
    for (let person = 1; person <= 10; person += 1) await heart.submit(openAccount(person));
    await heart.stop();
    const history = new MemoryHistory();
    const first = new Member(history);
    await (await first.heart).submit(openAccount(7));
    await expect(new Member(history, { folder }).heart).rejects.toThrow('and the shared journal has another history');
    expect(verifyFolder(folder, fakeEngines).seq).toBe(10);
    const [name] = readdirSync(join(folder, 'journal')).filter((each) => each.endsWith('.segment'));
    const file = nodeDisk.open(join(folder, 'journal', name ?? ''));
    file.write(new Uint8Array(8), 300);
    file.close();
    const empty = new MemoryHistory();
    await expect(new Member(empty, { folder }).heart).rejects.toThrow('the journal is damaged');
    expect(empty.frames).toEqual([]);
  });

  test('ends when nobody knows whether a frame is in the store; the next start finds it', async () => {
    const history = new MemoryHistory();
    const first = new Member(history);
    const heart = await first.heart;
    await heart.submit(openAccount(1));
    first.store.losesAnswer = true;
    await expect(heart.submit(openAccount(2))).rejects.toMatchObject({ failure: 'stopped', outcomeUnknown: true });
    expect(first.fatal).toHaveLength(1);
    history.leader = { ...history.leader, hasResigned: true };
    expect((await new Member(history).heart).status().seq).toBe(2);
  });

  test('takes only cancels while the store has no second copy, and says why', async () => {
    const member = new Member(new MemoryHistory());
    const heart = await member.heart;
    member.store.why = 'no standby of PostgreSQL has a copy of the journal';
    await expect(heart.submit(openAccount(1))).rejects.toMatchObject({ outcomeUnknown: false, message: member.store.why });
    expect(heart.unready()).toBe(member.store.why);
    await heart.submit(CANCEL);
    member.store.why = undefined;
    await heart.submit(openAccount(1));
    expect(heart.status().seq).toBe(2);
  });
});

describe('a heart that stands ready', () => {
  async function leaderAndStandby(): Promise<{ history: MemoryHistory; leader: Member; standby: Member; heart: Sequencer }> {
    const history = new MemoryHistory();
    const leader = new Member(history);
    const heart = await leader.heart;
    await heart.submit(openAccount(1));
    const standby = new Member(history);
    await vi.waitFor(() => expect(standby.isFollowing).toBe(true));
    return { history, leader, standby, heart };
  }

  test('follows while the other one lives, however long, and leads when it stops', async () => {
    const { standby, heart } = await leaderAndStandby();
    for (let person = 2; person <= 40; person += 1) await heart.submit(openAccount(person));
    await vi.waitFor(() => expect(verifyFolder(standby.folder, fakeEngines).seq).toBe(40));
    expect(standby.epoch).toBeUndefined();
    await heart.stop();
    const next = await standby.heart;
    expect(standby.epoch).toBe(2);
    expect(next.status().seq).toBe(40);
    await next.submit(openAccount(41));
  });

  test('[R6] leads when the beats of the other one are late, which then neither acknowledges nor publishes, and ends', async () => {
    const { leader, standby, heart } = await leaderAndStandby();
    const published: number[] = [];
    void (async () => {
      for await (const batch of heart.subscribe(heart.status().seq)) published.push(...batch.map(({ seq }) => seq));
    })();
    // The network of the leader is cut, with a frame on its way.
    const gate = Promise.withResolvers<void>();
    leader.store.gate = gate.promise;
    const pending = heart.submit(openAccount(2));
    const refused = expect(pending).rejects.toMatchObject({ outcomeUnknown: true });
    leader.store.isCut = true;
    standby.stepMs = 400;
    const next = await standby.heart;
    await next.submit(openAccount(3));
    leader.store.isCut = false;
    gate.resolve();
    await refused;
    expect(leader.fatal[0]?.message).toContain('another process has opened the journal after epoch 1');
    await expect(heart.submit(openAccount(4))).rejects.toMatchObject({ failure: 'stopped', outcomeUnknown: false });
    expect(published).toEqual([]);
    expect(verifyFolder(standby.folder, fakeEngines).seq).toBe(2);
  });

  test('[R6] a deposed heart that has nothing to write ends too', async () => {
    const { history, leader } = await leaderAndStandby();
    history.leader = { epoch: history.leader.epoch + 1, beats: 0, hasResigned: false };
    await vi.waitFor(() => expect(leader.fatal).toHaveLength(1), { timeout: 5_000 });
  });

  test('of two that stand ready one leads, and the other follows it', async () => {
    const { history, leader, standby, heart } = await leaderAndStandby();
    const third = new Member(history);
    await vi.waitFor(() => expect(third.isFollowing).toBe(true));
    leader.store.isCut = true;
    void heart.stop();
    [standby.stepMs, third.stepMs] = [400, 400];
    const next = await Promise.race([standby.heart, third.heart]);
    [standby.stepMs, third.stepMs] = [0, 0];
    await next.submit(openAccount(2));
    const waiting = standby.epoch === undefined ? standby : third;
    await vi.waitFor(() => expect(verifyFolder(waiting.folder, fakeEngines).seq).toBe(2));
    expect(waiting.epoch).toBeUndefined();
  });

  test('waits while the store does not answer, says so, and is ended by its signal', async () => {
    const history = new MemoryHistory();
    await new Member(history).heart;
    const stopping = new AbortController();
    const standby = new Member(history, { signal: stopping.signal });
    await vi.waitFor(() => expect(standby.isFollowing).toBe(true));
    standby.store.isCut = true;
    await vi.waitFor(() => expect(standby.lines.join()).toContain('does not answer'));
    standby.store.isCut = false;
    await vi.waitFor(() => expect(standby.lines.join()).toContain('answers again'));
    stopping.abort(new Error('stopping'));
    await expect(standby.heart).rejects.toThrow('stopping');
    rmSync(standby.folder, { recursive: true });
  });
});
