/**
 * `npm run capacity`: what an account, an order, a socket, a market and a stored command take, by slopes: each kind at several counts, each count in a process of its
 * own, and a line through them. Memory is after a collection, time is that of the processor. Then what the slopes say of ten million accounts and of 100,000 orders a second.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { asked, chosen, wholeNumber } from '../../../tools/asked.ts';
import { NODE_FLAGS } from '../../../tools/node-flags.mjs';
import { rounded, whole } from '../measure.ts';
import { extrapolation, type Slopes } from './extrapolation.ts';
import type { Kind, Readings } from './kind.ts';
import { KINDS } from './kinds.ts';
import { type Line, lineThrough } from './line.ts';

const USAGE = `npm run capacity [-- --json --up-to COUNT --only ${KINDS.map(({ name }) => name).join(',')}]`;

const { json, kinds, upTo } = asked(USAGE, () => {
  const { values } = parseArgs({
    options: { json: { type: 'boolean', default: false }, only: { type: 'string' }, 'up-to': { type: 'string' } },
  });
  const names = chosen(
    '--only',
    values.only,
    KINDS.map(({ name }) => name),
  );
  const largest = values['up-to'] === undefined ? Infinity : wholeNumber('--up-to', values['up-to'], { least: 1 });
  return { json: values.json, kinds: KINDS.filter(({ name }) => names.includes(name)), upTo: largest };
});
const say = (line: string): void => void process.stderr.write(`capacity: ${line}\n`);

interface Measured {
  readonly count: number;
  readonly readings: Readings;
}

/** @throws when the point fails: it has no figures then. */
async function measured({ name }: Kind, count: number): Promise<Measured> {
  const child = fork(fileURLToPath(new URL('./point.ts', import.meta.url)), [name, String(count)], {
    execArgv: [...NODE_FLAGS, '--expose-gc', '--max-old-space-size=8192'],
    // Its standard output would stand in the middle of the JSON.
    stdio: ['ignore', process.stderr, 'inherit', 'ipc'],
  });
  let readings: Readings | undefined;
  child.on('message', (message: Readings) => {
    readings = message;
  });
  const [code] = await once(child, 'exit');
  if (code !== 0 || readings === undefined) throw new Error(`${name} at ${count} ended with ${String(code)} and without figures`);
  return { count, readings };
}

const linesOf = (points: readonly Measured[]): Record<string, Line> =>
  Object.fromEntries(
    Object.keys(points[0]?.readings ?? {}).map((reading) => [
      reading,
      lineThrough(points.map(({ count, readings }) => ({ count, value: readings[reading] ?? Number.NaN }))),
    ]),
  );

const figure = (value: number): string => (Math.abs(value) < 100 ? String(rounded(value, 2)) : whole(value));

function print({ name, per, about }: Kind, points: readonly Measured[], lines: Readonly<Record<string, Line>>): void {
  console.log(`${name}: ${about}`);
  for (const [reading, { slope, intercept, off }] of Object.entries(lines)) {
    const values = points.map(({ count, readings }) => `${whole(count)}: ${figure(readings[reading] ?? Number.NaN)}`).join(', ');
    console.log(
      `  ${reading.padEnd(20)} ${figure(slope).padStart(10)} per ${per}, ${figure(intercept)} at none, off by ${rounded(off * 100, 1)} %  (${values})`,
    );
  }
}

say(`${cpus().length} x ${cpus()[0]?.model ?? 'unknown processor'}, Node ${process.version}, ${new Date().toISOString()}`);
const all: Record<string, { readonly points: readonly Measured[]; readonly lines: Readonly<Record<string, Line>> }> = {};
for (const kind of kinds) {
  const counts = kind.counts.filter((count) => count <= upTo);
  const points: Measured[] = [];
  for (const count of counts) {
    say(`${kind.name} at ${count}`);
    points.push(await measured(kind, count));
  }
  const lines = points.length < 2 ? {} : linesOf(points);
  all[kind.name] = { points, lines };
  if (!json) print(kind, points, lines);
}
const slopes: Slopes = Object.fromEntries(Object.entries(all).map(([name, { lines }]) => [name, lines]));
const sums = extrapolation(slopes);
if (json) console.log(JSON.stringify({ kinds: all, extrapolation: sums }));
else for (const { what, sum } of sums) console.log(`${what}: ${sum}`);
