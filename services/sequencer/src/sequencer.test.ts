import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { HeartError } from '@orrery/protocol';
import type { Applied, Command, View, Receipt } from '@orrery/protocol';
import { accountId, atoms, lots, marketId, ppm, seq, ticks } from '@orrery/units';
import type { GroupTimes } from './options.ts';
import type { Sequencer } from './sequencer.ts';
import { personAddress } from './testing/fake-engine.ts';
import { diskError, FaultyDisk } from './testing/faulty-disk.ts';
import { newFolder, openHeart, removeFolders } from './testing/open-heart.ts';

afterEach(removeFolders);

const openAccount = (person: number): Command => ({ type: 'OpenAccount', address: personAddress(person) });
const cancel: Command = { type: 'CancelAllOrders', account: accountId(1), market: 0 };
const poison: Command = {
  type: 'PlaceOrder',
  account: accountId(1),
  market: marketId(3),
  clientOrderId: 'poison',
  side: 'buy',
  orderType: 'limit',
  timeInForce: 'GTC',
  price: ticks(1),
  size: lots(1),
  funds: atoms(0n),
  triggerPrice: ticks(0),
  slippagePpm: ppm(0),
  selfTradePrevention: 'expireTaker',
};

async function collect(view: View | { tail: AsyncIterable<readonly Applied[]> }, count: number): Promise<readonly Applied[]> {
  const all: Applied[] = [];
  for await (const batch of view.tail) {
    all.push(...batch);
    if (all.length >= count) break;
  }
  return all;
}

async function reopenAndStop(folder: string): Promise<Sequencer> {
  const { heart } = await openHeart(folder);
  await heart.stop();
  return heart;
}

const range = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index + 1);

test('commands are numbered from 1, answered in order, and time never runs backwards', async () => {
  const times = [50, 40, 60, 10];
  const clock = { wallMs: () => times.shift() ?? 0, monotonicMs: () => 0 };
  const { heart } = await openHeart(newFolder(), { clock });
  const receipts = await Promise.all(range(4).map((person) => heart.submit(openAccount(person))));
  expect(receipts.map(({ seq }) => seq)).toEqual([1, 2, 3, 4]);
  expect(receipts.map(({ at }) => at)).toEqual([50, 50, 60, 60]);
  expect(receipts[2]?.events).toEqual([{ type: 'AccountOpened', account: 3, address: personAddress(3) }]);
  await heart.stop();
});

test('commands that arrive together share one sync, and the next group gathers while it runs', async () => {
  const disk = new FaultyDisk();
  const { heart } = await openHeart(newFolder(), { disk });
  await heart.submit(openAccount(1));
  const before = disk.syncs;
  const gate = Promise.withResolvers<void>();
  disk.gate = gate.promise;
  const first = range(100).map((person) => heart.submit(openAccount(person)));
  await expect.poll(() => disk.syncs).toBe(before + 1);
  const second = range(100).map((person) => heart.submit(openAccount(person)));
  gate.resolve();
  await Promise.all([...first, ...second]);
  expect(disk.syncs).toBe(before + 2);
  await heart.stop();
});

test('nothing leaves before it is durable: no answer, no event, no fact', async () => {
  const disk = new FaultyDisk();
  const { heart } = await openHeart(newFolder(), { disk });
  await heart.submit(openAccount(1));
  const early = heart.open();
  const gate = Promise.withResolvers<void>();
  disk.gate = gate.promise;
  const syncs = disk.syncs;
  let answered = false;
  const pending = heart.submit(openAccount(2)).finally(() => {
    answered = true;
  });
  await expect.poll(() => disk.syncs).toBe(syncs + 1);
  const late = heart.open();
  expect(answered).toBe(false);
  expect(heart.status().seq).toBe(1);
  expect({ seq: late.seq, facts: late.facts }).toEqual({ seq: early.seq, facts: early.facts });
  expect(late.facts).toHaveLength(1);
  gate.resolve();
  await pending;
  expect((await collect(late, 1)).map(({ seq }) => seq)).toEqual([2]);
  expect(heart.open().facts).toHaveLength(2);
  await heart.stop();
});

