/** What the chart of a fund draws: growth since the beginning of the range, beside BTC, or the fall below the highest NAV. */
import type { CallData } from '@orrery/api';

type Point = CallData['fundNav']['points'][number];

export const measures = ['growth', 'drawdown'] as const;
export type Measure = (typeof measures)[number];

export interface FundCurves {
  readonly times: readonly number[];
  /** Percent. */
  readonly fund: readonly number[];
  /** Percent; null where no price is known. Nothing of a fall. */
  readonly btc: readonly (number | null)[] | undefined;
}

const growth = (from: string, to: string): number => (Number(to) / Number(from) - 1) * 100;

export function curvesOf(points: readonly Point[], measure: Measure): FundCurves {
  const times = points.map(({ time }) => time);
  if (measure === 'drawdown') return { times, fund: points.map(({ drawdown }) => -Number(drawdown)), btc: undefined };
  const nav = points[0]?.nav ?? '1';
  const btc = points.find((point) => point.btc !== null)?.btc ?? undefined;
  return {
    times,
    fund: points.map((point) => growth(nav, point.nav)),
    btc: btc === undefined ? undefined : points.map((point) => (point.btc === null ? null : growth(btc, point.btc))),
  };
}
