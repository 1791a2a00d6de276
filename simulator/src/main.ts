/**
 * `node simulator/src/main.ts --seed N --hours H`, or `--seeds A..B`: runs seeds, prints their results, and how to repeat a failure.
 * `--hearts` runs those of several hearts, gateways and workers instead.
 * `--meters FILE` stores the meters as JSON, and `--sum FILE FILE…` judges several such files as one run.
 */
import { execFileSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { asked, positiveNumber, wholeNumber } from '../../tools/asked.ts';
import { readBatch, sumOf, writeBatch } from './batch.ts';
import { COVERED_HOURS, uncovered } from './coverage.ts';
import { Meters } from './meters.ts';
import { runHeartSeeds } from './hearts/run-hearts.ts';
import type { SeedKind } from './plan.ts';
import { runSeed, shrink, type Failure, type SeedOptions } from './run-seed.ts';

const USAGE = `npm run sim -- [--seed N | --seeds A..B] [--hours H] [--spot | --contracts] [--shrink RUNS] [--quiet] [--meters FILE]
npm run sim -- --hearts [--seed N | --seeds A..B] [--hours H] [--shrink RUNS] [--quiet]
npm run sim -- --sum FILE FILE...`;

interface Asked {
  readonly first: number;
  readonly last: number;
  readonly hours: number;
  readonly kind: SeedKind;
  /** Several hearts, gateways and workers. */
  readonly isOfHearts: boolean;
  /** How often a failure may be run again to find fewer faults that bring it. */
  readonly shrinkRuns: number;
  readonly isQuiet: boolean;
  readonly metersFile: string | undefined;
  /** Files to be judged as one run; undefined runs seeds. */
  readonly batches: readonly string[] | undefined;
}

const options = asked(USAGE, (): Asked => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      seed: { type: 'string' },
      seeds: { type: 'string' },
      hours: { type: 'string', default: '1' },
      spot: { type: 'boolean', default: false },
      contracts: { type: 'boolean', default: false },
      shrink: { type: 'string', default: '60' },
      quiet: { type: 'boolean', default: false },
      meters: { type: 'string' },
      sum: { type: 'boolean', default: false },
      hearts: { type: 'boolean', default: false },
    },
  });
  if (!values.sum && positionals.length > 0) throw new RangeError(`${positionals.join(' ')}: only --sum takes files`);
  if (values.sum && positionals.length === 0) throw new RangeError('--sum is of the files that --meters wrote');
  if (values.spot && values.contracts) throw new RangeError('--spot lists no contracts, and --contracts does');
  if (values.hearts && (values.spot || values.contracts || values.meters !== undefined))
    throw new RangeError('--hearts takes neither --spot nor --contracts nor --meters');
  const [first, last] = seedsOf(values.seed, values.seeds);
  return {
    first,
    last,
    hours: positiveNumber('--hours', values.hours),
    kind: values.spot ? 'spot' : values.contracts ? 'contracts' : 'any',
    isOfHearts: values.hearts,
    shrinkRuns: wholeNumber('--shrink', values.shrink),
    isQuiet: values.quiet,
    metersFile: values.meters,
    batches: values.sum ? positionals : undefined,
  };
});

if (options.batches !== undefined) sum(options.batches);
else if (!options.isOfHearts) await run(options);
else if (!(await runHeartSeeds({ ...options, print: console.log }))) process.exitCode = 1;

function sum(paths: readonly string[]): void {
  const { seeds, hours, commits, meters, complaints } = sumOf(paths.map(readBatch));
  console.log(meters.print());
  console.log(`${paths.length} files, ${seeds} seeds, ${hours} h, of ${commits.join(', ')}: ${complaints.length} complaints`);
  for (const complaint of complaints) console.log(complaint);
  if (complaints.length > 0) process.exitCode = 1;
}

async function run({ first, last, hours, kind, isQuiet, metersFile }: Asked): Promise<void> {
  const meters = new Meters();
  const failed: number[] = [];
  const started = process.cpuUsage();
  const tree = commit();
  let simulated = 0;

  for (let seed = first; seed <= last; seed += 1) {
    const { meters: own, failure, stateHash } = await runSeed({ seed, hours, kind });
    meters.add(own);
    simulated += hours;
    if (failure !== undefined) {
      failed.push(seed);
      await report({ seed, hours, kind }, failure);
    }
    // After each seed, so that a killed run leaves its results.
    if (metersFile !== undefined) writeBatch(metersFile, { commit: tree, seeds: [first, seed], hours, failed, meters });
    const cpu = process.cpuUsage(started);
    const minutes = (cpu.user + cpu.system) / 60e6;
    if (!isQuiet || seed % 20 === 0 || seed === last) {
      console.log(
        `seed ${seed}: ${failure === undefined ? 'ok' : 'FAILED'}, ${own.of('commands')} commands, ${own.of('starts')} starts, state ${stateHash.slice(0, 16)}; ` +
          `in all ${simulated} h, ${failed.length} failed, ${(simulated / minutes).toFixed(1)} h per processor minute`,
      );
    }
  }

  console.log(meters.print());
  const missed = simulated >= COVERED_HOURS ? uncovered(meters) : [];
  for (const name of missed) console.log(`never happened: ${name}`);
  if (failed.length > 0 || missed.length > 0) process.exitCode = 1;
}

function seedsOf(seed: string | undefined, seeds: string | undefined): readonly [number, number] {
  if (seed !== undefined && seeds !== undefined) throw new RangeError('either --seed or --seeds');
  if (seeds === undefined) {
    const only = wholeNumber('--seed', seed ?? '1');
    return [only, only];
  }
  const [from = '', to = '', ...more] = seeds.split('..');
  if (more.length > 0) throw new RangeError(`--seeds is A..B, not ${JSON.stringify(seeds)}`);
  const first = wholeNumber('--seeds', from);
  return [first, wholeNumber('--seeds', to, { least: first })];
}

function commit(): string {
  try {
    return execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim();
  } catch {
    return 'unknown';
  }
}

function flagOf(kind: SeedKind = 'any'): string {
  return kind === 'any' ? '' : ` --${kind}`;
}

async function report(run: SeedOptions, { error, kind, log }: Failure): Promise<void> {
  const { seed, hours } = run;
  console.log(`\nseed ${seed} over ${hours} h FAILED at commit ${commit()}:`);
  console.log(error instanceof Error ? (error.stack ?? error.message) : String(error));
  console.log(log.slice(-25).join('\n'));
  if (options.shrinkRuns > 0) {
    const faults = await shrink(run, kind, options.shrinkRuns);
    console.log(`fewest faults found:\n${faults.map((fault) => JSON.stringify(fault)).join('\n')}`);
  }
  console.log(`again: npm run sim -- --seed ${seed} --hours ${hours}${flagOf(run.kind)}\n`);
}
