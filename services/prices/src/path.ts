/** The way of the price through one minute, second by second: from the open over both extremes to the close, never outside them. */
import { ticks } from '@orrery/units';
import type { Ticks } from '@orrery/units';
import type { Minute } from './month.ts';
import { bell } from './random.ts';
import type { Random } from './random.ts';

export const SECONDS = 60;

interface Waypoint {
  readonly second: number;
  readonly price: number;
}

/** How far the way strays from the straight line between two waypoints, as a part of the minute's range. */
const STRAY = 0.35;

type Range = Pick<Minute, 'open' | 'high' | 'low' | 'close'>;

/** One price for each second. */
export function minutePath(minute: Range, random: Random): readonly Ticks[] {
  const waypoints = chooseWaypoints(minute, random);
  const path: Ticks[] = [];
  for (const [index, from] of waypoints.entries()) {
    const to = waypoints[index + 1];
    if (to === undefined) path.push(ticks(from.price));
    else path.push(...wander({ from, to }, minute, random));
  }
  return path;
}

function chooseWaypoints({ open, high, low, close }: Range, random: Random): readonly Waypoint[] {
  // A minute that rises has mostly seen its low before its high.
  const isLowFirst = random() < (close >= open ? 0.75 : 0.25);
  return [
    { second: 0, price: open },
    { second: 2 + Math.floor(random() * 26), price: isLowFirst ? low : high },
    { second: 31 + Math.floor(random() * 26), price: isLowFirst ? high : low },
    { second: SECONDS - 1, price: close },
  ];
}

/** A random walk tied down at both ends: the prices from `from` to before `to`, pressed into the minute's range. */
function wander({ from, to }: { from: Waypoint; to: Waypoint }, { high, low }: Range, random: Random): readonly Ticks[] {
  const seconds = to.second - from.second;
  const step = (STRAY * (high - low)) / Math.sqrt(seconds);
  const walk = [0];
  for (let second = 1; second <= seconds; second += 1) walk.push((walk[second - 1] ?? 0) + bell(random) * step);
  const astray = walk[seconds] ?? 0;
  return walk.slice(0, seconds).map((stray, second) => {
    const part = second / seconds;
    const price = from.price + (to.price - from.price) * part + stray - astray * part;
    return ticks(Math.min(high, Math.max(low, Math.round(price))));
  });
}
