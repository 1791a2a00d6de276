/** What the recorded snapshots of an account say about it: gain without what was paid in or out, its change, its deepest fall. */
import { compareDecimals, decimal, divideDecimals, multiplyDecimals, subtractDecimals } from '../../kit/format/decimal.ts';

/** The account at one time. Amounts are decimal text in USDC. */
export interface Snapshot {
  /** Unix milliseconds. */
  readonly time: number;
  readonly equity: string;
  /** Deposits minus withdrawals from the beginning up to then. */
  readonly net: string;
}

export interface Change {
  readonly amount: string;
  /** In percent with two decimals, towards zero; unknown when there was nothing to gain on. */
  readonly percent: string | undefined;
}

/** Gain since the first snapshot at each of them: what was paid in or out is no gain. */
export function gains(snapshots: readonly Snapshot[]): readonly string[] {
  const [first] = snapshots;
  return first === undefined ? [] : snapshots.map((snapshot) => gainBetween(first, snapshot));
}

const gainBetween = (from: Snapshot, to: Snapshot): string =>
  subtractDecimals(subtractDecimals(to.equity, from.equity), subtractDecimals(to.net, from.net));

/** The change between the first snapshot and the last; `undefined` with fewer than two. */
export function changeOf(snapshots: readonly Snapshot[]): Change | undefined {
  const [first] = snapshots;
  const last = snapshots.at(-1);
  if (first === undefined || last === undefined || first === last) return undefined;
  const amount = gainBetween(first, last);
  // What came in meanwhile worked too: without it a gain on a deposit into an empty account would have no measure.
  const paidIn = decimal(subtractDecimals(last.net, first.net));
  const base = paidIn.gt('0') ? paidIn.plus(first.equity).toFixed() : first.equity;
  return { amount, percent: ratio(amount, base) };
}

function ratio(amount: string, base: string): string | undefined {
  if (compareDecimals(base, '0') <= 0) return undefined;
  return decimal(divideDecimals({ dividend: multiplyDecimals(amount, '100'), divisor: base, decimals: 2 })).toFixed(2);
}

/** Of the closed positions, those that earned something, in percent with two decimals, rounded down; `undefined` where none was closed. */
export function winRateOf({
  closedPositions,
  wonPositions,
}: {
  readonly closedPositions: number;
  readonly wonPositions: number;
}): string | undefined {
  if (closedPositions === 0) return undefined;
  const dividend = multiplyDecimals(String(wonPositions), '100');
  return decimal(divideDecimals({ dividend, divisor: String(closedPositions), decimals: 2 })).toFixed(2);
}

const DAY_MS = 86_400_000;

/** The snapshots of the last 24 hours before the newest, with the last one before them as their beginning. */
export function lastDay(snapshots: readonly Snapshot[]): readonly Snapshot[] {
  const newest = snapshots.at(-1);
  if (newest === undefined) return [];
  const start = newest.time - DAY_MS;
  const first = snapshots.findLastIndex(({ time }) => time <= start);
  return snapshots.slice(Math.max(0, first));
}

/** Digits of the value of one unit that was there from the beginning. */
const INDEX_DECIMALS = 18;

/** What one unit of the first equity became at each snapshot: payments change how much there is, not what each part of it became. */
function growth(snapshots: readonly Snapshot[]): readonly string[] {
  let index = '1';
  return snapshots.map((snapshot, at) => {
    const before = snapshots[at - 1];
    if (before === undefined) return index;
    const paidIn = subtractDecimals(snapshot.net, before.net);
    // Where there was nothing, what was paid in is what worked.
    const isEmpty = compareDecimals(before.equity, '0') <= 0;
    const [base, became] = isEmpty ? [paidIn, snapshot.equity] : [before.equity, subtractDecimals(snapshot.equity, paidIn)];
    if (compareDecimals(base, '0') <= 0) return index;
    index = divideDecimals({ dividend: multiplyDecimals(index, became), divisor: base, decimals: INDEX_DECIMALS });
    return index;
  });
}

/** The deepest fall from a highest value, in percent of it with two decimals, rounded up: a risk is not made smaller. Payments are no falls. */
export function drawdownOf(snapshots: readonly Snapshot[]): string | undefined {
  if (snapshots.length < 2) return undefined;
  let peak = '0';
  let deepest = '0';
  for (const value of growth(snapshots)) {
    if (compareDecimals(value, peak) > 0) peak = value;
    if (compareDecimals(peak, '0') <= 0) continue;
    const fall = divideDecimals({ dividend: multiplyDecimals(subtractDecimals(peak, value), '100'), divisor: peak, decimals: 8 });
    if (compareDecimals(fall, deepest) > 0) deepest = fall;
  }
  return roundUp(deepest);
}

/** To two decimals. */
function roundUp(percent: string): string {
  const cut = divideDecimals({ dividend: percent, divisor: '1', decimals: 2 });
  return compareDecimals(cut, percent) === 0 ? decimal(cut).toFixed(2) : decimal(cut).plus('0.01').toFixed(2);
}
