/** A heart without a projector: who makes the hashes and snapshots of its states. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { nodeDisk, openSequencer, type Sequencer, type StateProof } from '@orrery/sequencer';
import { addressOf } from '../../../core/engine/src/testing/random-commands.ts';
import { ENGINES } from '../engines.ts';
import { DurableSeq } from './durable-seq.ts';
import { startProverThread } from './prover-thread.ts';

const LIMITS = { hashEvery: 50, snapshotEvery: 100, encodedBytesPerCommand: Infinity };
/** Longer than a thread takes to start, and to prove while it rests. */
const REST_MS = 3_000;
const raise = (error: unknown): never => {
  throw error;
};

let directory: string;
let endings: (() => Promise<void>)[];
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'orrery-prover-'));
  endings = [];
});
afterEach(async () => {
  for (const end of endings.toReversed()) await end();
  rmSync(directory, { recursive: true, force: true });
});

async function open(): Promise<{ readonly heart: Sequencer; readonly durableSeq: DurableSeq }> {
  const durableSeq = new DurableSeq();
  const heart = await openSequencer({
    directory,
    engines: ENGINES,
    disk: nodeDisk,
    clock: { wallMs: Date.now, monotonicMs: () => performance.now() },
    onFatal: raise,
    log: () => undefined,
    provedBy: 'follower',
    onDurable: (seq) => durableSeq.report(seq),
  });
  endings.push(() => heart.stop());
  return { heart, durableSeq };
}

function prove(durableSeq: DurableSeq, onDiverged: (error: Error) => void = raise): readonly StateProof[] {
  const proofs: StateProof[] = [];
  const onProof = (proof: StateProof): void => void proofs.push(proof);
  endings.push(startProverThread({ directory, durableSeq, limits: LIMITS, onProof, onDiverged, onTrouble: raise, log: () => undefined }));
  return proofs;
}

test('a thread beside it proves what is durable and keeps snapshots, with nothing stopped in an orderly way', async () => {
  const { heart, durableSeq } = await open();
  const proofs = prove(durableSeq);
  // It waits for the first command, and after some for more.
  await pause(REST_MS);
  for (let number = 1; number <= 200; number += 1) await heart.submit({ type: 'OpenAccount', address: addressOf(number) });
  await expect.poll(() => proofs.at(-1)?.seq, { timeout: 20_000 }).toBe(200);
  await pause(REST_MS);
  for (let number = 201; number <= 250; number += 1) await heart.submit({ type: 'OpenAccount', address: addressOf(number) });
  await expect.poll(() => proofs.at(-1)?.seq, { timeout: 20_000 }).toBe(250);
  await expect.poll(() => readdirSync(join(directory, 'snapshots')).length, { timeout: 20_000 }).toBeGreaterThan(0);
  heart.acceptProof(proofs.at(-1) ?? raise(new Error('there is a proof')));
  const { stateHash, stateHashSeq } = heart.status();
  expect(stateHashSeq).toBe(250);
  await endings.pop()?.();
  await endings.pop()?.();
  const again = await open();
  expect(again.heart.status()).toMatchObject({ seq: 250, stateHash });
});
