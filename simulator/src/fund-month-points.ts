/** The recorded month as the charts of funds show it: one point in four hours. */
import type { Sequenced } from '@orrery/protocol';
import { createEngine } from '@orrery/engine';
import { FUND } from '../../core/engine/src/testing/fund-scene.ts';
import { playMonth, RECORDED_DAYS } from './fund-month.ts';

const POINT_MS = 4 * 3_600_000;

interface MonthPoint {
  /** NAVs, for 1,000,000,000 atoms of shares. */
  carry: bigint;
  maker: bigint;
}

/** As lines of numbers. @param days of the recording, from its beginning */
export function simulatedMonth(days = RECORDED_DAYS): string {
  const lines = [...pointsOf(playMonth(days).history)].map(([at, { carry, maker }]) => `${at},${carry},${maker}\n`);
  return `at,carry,maker\n${lines.join('')}`;
}

/** By time, oldest first. */
function pointsOf(history: readonly Sequenced[]): ReadonlyMap<number, MonthPoint> {
  const engine = createEngine();
  const points = new Map<number, MonthPoint>();
  for (const sequenced of history)
    for (const event of engine.apply(sequenced)) {
      if (event.type !== 'FundValued' || event.interval % POINT_MS !== 0) continue;
      const point = points.get(event.interval) ?? { carry: 0n, maker: 0n };
      points.set(event.interval, point);
      if (event.fund === FUND) point.carry = event.nav;
      else point.maker = event.nav;
    }
  return points;
}
