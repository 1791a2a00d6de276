/** The result of a run over many seeds, stored as a file, so that separate runs are judged as one. */
import { readFileSync, writeFileSync } from 'node:fs';
import { COVERED_HOURS, uncovered } from './coverage.ts';
import { Meters } from './meters.ts';

export interface Batch {
  /** Of the tree that was run. */
  readonly commit: string;
  /** The first and the last seed that was run to its end. */
  readonly seeds: readonly [number, number];
  /** Simulated hours of each seed. */
  readonly hours: number;
  /** The seeds that failed. */
  readonly failed: readonly number[];
  readonly meters: Meters;
}

export const writeBatch = (path: string, batch: Batch): void =>
  writeFileSync(path, `${JSON.stringify({ ...batch, meters: batch.meters.counts() }, null, 1)}\n`);

/** @throws RangeError naming the file and the field that is not as written. */
export function readBatch(path: string): Batch {
  const read = parsed(path);
  const wrong = (field: string): RangeError => new RangeError(`${path}: ${field} is not what a run writes`);
  const { commit, seeds, hours, failed, meters } = read;
  if (typeof commit !== 'string') throw wrong('commit');
  if (!isRange(seeds)) throw wrong('seeds');
  if (typeof hours !== 'number' || !(hours > 0)) throw wrong('hours');
  if (!isSeeds(failed)) throw wrong('failed');
  if (!isCounts(meters)) throw wrong('meters');
  return { commit, seeds, hours, failed, meters: Meters.of(meters) };
}

export interface Sum {
  readonly seeds: number;
  /** Simulated. */
  readonly hours: number;
  readonly commits: readonly string[];
  readonly meters: Meters;
  /** Why the batches together prove nothing; none when all is well. */
  readonly complaints: readonly string[];
}

/** Unlike a single run, a sum that is too small to reach full coverage is a complaint too. */
export function sumOf(batches: readonly Batch[]): Sum {
  const meters = new Meters();
  for (const batch of batches) meters.add(batch.meters);
  const hours = batches.reduce((sum, batch) => sum + countOf(batch) * batch.hours, 0);
  const complaints = [
    ...batches.flatMap(({ failed, hours: each }) => failed.map((seed) => `seed ${seed} over ${each} h failed`)),
    ...twice(batches),
    ...(hours < COVERED_HOURS ? [`${hours} h are too few to come to everything: ${COVERED_HOURS} are`] : []),
    ...uncovered(meters).map((name) => `never happened: ${name}`),
  ];
  const seeds = batches.reduce((sum, batch) => sum + countOf(batch), 0);
  return { seeds, hours, commits: [...new Set(batches.map(({ commit }) => commit))], meters, complaints };
}

const countOf = ({ seeds: [first, last] }: Batch): number => last - first + 1;

/** A seed that is in two batches at the same hours is one run, counted twice. */
function twice(batches: readonly Batch[]): readonly string[] {
  const sorted = [...batches].sort((left, right) => left.hours - right.hours || left.seeds[0] - right.seeds[0]);
  return sorted.flatMap((batch, index) => {
    const before = sorted[index - 1];
    const isApart = before === undefined || before.hours !== batch.hours || before.seeds[1] < batch.seeds[0];
    return isApart ? [] : [`seed ${batch.seeds[0]} over ${batch.hours} h is counted twice`];
  });
}

function parsed(path: string): Readonly<Record<string, unknown>> {
  const text = readFileSync(path, 'utf8');
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null) return value as Readonly<Record<string, unknown>>;
  } catch (cause) {
    throw new RangeError(`${path} is no file of meters`, { cause });
  }
  throw new RangeError(`${path} is no file of meters`);
}

const isCount = (value: unknown): value is number => typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;

const isSeeds = (value: unknown): value is readonly number[] => Array.isArray(value) && value.every(isCount);

const isRange = (value: unknown): value is readonly [number, number] => {
  const [first = NaN, last = NaN] = isSeeds(value) && value.length === 2 ? value : [];
  return first <= last;
};

const isCounts = (value: unknown): value is Readonly<Record<string, number>> =>
  typeof value === 'object' && value !== null && Object.values(value).every(isCount);