test('a view and its tail have no gap and no repetition, whenever it is opened', async () => {
  const { heart } = await openHeart(newFolder());
  const views: { view: View; rest: Promise<readonly Applied[]> }[] = [];
  const total = 500;
  for (let sent = 0; sent < total; sent += 25) {
    const group = range(25).map((person) => heart.submit(openAccount(person)));
    const view = heart.open();
    views.push({ view, rest: collect(view, total - view.seq) });
    await Promise.all(group);
  }
  for (const { view, rest } of views) {
    expect((await rest).map(({ seq }) => seq)).toEqual(range(total).slice(view.seq));
  }
  await heart.stop();
});

/** The part of an applied command that its submitter receives. */
const receiptOf = ({ seq: place, at, events }: Receipt): Receipt => ({ seq: place, at, events });

test('history is read from any command on: from the files when it left memory, and the same either way', async () => {
  const folder = newFolder();
  const { heart } = await openHeart(folder, { limits: { snapshotEvery: 100, segmentBytes: 4_096, reserveBytes: 4_096 } });
  const receipts = [];
  for (let sent = 0; sent < 400; sent += 20)
    receipts.push(...(await Promise.all(range(20).map((person) => heart.submit(openAccount(sent + person))))));
  for (const after of [0, 1, 99, 100, 101, 250, 335, 336, 399]) {
    const reported = await collect({ tail: heart.subscribe(seq(after)) }, 400 - after);
    expect(reported.map(receiptOf)).toEqual(receipts.slice(after).map(receiptOf));
  }
  await heart.stop();
  const reopened = (await openHeart(folder)).heart;
  expect((await collect({ tail: reopened.subscribe(seq(0)) }, 400)).map(({ events }) => events)).toEqual(
    receipts.map(({ events }) => events),
  );
  await reopened.stop();
});

test('a reader that knows more than history is refused, not left waiting', async () => {
  const { heart } = await openHeart(newFolder());
  await heart.submit(openAccount(1));
  expect(() => heart.subscribe(seq(2))).toThrow('history ends with command 1: nothing can be reported after 2');
  await heart.stop();
});

test('a tail ends when it is closed and when the heart stops, after the last fact', async () => {
  const { heart } = await openHeart(newFolder());
  const closed = heart.open();
  const open = heart.open();
  const untilClosed = collect(closed, 10);
  const untilStopped = collect(open, 10);
  await heart.submit(openAccount(1));
  closed.close();
  expect((await untilClosed).length).toBeLessThanOrEqual(1);
  const last = heart.submit(openAccount(2));
  await heart.stop();
  await last;
  expect((await untilStopped).map(({ seq }) => seq)).toEqual([1, 2]);
});

test('state, time and hash survive a restart', async () => {
  const folder = newFolder();
  const first = await openHeart(folder);
  for (const person of range(23)) await first.heart.submit(openAccount(person));
  await first.heart.stop();
  const stopped = first.heart.status();
  const second = await openHeart(folder);
  expect(second.heart.status()).toMatchObject({ seq: 23, at: stopped.at });
  expect(second.heart.open().facts).toHaveLength(23);
  expect((await second.heart.submit(openAccount(7))).events).toMatchObject([{ account: 7 }]);
  await second.heart.stop();
  expect(second.lines).toEqual([]);
});

test('the larger the state, the more seldom it is hashed', async () => {
  // Some 110 bytes and 45 for each person.
  const { heart } = await openHeart(newFolder(), {
    limits: { encodedBytesPerCommand: 34 },
    clock: { wallMs: () => 1_700_000_000_000, monotonicMs: () => 0 },
  });
  const hashedAt = new Set<number>();
  for (const person of range(40)) {
    await heart.submit(openAccount(person));
    hashedAt.add(heart.status().stateHashSeq);
  }
  expect([...hashedAt]).toEqual([0, 5, 15, 40]);
  await heart.stop();
});

