/** How long answers took. */
export class Latencies {
  readonly #microseconds: number[] = [];

  add(milliseconds: number): void {
    this.#microseconds.push(Math.round(milliseconds * 1_000));
  }

  get count(): number {
    return this.#microseconds.length;
  }

  /** In milliseconds. @param share 0.5 is the median. */
  quantile(share: number): number {
    const sorted = Float64Array.from(this.#microseconds).sort();
    return (sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0) / 1_000;
  }
}

export interface LoadResult {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly refused: number;
}

export function summary({ latencies, seconds, refused }: { latencies: Latencies; seconds: number; refused: number }): LoadResult {
  return { perSecond: latencies.count / seconds, p50Ms: latencies.quantile(0.5), p99Ms: latencies.quantile(0.99), refused };
}
