/** A line through measured points, by least squares. */

export interface Point {
  readonly count: number;
  readonly value: number;
}

export interface Line {
  readonly slope: number;
  readonly intercept: number;
  /** The largest distance of a point from the line, as a share of the largest value. */
  readonly off: number;
}

/** @throws RangeError below two different counts: no line is one of them. */
export function lineThrough(points: readonly Point[]): Line {
  const mean = (of: (point: Point) => number): number => points.reduce((sum, point) => sum + of(point), 0) / points.length;
  const [count, value] = [mean((point) => point.count), mean((point) => point.value)];
  const spread = mean((point) => (point.count - count) ** 2);
  if (!(spread > 0)) throw new RangeError('a line needs two different counts');
  const slope = mean((point) => (point.count - count) * (point.value - value)) / spread;
  const intercept = value - slope * count;
  const furthest = Math.max(...points.map((point) => Math.abs(point.value - (intercept + slope * point.count))));
  const largest = Math.max(...points.map((point) => Math.abs(point.value)));
  return { slope, intercept, off: largest === 0 ? 0 : furthest / largest };
}
