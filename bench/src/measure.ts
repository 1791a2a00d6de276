/** Clocks and statistics of the benchmarks. */

export interface Spent {
  readonly wallSeconds: number;
  /** Of all threads of this process: independent of other processes, except for shared caches. */
  readonly processorSeconds: number;
}

export function spent(work: () => void): Spent {
  const read = startClocks();
  work();
  return read();
}

export async function spentOn(work: () => Promise<void>): Promise<Spent> {
  const read = startClocks();
  await work();
  return read();
}

function startClocks(): () => Spent {
  const usedBefore = process.cpuUsage();
  const started = performance.now();
  return () => {
    const wallSeconds = (performance.now() - started) / 1_000;
    const { user, system } = process.cpuUsage(usedBefore);
    return { wallSeconds, processorSeconds: (user + system) / 1_000_000 };
  };
}

/** How many of something in one second, by both clocks. */
export interface Rate {
  readonly perSecond: number;
  readonly perProcessorSecond: number;
}

export const rateOf = (count: number, { wallSeconds, processorSeconds }: Spent): Rate => ({
  perSecond: count / wallSeconds,
  perProcessorSecond: count / processorSeconds,
});

export const medianRate = (rates: readonly Rate[]): Rate => ({
  perSecond: median(rates.map(({ perSecond }) => perSecond)),
  perProcessorSecond: median(rates.map(({ perProcessorSecond }) => perProcessorSecond)),
});

export const median = (values: ArrayLike<number>): number => quantile(values, 0.5);

/** @param part from 0 to 1: the share of the values below the returned one */
export function quantile(values: ArrayLike<number>, part: number): number {
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;
}

/** Collects what is garbage, so that the work of one measure is not paid by the next. */
export function collectGarbage(): void {
  if (globalThis.gc === undefined) throw new Error('the benchmarks run under node --expose-gc');
  globalThis.gc();
}

export function heapBytes(): number {
  collectGarbage();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

export const whole = (value: number): string => Math.round(value).toLocaleString('en');
export const rounded = (value: number, decimals: number): number => Number(value.toFixed(decimals));
