/** What the chart of the portfolio draws, from the recorded snapshots. */
import { compareDecimals } from '../../kit/format/decimal.ts';
import { gains } from './performance.ts';
import type { Snapshot } from './performance.ts';

export const measures = ['equity', 'gain'] as const;
export type Measure = (typeof measures)[number];

export interface Curve {
  readonly times: readonly number[];
  /** Decimal text in USDC, one for each time. */
  readonly values: readonly string[];
}

export function curveOf(snapshots: readonly Snapshot[], measure: Measure): Curve {
  return {
    times: snapshots.map(({ time }) => time),
    values: measure === 'gain' ? gains(snapshots) : snapshots.map(({ equity }) => equity),
  };
}

export interface Extremes {
  readonly lowest: string;
  readonly highest: string;
}

export function extremesOf({ values }: Curve): Extremes | undefined {
  const [lowest] = values.toSorted(compareDecimals);
  const highest = values.toSorted(compareDecimals).at(-1);
  return lowest === undefined || highest === undefined ? undefined : { lowest, highest };
}
