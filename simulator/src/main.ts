/** `node simulator/src/main.ts --seed N --hours H`, or `--seeds A..B`: runs seeds, prints what they came to, and how to repeat a failure. */
import { execFileSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { COVERED_HOURS, uncovered } from './coverage.ts';
import { Meters } from './meters.ts';
import { runSeed, shrink, type Failure } from './run-seed.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    seeds: { type: 'string' },
    hours: { type: 'string', default: '1' },
    shrink: { type: 'string', default: '60' },
    quiet: { type: 'boolean', default: false },
  },
});

const hours = Number(values.hours);
const [first, last] = rangeOf(values.seeds ?? values.seed ?? '1');

function rangeOf(text: string): readonly [number, number] {
  const [from = '', to = from] = text.split('..');
  return [Number(from), Number(to)];
}

function commit(): string {
  try {
    return execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim();
  } catch {
    return 'unknown';
  }
}

const total = new Meters();
const started = process.cpuUsage();
let simulated = 0;
let failures = 0;

for (let seed = first; seed <= last; seed += 1) {
  const { meters, failure, stateHash } = await runSeed({ seed, hours });
  total.add(meters);
  simulated += hours;
  if (failure !== undefined) {
    failures += 1;
    await tell(seed, failure);
  }
  const cpu = process.cpuUsage(started);
  const minutes = (cpu.user + cpu.system) / 60e6;
  if (!values.quiet || seed % 20 === 0 || seed === last) {
    console.log(
      `seed ${seed}: ${failure === undefined ? 'ok' : 'FAILED'}, ${meters.of('commands')} commands, ${meters.of('starts')} starts, state ${stateHash.slice(0, 16)}; ` +
        `in all ${simulated} h, ${failures} failed, ${(simulated / minutes).toFixed(1)} h per processor minute`,
    );
  }
}

console.log(total.print());
const missed = simulated >= COVERED_HOURS ? uncovered(total) : [];
for (const name of missed) console.log(`never happened: ${name}`);
if (failures > 0 || missed.length > 0) process.exitCode = 1;

async function tell(seed: number, { error, kind, log }: Failure): Promise<void> {
  console.log(`\nseed ${seed} over ${hours} h FAILED at commit ${commit()}:`);
  console.log(error instanceof Error ? (error.stack ?? error.message) : String(error));
  console.log(log.slice(-25).join('\n'));
  const runs = Number(values.shrink);
  if (runs > 0) {
    const faults = await shrink({ seed, hours }, kind, runs);
    console.log(`fewest faults found:\n${faults.map((fault) => JSON.stringify(fault)).join('\n')}`);
  }
  console.log(`again: npm run sim -- --seed ${seed} --hours ${hours}\n`);
}