test('a command that the journal cannot hold is refused by a HeartError and takes no place in history', async () => {
  const { heart } = await openHeart(newFolder());
  await expect(heart.submit({ type: 'RefundWithdrawal', withdrawalId: 'é' })).rejects.toMatchObject({
    name: 'HeartError',
    failure: 'unencodable',
    outcomeUnknown: false,
  });
  expect((await heart.submit(openAccount(1))).seq).toBe(1);
  await heart.stop();
});

test('a poisoned command changes nothing, closes its market, and is skipped by every replay', async () => {
  const folder = newFolder();
  const { heart, lines, fatal } = await openHeart(folder);
  await Promise.all(range(12).map((person) => heart.submit(openAccount(person))));
  const group = [heart.submit(openAccount(13)), heart.submit(poison), heart.submit(openAccount(14))];
  const [before, poisoned, after] = await Promise.all(group);
  expect(before?.events).toMatchObject([{ account: 13 }]);
  expect(poisoned).toMatchObject({ seq: 14, events: [{ type: 'CommandRejected', reason: 'InternalReject', field: '' }] });
  expect(after).toMatchObject({ seq: 16, events: [{ account: 14 }] });
  expect(lines).toEqual(['command 14 (PlaceOrder) could not be applied and is skipped: a bug of the engine']);
  expect(fatal).toEqual([]);
  const reported = await collect({ tail: heart.subscribe(seq(0)) }, 16);
  expect(reported[13]?.events).toEqual(poisoned?.events);
  expect(reported[14]).toMatchObject({
    command: { type: 'SetMarketState', market: 3, state: 'CANCEL_ONLY' },
    events: [{ type: 'MarketStateChanged' }],
  });
  await heart.stop();
  const { stateHash, stateHashSeq } = (await reopenAndStop(folder)).status();
  // Without the snapshot of the stop the whole history is replayed, and the hashes in it are compared.
  rmSync(join(folder, 'snapshots'), { recursive: true });
  expect((await reopenAndStop(folder)).status()).toMatchObject({ seq: 16, stateHash, stateHashSeq });
});

test('too many waiting commands are refused as overloaded, and nothing of them is known to history', async () => {
  const disk = new FaultyDisk();
  const { heart } = await openHeart(newFolder(), { disk, limits: { pendingCommands: 10 } });
  await heart.submit(openAccount(1));
  const gate = Promise.withResolvers<void>();
  disk.gate = gate.promise;
  const taken = range(10).map((person) => heart.submit(openAccount(person)));
  await expect(heart.submit(openAccount(11))).rejects.toMatchObject({ failure: 'overloaded', outcomeUnknown: false });
  gate.resolve();
  await Promise.all(taken);
  expect((await heart.submit(openAccount(12))).seq).toBe(12);
  await heart.stop();
});

test.each([
  [
    'a failed sync',
    (disk: FaultyDisk) => {
      disk.syncFault = diskError('EIO');
    },
  ],
  [
    'a full disk',
    (disk: FaultyDisk) => {
      disk.writeFault = diskError('ENOSPC');
    },
  ],
  [
    'a short write before the error',
    (disk: FaultyDisk) => {
      disk.shortWrite = 7;
      disk.writeFault = diskError('ENOSPC');
    },
  ],
])('%s stops the heart for good: pending fail, no sync is tried again, the restart has every answered command', async (_name, plant) => {
  const folder = newFolder();
  const disk = new FaultyDisk();
  const { heart, fatal } = await openHeart(folder, { disk });
  for (const person of range(9)) await heart.submit(openAccount(person));
  plant(disk);
  const syncs = disk.syncs;
  const pending = await Promise.allSettled(range(3).map((person) => heart.submit(openAccount(person))));
  for (const outcome of pending) {
    expect(outcome.status).toBe('rejected');
    if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ failure: 'stopped', outcomeUnknown: true });
  }
  await expect(heart.submit(openAccount(1))).rejects.toMatchObject({ failure: 'stopped', outcomeUnknown: false });
  expect(fatal).toHaveLength(1);
  expect(fatal[0]).toBeInstanceOf(HeartError);
  expect(disk.syncs - syncs).toBeLessThanOrEqual(1);
  await heart.stop();
  expect(disk.syncs - syncs).toBeLessThanOrEqual(1);
  const again = await openHeart(folder);
  const { seq: recovered } = again.heart.status();
  // What was pending may or may not be there; what was answered is.
  expect(recovered === 9 || recovered === 12).toBe(true);
  await again.heart.stop();
});

