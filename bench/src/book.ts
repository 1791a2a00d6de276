/** `node bench/src/book.ts`: operations a second of our book and of npm `nodejs-order-book` on one flow, in one run, answers checked. */
import { pathToFileURL } from 'node:url';
import { ADD, CANCEL, generateFlow, WIDTH, type Flow, type FlowOptions } from './book/flow.ts';
import { bookHash } from './book/hash.ts';
import { NodejsOrderBook, OwnBook, type Subject } from './book/subjects.ts';

const BASE: FlowOptions = { seed: 42, operations: 1_000_000, resting: 1000, spread: 'narrow' };
const DEEP: FlowOptions = { seed: 42, operations: 1_000_000, resting: 100_000, spread: 'wide' };
const PASSES = 3;
const CHUNK = 100;

export interface BookMeasure {
  readonly name: string;
  readonly operationsPerSecond: number;
  /** Of chunks of 100 operations, in microseconds. */
  readonly slowestChunkUs: number;
  readonly medianChunkUs: number;
}

export interface BookComparison {
  readonly own: BookMeasure;
  readonly other: BookMeasure;
  readonly ratio: number;
  /** The same book with 100,000 resting orders over a wide range. */
  readonly deep: BookMeasure;
}

export function compareBooks(): BookComparison {
  const base = generateFlow(BASE);
  const own = new OwnBook();
  const other = new NodejsOrderBook();
  // Interleaved, so that a busy moment of the machine hits both.
  const [ownRates, otherRates]: [number[], number[]] = [[], []];
  for (let pass = 0; pass <= PASSES; pass += 1) {
    ownRates.push(rate(own, base));
    otherRates.push(rate(other, base));
  }
  const measures = { own: measure(own, base, ownRates), other: measure(other, base, otherRates) };
  const deepFlow = generateFlow(DEEP);
  const deepRates = Array.from({ length: PASSES + 1 }, () => rate(own, deepFlow));
  const ratio = measures.own.operationsPerSecond / measures.other.operationsPerSecond;
  return { ...measures, ratio, deep: measure(own, deepFlow, deepRates) };
}

/** The median pass without the first, which warms up, and one pass more in chunks. */
function measure(subject: Subject, flow: Flow, rates: readonly number[]): BookMeasure {
  const chunks = chunkTimes(subject, flow);
  return {
    name: subject.name,
    operationsPerSecond: Math.round(median(rates.slice(1))),
    slowestChunkUs: Math.round(Math.max(...chunks)),
    medianChunkUs: Math.round(median(chunks) * 10) / 10,
  };
}

function rate(subject: Subject, flow: Flow): number {
  prepare(subject, flow);
  const started = performance.now();
  drive(subject, flow.records, flow.prefill, flow.prefill + flow.operations);
  const seconds = (performance.now() - started) / 1000;
  verify(subject, flow);
  return flow.operations / seconds;
}

function chunkTimes(subject: Subject, flow: Flow): number[] {
  prepare(subject, flow);
  const end = flow.prefill + flow.operations;
  const times: number[] = [];
  for (let from = flow.prefill; from < end; from += CHUNK) {
    const started = performance.now();
    drive(subject, flow.records, from, Math.min(from + CHUNK, end));
    times.push((performance.now() - started) * 1000);
  }
  return times;
}

function prepare(subject: Subject, flow: Flow): void {
  subject.prepareIds(flow.maxId);
  subject.reset();
  drive(subject, flow.records, 0, flow.prefill);
}

function drive(subject: Subject, records: Int32Array, from: number, to: number): void {
  for (let at = from * WIDTH; at < to * WIDTH; at += WIDTH) {
    const kind = records[at] ?? 0;
    const side = records[at + 1] ?? 0;
    const id = records[at + 2] ?? 0;
    if (kind === CANCEL) subject.cancel(id);
    else if (kind === ADD) subject.add(side, id, records[at + 3] ?? 0, records[at + 4] ?? 0);
    else subject.take(side, id, records[at + 3] ?? 0, records[at + 4] ?? 0);
  }
}

function verify(subject: Subject, flow: Flow): void {
  const hash = bookHash(subject.levels());
  if (subject.trades() !== flow.expected.trades)
    throw new Error(`${subject.name}: ${subject.trades()} trades, not ${flow.expected.trades}`);
  if (hash !== flow.expected.hash) throw new Error(`${subject.name}: the final book is ${hash}, not ${flow.expected.hash}`);
}

function median(values: readonly number[]): number {
  return values.toSorted((left, right) => left - right)[values.length >> 1] ?? 0;
}

export function printBookComparison({ own, other, ratio, deep }: BookComparison): void {
  const row = (label: string, { operationsPerSecond, medianChunkUs, slowestChunkUs }: BookMeasure): void =>
    console.log(
      `${label.padEnd(28)} ${operationsPerSecond.toLocaleString('en').padStart(12)} ops/s   100 operations: median ${medianChunkUs} µs, slowest ${slowestChunkUs} µs`,
    );
  row('book (1,000 resting)', own);
  row('nodejs-order-book (1,000)', other);
  row('book (100,000 resting)', deep);
  console.log(`book / nodejs-order-book     ${ratio.toFixed(1)} x, answers of both checked`);
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) printBookComparison(compareBooks());
