/** Runs seeds of several hearts to their end, and where one fails finds fewer faults by which it fails the same way. */
import { fewestOf } from '../fewest.ts';
import { Meters } from '../meters.ts';
import { Violation } from '../violation.ts';
import { drawHeartsPlan, type HeartsFault, type HeartsPlan } from './hearts-plan.ts';
import { type HeartsOptions, HeartsWorld } from './hearts-world.ts';

export interface HeartsFailure {
  readonly error: unknown;
  /** The invariant, or the error's name. */
  readonly kind: string;
  readonly log: readonly string[];
}

export interface HeartsResult {
  readonly meters: Meters;
  readonly stateHash: string;
  readonly failure: HeartsFailure | undefined;
}

export const runHearts = (options: HeartsOptions): Promise<HeartsResult> => runPlan(options, drawHeartsPlan(options.seed, options.minutes));

async function runPlan(options: HeartsOptions, plan: HeartsPlan): Promise<HeartsResult> {
  const world = new HeartsWorld(options, plan);
  try {
    await world.run();
    return { meters: world.meters, stateHash: world.stateHash, failure: undefined };
  } catch (error) {
    const kind = error instanceof Violation ? error.invariant : error instanceof Error ? error.name : 'unknown';
    return { meters: world.meters, stateHash: world.stateHash, failure: { error, kind, log: world.log } };
  }
}

function shrinkHearts(options: HeartsOptions, kind: string, runs: number): Promise<readonly HeartsFault[]> {
  const plan = drawHeartsPlan(options.seed, options.minutes);
  return fewestOf(plan.faults, runs, async (faults) => (await runPlan(options, { ...plan, faults })).failure?.kind === kind);
}

export interface HeartsBatch {
  readonly first: number;
  readonly last: number;
  readonly hours: number;
  readonly shrinkRuns: number;
  readonly isQuiet: boolean;
  readonly print: (line: string) => void;
}

/** Prints the result of each seed, and how to repeat a failure. @returns whether all held */
export async function runHeartSeeds({ first, last, hours, shrinkRuns, isQuiet, print }: HeartsBatch): Promise<boolean> {
  const meters = new Meters();
  const started = process.cpuUsage();
  let failed = 0;
  for (let seed = first; seed <= last; seed += 1) {
    const options = { seed, minutes: hours * 60 };
    const { meters: own, stateHash, failure } = await runHearts(options);
    meters.add(own);
    if (failure !== undefined) {
      failed += 1;
      print(`\nseed ${seed} FAILED: ${failure.error instanceof Error ? failure.error.stack : String(failure.error)}`);
      print(failure.log.slice(-25).join('\n'));
      if (shrinkRuns > 0) {
        const faults = await shrinkHearts(options, failure.kind, shrinkRuns);
        print(`fewest faults found:\n${faults.map((fault) => JSON.stringify(fault)).join('\n')}`);
      }
      print(`again: npm run sim -- --hearts --seed ${seed} --hours ${hours}\n`);
    }
    const { user, system } = process.cpuUsage(started);
    if (!isQuiet || seed % 20 === 0 || seed === last)
      print(
        `seed ${seed}: ${failure === undefined ? 'ok' : 'FAILED'}, ${own.of('commands')} commands, ${own.of('epochs')} epochs, state ${stateHash.slice(0, 16)}; ` +
          `in all ${failed} failed, ${(((seed - first + 1) * hours) / ((user + system) / 60e6)).toFixed(1)} h of faults per processor minute`,
      );
  }
  print(meters.print());
  return failed === 0;
}
