/** The hashes and snapshots that a follower makes, and what the matching side proves without them. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { createEngine, decodeState, type Engine } from '@orrery/engine';
import type { Command } from '@orrery/protocol';
import { assetId, atoms, seq, type Seq } from '@orrery/units';
import type { EngineFactory } from './engine-factory.ts';
import { ReplayDiffers } from './damage.ts';
import { followFolder } from './folder-follower.ts';
import { nodeDisk } from './node-disk.ts';
import type { StateProof } from './prover.ts';
import { personAddress } from './testing/fake-engine.ts';
import { newFolder, openHeart, removeFolders } from './testing/open-heart.ts';
import { verifyFolder } from './verify.ts';

afterEach(removeFolders);

const ENGINES: EngineFactory = { createEngine, decodeState };
const LIMITS = { hashEvery: 50, snapshotEvery: 100, encodedBytesPerCommand: Infinity };

const USDC = assetId(1);
const listing: Command = { type: 'RegisterAsset', asset: USDC, code: 'USDC', decimals: 6, kind: 'chain' };
const deposit = (number: number): Command => ({
  type: 'CreditDeposit',
  key: `d${number}`,
  address: personAddress(1 + (number % 7)),
  asset: USDC,
  amount: atoms(BigInt(number)),
});

/** Counts how often the whole state is encoded. */
function counting(): { engines: EngineFactory; encoded: () => number } {
  let encoded = 0;
  const counted = (engine: Engine): Engine => ({
    ...engine,
    encodeState(layout) {
      encoded += 1;
      return engine.encodeState(layout);
    },
  });
  const engines = { createEngine: () => counted(createEngine()), decodeState: (bytes: Uint8Array) => counted(decodeState(bytes)) };
  return { engines, encoded: () => encoded };
}

interface Follower {
  readonly proofs: StateProof[];
  /** Reads up to a command. */
  readTo(last: number): Promise<void>;
}

function follow(folder: string, durable: () => Seq, engines = ENGINES): Follower {
  const proofs: StateProof[] = [];
  let now = 0;
  const follower = followFolder({
    directory: folder,
    disk: nodeDisk,
    engines,
    end: { seq: durable, grown: () => new Promise((resolve) => setTimeout(resolve, 5)) },
    log: () => undefined,
    // Each look at the clock is a minute later: proofs are never too soon.
    proofs: { limits: LIMITS, monotonicMs: () => (now += 60_000), onProof: (proof) => proofs.push(proof) },
  });
  const batches = follower.subscribe(seq(0))[Symbol.asyncIterator]();
  let read = 0;
  return {
    proofs,
    async readTo(last) {
      while (read < last) {
        const { value } = await batches.next();
        read = value?.at(-1)?.seq ?? last;
      }
    },
  };
}

test('status, and thousands of commands, never encode the state where orders are matched, and the status has what the follower proved', async () => {
  const folder = newFolder();
  const { engines, encoded } = counting();
  const { heart } = await openHeart(folder, { engines, provedBy: 'follower', limits: { hashEvery: 50, snapshotEvery: 100 } });
  const atStart = encoded();
  const follower = follow(folder, () => heart.status().seq);
  await heart.submit(listing);
  for (let number = 1; number < 1_000; number += 1) {
    await heart.submit(deposit(number));
    expect(heart.status().seq).toBe(number + 1);
  }
  expect(encoded()).toBe(atStart);
  await follower.readTo(1_000);
  // The next one is asked for and not there: the reader has nothing to read, and proves.
  void follower.readTo(1_001);
  await expect.poll(() => follower.proofs.at(-1)?.seq).toBe(1_000);
  heart.acceptProof(follower.proofs.at(-1)!);
  const { stateHash, stateHashSeq } = heart.status();
  expect(stateHashSeq).toBe(1_000);
  expect(readdirSync(join(folder, 'snapshots')).length).toBeGreaterThan(0);
  await heart.stop();
  const verdict = verifyFolder(folder, ENGINES, new Map([[1_000, stateHash]]));
  // Twenty running hashes, the snapshots and the hash of the status.
  expect(verdict.checked).toBeGreaterThanOrEqual(21);
});

test('a proof of a command that is not durable, or older than the last one, is not shown', async () => {
  const { heart } = await openHeart(newFolder(), { engines: ENGINES, provedBy: 'follower' });
  await heart.submit(listing);
  heart.acceptProof({ seq: 2, hash: new Uint8Array(32).fill(7) });
  expect(heart.status().stateHashSeq).toBe(0);
  heart.acceptProof({ seq: 1, hash: new Uint8Array(32).fill(8) });
  heart.acceptProof({ seq: 0, hash: new Uint8Array(32).fill(9) });
  expect(heart.status()).toMatchObject({ stateHashSeq: 1, stateHash: '08'.repeat(32) });
  await heart.stop();
});

test('R1: a follower whose engine reaches other balances finds it by the next running hash', async () => {
  const folder = newFolder();
  const { heart } = await openHeart(folder, { engines: ENGINES, provedBy: 'follower', limits: { hashEvery: 50 } });
  await heart.submit(listing);
  for (let number = 1; number < 120; number += 1) await heart.submit(deposit(number));
  // It credits an atom more, once.
  const other: EngineFactory = {
    ...ENGINES,
    createEngine: () => {
      const engine = createEngine();
      return {
        ...engine,
        apply: (sequenced) =>
          engine.apply(sequenced.seq === 30 ? { ...sequenced, command: { ...deposit(29), amount: atoms(30n) } as Command } : sequenced),
      };
    },
  };
  await expect(follow(folder, () => heart.status().seq, other).readTo(120)).rejects.toThrow(ReplayDiffers);
  await heart.stop();
});

test('R4: a replay that begins at a snapshot compares the running hashes that it can, and the sequencer goes on with whole ones', async () => {
  const folder = newFolder();
  for (let life = 0; life < 4; life += 1) {
    const { heart } = await openHeart(folder, { engines: ENGINES, provedBy: 'follower', limits: { hashEvery: 50 } });
    if (life === 0) await heart.submit(listing);
    for (let number = 1; number < 130; number += 1) await heart.submit(deposit(life * 1_000 + number));
    await heart.stop();
  }
  const { checked, seq: last } = verifyFolder(folder, ENGINES);
  expect(last).toBe(4 * 129 + 1);
  // Ten running hashes, of which the first after each of three restarts is not whole; and two snapshots.
  expect(checked).toBe(10 - 3 + 2);
});

test('M1: balances that do not sum to zero are found by the proof', async () => {
  const folder = newFolder();
  const { heart } = await openHeart(folder, { engines: ENGINES, provedBy: 'follower', limits: { hashEvery: 50 } });
  await heart.submit(listing);
  for (let number = 1; number < 60; number += 1) await heart.submit(deposit(number));
  const unbalanced: EngineFactory = {
    ...ENGINES,
    createEngine: () => ({ ...createEngine(), imbalance: () => 'the balances of all accounts do not sum to zero: USDC by 1' }),
  };
  const follower = follow(folder, () => heart.status().seq, unbalanced);
  await follower.readTo(60);
  await expect(follower.readTo(61)).rejects.toThrow('after command 60 the balances of all accounts do not sum to zero: USDC by 1');
  await heart.stop();
});
