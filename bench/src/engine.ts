/** `node bench/src/engine.ts`: commands a second through the whole engine (checks, holds, matching, ledger, events), and with every event encoded. */
import { pathToFileURL } from 'node:url';
import { createEngine } from '@orrery/engine';
import { writeEvent, Writer } from '@orrery/protocol';
import { generateOrderFlow, type OrderFlow } from './engine/order-flow.ts';

const FLOW = { seed: 42, commands: 500_000 };
const PASSES = 3;

export interface EngineMeasure {
  readonly commandsPerSecond: number;
  /** With each event turned into bytes. */
  readonly encodedPerSecond: number;
  readonly orderShare: number;
  readonly tradesPerOrder: number;
}

export function measureEngine(): EngineMeasure {
  const flow = generateOrderFlow(FLOW);
  const applied: number[] = [];
  const encoded: number[] = [];
  for (let pass = 0; pass <= PASSES; pass += 1) {
    applied.push(rate(flow, 'apply'));
    encoded.push(rate(flow, 'applyAndEncode'));
  }
  return {
    commandsPerSecond: median(applied.slice(1)),
    encodedPerSecond: median(encoded.slice(1)),
    orderShare: flow.orders / flow.commands.length,
    tradesPerOrder: flow.trades / flow.orders,
  };
}

function rate({ prelude, commands }: OrderFlow, what: 'apply' | 'applyAndEncode'): number {
  const engine = createEngine();
  for (const command of prelude) engine.apply(command);
  const writer = new Writer();
  const started = performance.now();
  for (const command of commands) {
    const events = engine.apply(command);
    if (what === 'apply') continue;
    writer.clear();
    for (const event of events) writeEvent(writer, event);
  }
  return Math.round(commands.length / ((performance.now() - started) / 1000));
}

function median(values: readonly number[]): number {
  return values.toSorted((left, right) => left - right)[values.length >> 1] ?? 0;
}

export function printEngineMeasure({ commandsPerSecond, encodedPerSecond, orderShare, tradesPerOrder }: EngineMeasure): void {
  const count = (value: number): string => value.toLocaleString('en').padStart(12);
  console.log(`engine, full apply           ${count(commandsPerSecond)} commands/s`);
  console.log(`engine, events encoded too   ${count(encodedPerSecond)} commands/s`);
  console.log(`of which ${Math.round(orderShare * 100)} % place orders, ${tradesPerOrder.toFixed(2)} trades an order`);
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) printEngineMeasure(measureEngine());
