/** The way of the price through one minute, second by second: from the open over both extremes to the close, never outside them. */
import { ticks } from '@orrery/units';
import type { Ticks } from '@orrery/units';
import type { Minute } from './month.ts';
import type { Random } from './random.ts';

export const SECONDS = 60;

interface Waypoint {
  readonly second: number;
  readonly price: number;
}

/** How far the way strays from the straight line between two waypoints, as a part of the minute's range. */
const STRAY = 0.4;

/** One price for each second. */
export function minutePath(minute: Pick<Minute, 'open' | 'high' | 'low' | 'close'>, random: Random): readonly Ticks[] {
  const waypoints = chooseWaypoints(minute, random);
  const path: Ticks[] = [];
  for (const [index, from] of waypoints.entries()) {
    const to = waypoints[index + 1];
    if (to === undefined) path.push(ticks(from.price));
    else for (let second = from.second; second < to.second; second += 1) path.push(between({ from, to, second }, minute, random));
  }
  return path;
}

function chooseWaypoints({ open, high, low, close }: Pick<Minute, 'open' | 'high' | 'low' | 'close'>, random: Random): readonly Waypoint[] {
  // A minute that rises has mostly seen its low before its high.
  const isLowFirst = random() < (close >= open ? 0.75 : 0.25);
  return [
    { second: 0, price: open },
    { second: 2 + Math.floor(random() * 26), price: isLowFirst ? low : high },
    { second: 31 + Math.floor(random() * 26), price: isLowFirst ? high : low },
    { second: SECONDS - 1, price: close },
  ];
}

function between(
  { from, to, second }: { from: Waypoint; to: Waypoint; second: number },
  { high, low }: Pick<Minute, 'high' | 'low'>,
  random: Random,
): Ticks {
  const part = (second - from.second) / (to.second - from.second);
  const straight = from.price + (to.price - from.price) * part;
  const stray = (random() - 0.5) * STRAY * (high - low) * 4 * part * (1 - part);
  return ticks(Math.min(high, Math.max(low, Math.round(straight + stray))));
}
