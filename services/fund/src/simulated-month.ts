/** What the strategies of funds would have been worth over the recorded month of prices: computed once (`simulator/src/record-fund-month.ts`), and no result of any fund. */
import { readFileSync } from 'node:fs';
import type { FundDetail } from '@orrery/api';
import { assert } from '@orrery/units';

export interface SimulatedNav {
  /** Unix milliseconds. */
  readonly time: number;
  readonly nav: bigint;
}

const COLUMNS = { CARRY: 1, MARKET_MAKER: 2 } as const;
const POINT_MS = 4 * 3_600_000;

let lines: readonly (readonly string[])[] | undefined;

/** Oldest first. Empty of a strategy that was not simulated. */
function recorded(strategy: FundDetail['strategy']): readonly SimulatedNav[] {
  if (strategy === 'OTHER') return [];
  lines ??= readFileSync(new URL('../data/simulated-month.csv', import.meta.url), 'latin1')
    .split('\n')
    .slice(1, -1)
    .map((line) => line.split(','));
  return lines.map((line) => {
    const [time, nav] = [line[0], line[COLUMNS[strategy]]];
    assert(time !== undefined && nav !== undefined, 'each line of the simulated month has its columns');
    return { time: Number(time), nav: BigInt(nav) };
  });
}

interface Beginning {
  readonly time: number;
  readonly nav: bigint;
}

/**
 * The month as it ends where a fund begins: its last point four hours or less before, and all of it in proportion to the first NAV. What was simulated for
 * one date is moved to another, and a strategy is not known to have done on that one as it would have.
 */
export function monthBefore(strategy: FundDetail['strategy'], { time, nav }: Beginning): readonly SimulatedNav[] {
  const points = recorded(strategy);
  const last = points.at(-1);
  if (last === undefined) return [];
  const moved = time - 1 - ((time - 1) % POINT_MS) - last.time;
  return points.map((point) => ({ time: point.time + moved, nav: (point.nav * nav) / last.nav }));
}
