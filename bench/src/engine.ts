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
  /** The same for each second of processor time: what does not change with who else uses the machine. */
  readonly commandsPerCpuSecond: number;
  readonly encodedPerCpuSecond: number;
  readonly orderShare: number;
  readonly tradesPerOrder: number;
}

export function measureEngine(): EngineMeasure {
  const flow = generateOrderFlow(FLOW);
  const applied: Rate[] = [];
  const encoded: Rate[] = [];
  for (let pass = 0; pass <= PASSES; pass += 1) {
    applied.push(rate(flow, 'apply'));
    encoded.push(rate(flow, 'applyAndEncode'));
  }
  return {
    commandsPerSecond: median(applied.slice(1).map(({ perSecond }) => perSecond)),
    encodedPerSecond: median(encoded.slice(1).map(({ perSecond }) => perSecond)),
    commandsPerCpuSecond: median(applied.slice(1).map(({ perCpuSecond }) => perCpuSecond)),
    encodedPerCpuSecond: median(encoded.slice(1).map(({ perCpuSecond }) => perCpuSecond)),
    orderShare: flow.orders / flow.commands.length,
    tradesPerOrder: flow.trades / flow.orders,
  };
}

interface Rate {
  readonly perSecond: number;
  readonly perCpuSecond: number;
}

function rate({ prelude, commands }: OrderFlow, what: 'apply' | 'applyAndEncode'): Rate {
  const engine = createEngine();
  for (const command of prelude) engine.apply(command);
  const writer = new Writer();
  const usedBefore = process.cpuUsage();
  const started = performance.now();
  for (const command of commands) {
    const events = engine.apply(command);
    if (what === 'apply') continue;
    writer.clear();
    for (const event of events) writeEvent(writer, event);
  }
  const seconds = (performance.now() - started) / 1_000;
  const { user, system } = process.cpuUsage(usedBefore);
  return { perSecond: Math.round(commands.length / seconds), perCpuSecond: Math.round(commands.length / ((user + system) / 1_000_000)) };
}

function median(values: readonly number[]): number {
  return values.toSorted((left, right) => left - right)[values.length >> 1] ?? 0;
}

export function printEngineMeasure(measure: EngineMeasure): void {
  const { orderShare, tradesPerOrder } = measure;
  const count = (value: number): string => value.toLocaleString('en').padStart(9);
  const row = (what: string, perSecond: number, perCpuSecond: number): void =>
    console.log(`${what.padEnd(28)} ${count(perSecond)} commands/s ${count(perCpuSecond)} /s of processor time`);
  row('engine, full apply', measure.commandsPerSecond, measure.commandsPerCpuSecond);
  row('engine, events encoded too', measure.encodedPerSecond, measure.encodedPerCpuSecond);
  console.log(`of which ${Math.round(orderShare * 100)} % place orders, ${tradesPerOrder.toFixed(2)} trades an order`);
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) printEngineMeasure(measureEngine());
