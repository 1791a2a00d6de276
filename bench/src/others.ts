/**
 * Whether much at once delays others: 1,000 durable orders a second of an honest trader, by turns alone and while an order goes through 10,000 makers of a contract
 * or a price liquidates 1,000 positions there each second. The status is asked for all the time.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createEngine, decodeState } from '@orrery/engine';
import type { Command } from '@orrery/protocol';
import { openSequencer, type Sequencer } from '@orrery/sequencer';
import { honestOrders, liquidations, LIQUIDATED, MAKERS, throughMakers, type Heavy } from './engine/heavy.ts';
import { median, quantile, rounded, whole } from './measure.ts';
import { heartIn } from './measured-heart.ts';
import type { Findings, Part } from './part.ts';

const ORDERS_PER_MS = 1;
const EVENTS = 4;
/** An event each second, the first after half a second. */
const ORDERS_PER_RUN = 1_000 * EVENTS;
const STATUS_EVERY_MS = 20;
const ROUND_MS = 1_000;
const RUNS = 3;
/** Commands of the prelude are submitted this many at a time. */
const OPENING_BATCH = 8_192;

const KINDS: readonly (readonly [what: string, heavy: () => Heavy])[] = [
  [`an order through ${whole(MAKERS)} makers`, () => throughMakers(EVENTS)],
  [`${whole(LIQUIDATED)} liquidations at once`, () => liquidations(EVENTS)],
];

export const othersPart: Part = {
  name: 'others',
  about: 'an honest trader alone, and while much happens at once in another market',
  measure,
};

/** In milliseconds. */
interface Waits {
  /** Of an order, from the moment when it is due to its durable answer. */
  readonly p50: number;
  readonly p99: number;
  readonly p999: number;
  readonly slowest: number;
  /** Of a status, from the moment when it is due. */
  readonly status: number;
}

async function measure(): Promise<Findings> {
  const figures: Record<string, object> = {};
  const lines: string[] = [];
  for (const [what, heavy] of KINDS) {
    const runs: (readonly [Waits, Waits])[] = [];
    for (let run = 0; run < RUNS; run += 1) runs.push(await runOf(heavy()));
    const [alone, beside] = [middle(runs.map(([one]) => one)), middle(runs.map(([, other]) => other))];
    const ratio = rounded(beside.p999 / alone.p999, 2);
    figures[what] = { ratio, alone, beside };
    lines.push(`alone: ${line(alone)}`, `beside ${what} a second: ${line(beside)}; ratio of p99.9 ${ratio} x`);
  }
  return { figures: { others: figures }, lines: [...lines, `median of ${RUNS} runs with a new folder, ${EVENTS} events each`] };
}

const line = ({ p50, p99, p999, slowest, status }: Waits): string =>
  `p50 ${p50} ms, p99 ${p99} ms, p99.9 ${p999} ms, slowest ${slowest} ms, slowest status ${status} ms`;

function middle(runs: readonly Waits[]): Waits {
  const of = (field: keyof Waits): number => rounded(median(runs.map((run) => run[field])), 2);
  return { p50: of('p50'), p99: of('p99'), p999: of('p999'), slowest: of('slowest'), status: of('status') };
}

async function runOf(heavy: Heavy): Promise<readonly [Waits, Waits]> {
  const directory = mkdtempSync(join(tmpdir(), 'orrery-bench-'));
  try {
    const heart = await openSequencer(heartIn(directory, { createEngine, decodeState }));
    await open(heart, heavy.prelude);
    const rounds = setInterval(() => void submit(heart, heavy.price()), ROUND_MS);
    const alone = await waitsOf(heart, []);
    const beside = await waitsOf(heart, heavy.events);
    clearInterval(rounds);
    await heart.stop();
    return [alone, beside];
  } finally {
    rmSync(directory, { recursive: true });
  }
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
  if (events[0]?.type === 'CommandRejected') throw new Error(`${command.type} was rejected: ${events[0].reason} ${events[0].field}`);
}

async function waitsOf(heart: Sequencer, events: Heavy['events']): Promise<Waits> {
  const orders = [...honestOrders(ORDERS_PER_RUN)];
  const waits = new Float64Array(orders.length);
  const answers: Promise<void>[] = [];
  const started = performance.now();
  let [begun, asked, status] = [0, 0, 0];
  while (answers.length < orders.length) {
    const passed = performance.now() - started;
    if (events[begun] !== undefined && passed > 500 + begun * 1_000) {
      const command = events[begun]?.();
      begun += 1;
      if (command !== undefined) void submit(heart, command);
    }
    const due = Math.min(orders.length, Math.floor(passed * ORDERS_PER_MS));
    for (let index = answers.length; index < due; index += 1) {
      const command = orders[index];
      if (command === undefined) break;
      const dueAt = started + (index + 1) / ORDERS_PER_MS;
      answers.push(submit(heart, command).then(() => void (waits[index] = performance.now() - dueAt)));
    }
    if (passed > asked * STATUS_EVERY_MS) {
      heart.status();
      status = Math.max(status, performance.now() - started - asked * STATUS_EVERY_MS);
      asked = Math.floor(passed / STATUS_EVERY_MS) + 1;
    }
    // Timers are a millisecond late and more: the turns of the event loop are short.
    await nextTurn();
  }
  await Promise.all(answers);
  return { p50: median(waits), p99: quantile(waits, 0.99), p999: quantile(waits, 0.999), slowest: quantile(waits, 1), status };
}
