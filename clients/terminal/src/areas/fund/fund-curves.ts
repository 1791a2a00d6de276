/**
 * What the chart of a fund draws: growth since the beginning of the range, beside BTC, or the fall below the highest NAV. Before a fund began, growth goes on with
 * what its strategy would have made of recorded prices: that is a line of its own, and part of no figure.
 */
import type { CallData } from '@orrery/api';

type Nav = CallData['fundNav'];

export const measures = ['growth', 'drawdown'] as const;
export type Measure = (typeof measures)[number];

export interface FundCurves {
  readonly times: readonly number[];
  /** Percent; null before the fund began. */
  readonly fund: readonly (number | null)[];
  /** Percent; null where no price is known. Nothing of a fall. */
  readonly btc: readonly (number | null)[] | undefined;
  /** Percent, up to the beginning of the fund; null after it. Nothing of a fall, and where nothing was simulated. */
  readonly simulated: readonly (number | null)[] | undefined;
}

const growth = (from: string, to: string): number => (Number(to) / Number(from) - 1) * 100;

export function curvesOf({ points, simulated }: Pick<Nav, 'points' | 'simulated'>, measure: Measure): FundCurves {
  const times = points.map(({ time }) => time);
  if (measure === 'drawdown') return { times, fund: points.map(({ drawdown }) => -Number(drawdown)), btc: undefined, simulated: undefined };
  const nav = points[0]?.nav ?? '1';
  const btc = points.find((point) => point.btc !== null)?.btc ?? undefined;
  const before = simulated.map(() => null);
  return {
    times: [...simulated.map(({ time }) => time), ...times],
    fund: [...before, ...points.map((point) => growth(nav, point.nav))],
    btc: btc === undefined ? undefined : [...before, ...points.map((point) => (point.btc === null ? null : growth(btc, point.btc)))],
    // It meets the curve of the fund where that begins.
    simulated:
      simulated.length === 0
        ? undefined
        : [...simulated.map((point) => growth(nav, point.nav)), ...points.map((_, index) => (index === 0 ? 0 : null))],
  };
}