test('when the reserve is used up too, the heart stops for good and lets go of the folder; the restart has every answered command', async () => {
  const folder = newFolder();
  const disk = new FaultyDisk();
  const { heart, fatal } = await openHeart(folder, { disk, limits: { segmentBytes: 1_024, reserveBytes: 1_024 } });
  disk.createFault = diskError('ENOSPC');
  let answered = 0;
  const outcome = await submitUntilRefused(heart, () => {
    answered += 1;
  });
  expect(outcome).toMatchObject({ failure: 'stopped', outcomeUnknown: true });
  expect(fatal).toHaveLength(1);
  await heart.stop();
  const again = await openHeart(folder);
  expect(again.heart.status().seq).toBe(answered);
  await again.heart.stop();
});

test('a journal opens on a disk that gives no new file: cancels are taken in the reserve, and everything when there is room again', async () => {
  const folder = newFolder();
  const limits = { segmentBytes: 1_024, reserveBytes: 8_192 };
  const first = await openHeart(folder, { limits });
  for (const person of range(8)) await first.heart.submit(openAccount(person));
  await first.heart.stop();
  const disk = new FaultyDisk();
  disk.createFault = diskError('ENOSPC');
  let nowMs = 0;
  const { heart } = await openHeart(folder, { disk, limits, clock: { wallMs: () => 1, monotonicMs: () => nowMs } });
  expect(heart.status().seq).toBe(8);
  await expect(heart.submit(openAccount(8))).rejects.toMatchObject({ failure: 'cancelsOnly', outcomeUnknown: false });
  expect((await heart.submit(cancel)).seq).toBe(9);
  disk.createFault = undefined;
  nowMs += 1_000;
  await heart.submit(cancel);
  // What was used up is prepared again beside the commands.
  await expect.poll(() => heart.unready()).toBeUndefined();
  expect((await heart.submit(openAccount(8))).events[0]).toMatchObject({ type: 'AccountOpened' });
  await heart.stop();
  const again = await openHeart(folder);
  expect(again.heart.status().seq).toBe(11);
  await again.heart.stop();
});

async function submitUntilRefused(heart: Sequencer, onAnswer: () => void): Promise<unknown> {
  for (;;) {
    try {
      await heart.submit(cancel);
    } catch (error) {
      return error;
    }
    onAnswer();
  }
}

test('on a disk with less than a tenth free only cancels are taken, until there is room again', async () => {
  const disk = new FaultyDisk();
  let nowMs = 0;
  const { heart, lines } = await openHeart(newFolder(), { disk, clock: { wallMs: () => 1, monotonicMs: () => nowMs } });
  await heart.submit(openAccount(1));
  expect(heart.unready()).toBeUndefined();
  disk.free = 0.09;
  nowMs += 1_000;
  expect(heart.unready()).toMatch(/disk of the journal is almost full/);
  await expect(heart.submit(openAccount(2))).rejects.toMatchObject({ failure: 'cancelsOnly', outcomeUnknown: false });
  expect((await heart.submit(cancel)).seq).toBe(2);
  disk.free = 0.2;
  nowMs += 1_000;
  expect(heart.unready()).toBeUndefined();
  expect((await heart.submit(openAccount(2))).seq).toBe(3);
  expect(lines).toEqual([
    '0.09 GB of the disk are free: only cancels are taken until there are 0.10 GB. Remove files from the volume of the data folder, or enlarge it',
    '0.20 GB of the disk are free: everything is taken again',
  ]);
  await heart.stop();
});

