/** Runs one seed to its end, and when that fails finds fewer faults by which it fails the same way. */
import { fewestOf } from './fewest.ts';
import type { Meters } from './meters.ts';
import { drawPlan, type Fault, type Plan, type SeedKind } from './plan.ts';
import { Violation } from './violation.ts';
import type { Plant } from './plant.ts';
import { World } from './world.ts';

export interface SeedOptions {
  readonly seed: number;
  readonly hours: number;
  readonly plant?: Plant | undefined;
  readonly kind?: SeedKind | undefined;
}

export interface SeedResult {
  readonly meters: Meters;
  readonly stateHash: string;
  readonly failure: Failure | undefined;
}

export interface Failure {
  readonly error: unknown;
  /** The invariant, or the error's name. */
  readonly kind: string;
  readonly log: readonly string[];
}

export function runSeed(options: SeedOptions): Promise<SeedResult> {
  return runPlan(options, drawPlan(options.seed, options.hours, options.kind));
}

async function runPlan(options: SeedOptions, plan: Plan): Promise<SeedResult> {
  const world = new World({ ...options, plan });
  let failure: Failure | undefined;
  try {
    await world.run();
  } catch (error) {
    failure = { error, kind: kindOf(error), log: world.log };
  }
  return { meters: world.meters, stateHash: world.witness.stateHash(), failure };
}

/** The smallest set of faults found with which the seed still fails the same way, within `runs` runs. */
export async function shrink(options: SeedOptions, kind: string, runs: number): Promise<readonly Fault[]> {
  const plan = drawPlan(options.seed, options.hours, options.kind);
  return fewestOf(plan.faults, runs, async (faults) => (await runPlan(options, { ...plan, faults })).failure?.kind === kind);
}

const kindOf = (error: unknown): string => (error instanceof Violation ? error.invariant : error instanceof Error ? error.name : 'unknown');
