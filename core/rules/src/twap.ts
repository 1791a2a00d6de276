/**
 * The slices of a TWAP order: how many there are, when they are due, and how much of the order has been given out after each. Chance is data: the sizes
 * of random slices follow from a seed, so that a journal replays.
 */
import { lots, millis, minLots, subtractLots, NO_LOTS, type Lots, type Millis } from '@orrery/units';

/** Milliseconds from one slice to the next. */
export const TWAP_SLICE_MS = 30_000;
/** A day. */
export const TWAP_MINUTES_MAX = 1_440;
/** TWAP orders one account may have at work. */
export const TWAPS_PER_ACCOUNT = 20;
/** A slice catches up on what earlier ones did not fill, up to this multiple of an equal slice. */
const CATCH_UP = 3;
/** A random slice differs from an equal one by at most 40 %: each of its two ends moves by at most 20 % of it. */
const END_MOVES = 200;
const PARTS = 1_000;

export interface TwapSchedule {
  readonly size: Lots;
  /** From 1 to `TWAP_MINUTES_MAX`. */
  readonly minutes: number;
  /** A whole number of 32 bits; 0 for slices of equal size. */
  readonly seed: number;
}

export const twapSlices = (minutes: number): number => (minutes * 60_000) / TWAP_SLICE_MS;

/** When a slice is due. @param slice from 0 */
export const twapDueAt = (startedAt: Millis, slice: number): Millis => millis(startedAt + slice * TWAP_SLICE_MS);

/** The lots that are given out when slice number `slice` has filled, of the first slices together; rounded down, all with the last. @param slice from 0 */
export function twapTarget({ size, minutes, seed }: TwapSchedule, slice: number): Lots {
  const slices = twapSlices(minutes);
  if (slice + 1 >= slices) return size;
  const end = (slice + 1) * PARTS + (seed === 0 ? 0 : moveOf(seed, slice));
  return lots(Number((BigInt(size) * BigInt(end)) / BigInt(slices * PARTS)));
}

/** The size of the next slice, now that `filled` lots have filled; 0 for none. */
export function twapSliceSize(schedule: TwapSchedule, slice: number, filled: Lots): Lots {
  const target = twapTarget(schedule, slice);
  if (target <= filled) return NO_LOTS;
  const equal = Math.ceil(schedule.size / twapSlices(schedule.minutes));
  return minLots(subtractLots(target, filled), lots(equal * CATCH_UP));
}

/** What an equal slice has, rounded up: the most that a slice makes up for what was missed before it. Since rules 7. */
export const equalSlice = ({ size, minutes }: TwapSchedule): Lots => lots(Math.ceil(size / twapSlices(minutes)));

/** The size of a slice by itself, whatever others have filled. @param slice from 0 */
export const twapOwnSize = (schedule: TwapSchedule, slice: number): Lots =>
  subtractLots(twapTarget(schedule, slice), slice === 0 ? NO_LOTS : twapTarget(schedule, slice - 1));

/** Less than any slice but for rounding: a random one may be two fifths smaller than an equal one. */
export const leastSlice = ({ size, minutes, seed }: TwapSchedule): Lots =>
  lots(Math.floor((size * (seed === 0 ? PARTS : PARTS - 2 * END_MOVES)) / (twapSlices(minutes) * PARTS)));

/** The number of the slice whose time came last; the one before the end when all have. @param at from when it started */
export const twapSliceAt = ({ minutes }: TwapSchedule, startedAt: Millis, at: Millis): number =>
  Math.min(twapSlices(minutes) - 1, Math.floor((at - startedAt) / TWAP_SLICE_MS));

/** From -END_MOVES to END_MOVES. The multipliers and shifts are those of the 32-bit finalizer of MurmurHash3. */
function moveOf(seed: number, slice: number): number {
  let bits = Math.imul(seed ^ Math.imul(slice + 1, 0x9e3779b1), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return (((bits ^ (bits >>> 16)) >>> 0) % (2 * END_MOVES + 1)) - END_MOVES;
}