test('a heart that takes cancels or nothing, as its operator wants it, says so and changes nothing else', async () => {
  const folder = newFolder();
  const opening = (): readonly Command[] => [cancel];
  const first = await openHeart(folder);
  await first.heart.submit(openAccount(1));
  await first.heart.stop();
  const reading = await openHeart(folder, { accepts: 'nothing', opening });
  for (const command of [openAccount(2), cancel])
    await expect(reading.heart.submit(command)).rejects.toMatchObject({ failure: 'readOnly', outcomeUnknown: false });
  expect([reading.heart.unready(), reading.heart.status().seq]).toEqual([expect.stringContaining('read only'), 1]);
  await reading.heart.stop();
  const careful = await openHeart(folder, { accepts: 'cancels' });
  await expect(careful.heart.submit(openAccount(2))).rejects.toMatchObject({ failure: 'cancelsOnly', outcomeUnknown: false });
  expect([careful.heart.unready(), (await careful.heart.submit(cancel)).seq]).toEqual([expect.stringContaining('cancels only'), 2]);
  await careful.heart.stop();
  const { heart } = await openHeart(folder, { opening });
  expect([heart.unready(), (await heart.submit(openAccount(2))).seq]).toEqual([undefined, 4]);
  await heart.stop();
});

test('cancels go on in the reserve when the disk gives no new file, and everything goes on when it does again', async () => {
  const folder = newFolder();
  const disk = new FaultyDisk();
  let nowMs = 0;
  const options = { disk, clock: { wallMs: () => 1, monotonicMs: () => nowMs }, limits: { segmentBytes: 1_024, reserveBytes: 8_192 } };
  const { heart, lines } = await openHeart(folder, options);
  for (const person of range(8)) await heart.submit(openAccount(person));
  disk.createFault = diskError('ENOSPC');
  const refused: unknown[] = [];
  for (const person of range(40)) await heart.submit(openAccount(person)).catch((error: unknown) => refused.push(error));
  expect(refused[0]).toMatchObject({ failure: 'cancelsOnly' });
  for (const _ of range(60)) await heart.submit(cancel);
  disk.createFault = undefined;
  nowMs += 1_000;
  await heart.submit(cancel);
  await expect
    .poll(async () =>
      heart.submit(openAccount(1)).then(
        () => true,
        () => false,
      ),
    )
    .toBe(true);
  expect(lines).toEqual([expect.stringContaining('gave no room'), 'the disk has room for the journal again']);
  const status = heart.status();
  await heart.stop();
  const again = await openHeart(folder, options);
  expect(again.heart.status().seq).toBe(status.seq);
  await again.heart.stop();
});

test('each group is measured: its commands, its bytes, and how long it waited, was applied, synced and answered', async () => {
  let now = 0;
  const disk = new FaultyDisk();
  const groups: GroupTimes[] = [];
  const clock = { wallMs: () => now, monotonicMs: () => now };
  const { heart } = await openHeart(newFolder(), { disk, clock, onGroup: (times) => groups.push(times) });
  await heart.submit(openAccount(1));
  expect(groups).toEqual([{ commands: 1, bytes: expect.any(Number), queueMs: 0, applyMs: 0, journalMs: 0, answerMs: 0 }]);
  const gate = Promise.withResolvers<void>();
  disk.gate = gate.promise;
  const { syncs } = disk;
  const first = heart.submit(openAccount(2));
  await expect.poll(() => disk.syncs).toBe(syncs + 1);
  const later = [heart.submit(openAccount(3)), heart.submit(openAccount(4))];
  expect(heart.pending).toBe(3);
  now = 25;
  gate.resolve();
  await Promise.all([first, ...later]);
  expect(groups.slice(1)).toMatchObject([
    { commands: 1, queueMs: 0, journalMs: 25 },
    { commands: 2, queueMs: 25, journalMs: 0 },
  ]);
  expect(groups[2]?.bytes).toBeGreaterThan(groups[1]?.bytes ?? Infinity);
  expect(heart.pending).toBe(0);
  await heart.stop();
});
