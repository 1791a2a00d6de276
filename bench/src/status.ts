/**
 * Whether a health check delays orders: 1,000 durable orders a second into an exchange with a million accounts, by turns alone and with `status`
 * every 100 ms. A thread beside the heart proves the state, as in the exchange.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { createEngine, decodeState } from '@orrery/engine';
import { DurableSeq } from '@orrery/exchange/durable-seq';
import type { Command } from '@orrery/protocol';
import { nodeDisk, openSequencer, type Sequencer, type StateProof } from '@orrery/sequencer';
import { GrowthFlow } from './engine/growth-flow.ts';
import { median, quantile, rounded, whole } from './measure.ts';
import type { Findings, Part } from './part.ts';
import type { FollowerData } from './status/follow.ts';

const ACCOUNTS = 1_000_000;
const RESTING = 10_000;
const ORDERS_PER_MS = 1;
const ORDERS_PER_RUN = 10_000;
const STATUS_EVERY_MS = 100;
const PAIRS = 5;
/** Commands that open the exchange are submitted this many at a time. */
const OPENING_BATCH = 8_192;

export const statusPart: Part = {
  name: 'status',
  about: 'orders into an exchange with a million accounts, alone and with a status every 100 ms',
  nodeOptions: ['--max-old-space-size=8192'],
  measure,
};

/** In milliseconds, from the moment when an order is due to its durable answer. */
interface Latencies {
  readonly p50: number;
  readonly p99: number;
  readonly p999: number;
  readonly slowest: number;
}

async function measure(): Promise<Findings> {
  const directory = mkdtempSync(join(tmpdir(), 'orrery-bench-'));
  try {
    return await measureIn(directory);
  } finally {
    rmSync(directory, { recursive: true });
  }
}

async function measureIn(directory: string): Promise<Findings> {
  const durable = new DurableSeq();
  const heart = await openSequencer({
    directory,
    engines: { createEngine, decodeState },
    disk: nodeDisk,
    clock: { wallMs: () => Date.now(), monotonicMs: () => performance.now() },
    onFatal: (error) => {
      throw error;
    },
    provedBy: 'follower',
    onDurable: (seq) => durable.report(seq),
    log: () => undefined,
    limits: { minFreeRatio: 0 },
  });
  const flow = new GrowthFlow({ resting: RESTING, accounts: ACCOUNTS, markets: 1 });
  await open(heart, flow.prelude());
  const proofs: number[] = [];
  const follower = await startFollower({ directory, memory: durable.memory }, (proof) => {
    heart.acceptProof(proof);
    proofs.push(proof.seq);
  });
  const alone: Latencies[] = [];
  const polled: Latencies[] = [];
  for (let pair = 0; pair < PAIRS; pair += 1) {
    alone.push(await latenciesOf(heart, flow));
    const timer = setInterval(() => heart.status(), STATUS_EVERY_MS);
    polled.push(await latenciesOf(heart, flow));
    clearInterval(timer);
  }
  await follower.terminate();
  await heart.stop();
  return findings(alone, polled, proofs.length);
}

function findings(alone: readonly Latencies[], polled: readonly Latencies[], proofs: number): Findings {
  const of = (runs: readonly Latencies[], field: keyof Latencies): number => rounded(median(runs.map((run) => run[field])), 3);
  const all = (runs: readonly Latencies[]): Latencies => ({
    p50: of(runs, 'p50'),
    p99: of(runs, 'p99'),
    p999: of(runs, 'p999'),
    slowest: of(runs, 'slowest'),
  });
  const figures = { accounts: ACCOUNTS, proofs, alone: all(alone), polled: all(polled) };
  const ratio = rounded(figures.polled.p999 / figures.alone.p999, 2);
  const line = ({ p50, p99, p999, slowest }: Latencies): string => `p50 ${p50} ms, p99 ${p99} ms, p99.9 ${p999} ms, slowest ${slowest} ms`;
  return {
    figures: { status: { ratio, ...figures } },
    lines: [
      `${whole(ACCOUNTS)} accounts, 1,000 orders/s alone:  ${line(figures.alone)}`,
      `with status every ${STATUS_EVERY_MS} ms:             ${line(figures.polled)}`,
      `ratio of p99.9 ${ratio} x (median of ${PAIRS} pairs of 10 s; ${proofs} proofs of the whole state meanwhile or before)`,
    ],
  };
}

async function open(heart: Sequencer, prelude: Iterable<Command>): Promise<void> {
  let batch: Promise<void>[] = [];
  for (const command of prelude) {
    batch.push(submit(heart, command));
    if (batch.length < OPENING_BATCH) continue;
    await Promise.all(batch);
    batch = [];
  }
  await Promise.all(batch);
}

async function submit(heart: Sequencer, command: Command): Promise<void> {
  const { events } = await heart.submit(command);
  if (events[0]?.type === 'CommandRejected') throw new Error(`${command.type} was rejected: ${events[0].reason}`);
}

/** Resolves with the first proof: then the follower is at the end of history. */
async function startFollower(workerData: FollowerData, onProof: (proof: StateProof) => void): Promise<Worker> {
  const worker = new Worker(new URL('./status/follow.ts', import.meta.url), {
    workerData,
    resourceLimits: { maxOldGenerationSizeMb: 8_192 },
  });
  await new Promise<void>((resolve, reject) => {
    worker.on('error', reject);
    worker.on('message', (proof: StateProof) => {
      onProof(proof);
      resolve();
    });
  });
  return worker;
}

async function latenciesOf(heart: Sequencer, flow: GrowthFlow): Promise<Latencies> {
  const orders = [...flow.orders(ORDERS_PER_RUN)];
  const waits = new Float64Array(orders.length);
  const started = performance.now();
  const answers: Promise<void>[] = [];
  while (answers.length < orders.length) {
    const due = Math.min(orders.length, Math.floor((performance.now() - started) * ORDERS_PER_MS));
    for (let index = answers.length; index < due; index += 1) {
      const command = orders[index];
      if (command === undefined) break;
      const dueAt = started + (index + 1) / ORDERS_PER_MS;
      answers.push(
        submit(heart, command).then(() => {
          waits[index] = performance.now() - dueAt;
        }),
      );
    }
    // Timers are a millisecond late and more: the turns of the event loop are short.
    await nextTurn();
  }
  await Promise.all(answers);
  return { p50: median(waits), p99: quantile(waits, 0.99), p999: quantile(waits, 0.999), slowest: quantile(waits, 1) };
}
