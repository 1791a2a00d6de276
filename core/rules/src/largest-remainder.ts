/**
 * An amount divided in proportion to weights, to the unit: each part is rounded down, and what is left goes one by one to the largest remainders, of equal ones to the
 * first.
 */

import { assert, bigintOf } from '@orrery/units';

/** Below it every step of the division by numbers is exact. */
const EXACT_BELOW = 2 ** 50;
/** A number below the bound is two halves of this number of bits: their products are exact. */
const HALF = 2 ** 25;

/** @param weights from 0, of which one at least is above 0 */
export function divideWhole(amount: number, weights: readonly number[]): readonly number[] {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  if (amount >= EXACT_BELOW || total >= EXACT_BELOW) return divideBig(bigintOf(amount), weights.map(bigintOf)).map(Number);
  const remainders = new Float64Array(weights.length);
  const remainderOf = remainderOver(amount, total);
  let missing = amount;
  const parts = weights.map((weight, index) => {
    let part = Math.floor((amount * weight) / total);
    let remainder = remainderOf(weight, part);
    // Rounding makes the quotient wrong by one at most.
    if (remainder < 0) {
      part -= 1;
      remainder += total;
    } else if (remainder >= total) {
      part += 1;
      remainder -= total;
    }
    remainders[index] = remainder;
    missing -= part;
    return part;
  });
  if (missing === 0) return parts;
  // Sorted without their places: those above the least that gets a unit get one, and of those equal to it the first.
  const least = remainders.toSorted()[remainders.length - missing] ?? 0;
  for (const remainder of remainders) if (remainder > least) missing -= 1;
  for (const [index, part] of parts.entries()) {
    const remainder = remainders[index] ?? 0;
    if (remainder < least || (remainder === least && missing === 0)) continue;
    if (remainder === least) missing -= 1;
    parts[index] = part + 1;
  }
  return parts;
}

/** amount × weight − part × total, where that is less than 2⁵¹ and the products are far more. */
function remainderOver(amount: number, total: number): (weight: number, part: number) => number {
  const amountHigh = Math.floor(amount / HALF);
  const amountLow = amount % HALF;
  const totalHigh = Math.floor(total / HALF);
  const totalLow = total % HALF;
  return (weight, part) => {
    const weightHigh = Math.floor(weight / HALF);
    const weightLow = weight - weightHigh * HALF;
    const partHigh = Math.floor(part / HALF);
    const partLow = part - partHigh * HALF;
    const high = amountHigh * weightHigh - partHigh * totalHigh;
    const middle = amountHigh * weightLow + amountLow * weightHigh - (partHigh * totalLow + partLow * totalHigh);
    return (high * HALF + middle) * HALF + (amountLow * weightLow - partLow * totalLow);
  };
}

/** The same for amounts of any length. */
export function divideBig(amount: bigint, weights: readonly bigint[]): readonly bigint[] {
  const total = weights.reduce((sum, weight) => sum + weight, 0n);
  assert(total > 0n, 'an amount is divided by something');
  if (amount < EXACT_BELOW && total < EXACT_BELOW) return divideWhole(Number(amount), weights.map(Number)).map(bigintOf);
  const parts: bigint[] = [];
  const remainders: { readonly index: number; readonly remainder: bigint }[] = [];
  let missing = amount;
  for (const [index, weight] of weights.entries()) {
    const product = amount * weight;
    const part = product / total;
    parts.push(part);
    remainders.push({ index, remainder: product - part * total });
    missing -= part;
  }
  if (missing === 0n) return parts;
  remainders.sort((left, right) =>
    left.remainder === right.remainder ? left.index - right.index : left.remainder > right.remainder ? -1 : 1,
  );
  for (const { index } of remainders.slice(0, Number(missing))) parts[index] = (parts[index] ?? 0n) + 1n;
  return parts;
}
