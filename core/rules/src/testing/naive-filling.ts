/**
 * Water-filling a second time, obvious and slow: the vessels in the order in which they fill up, each looked at alone; then what is left atom by atom to the one that is
 * furthest below its exact share. Without a line of the rules.
 */
export interface NaiveVessel {
  readonly weight: bigint;
  readonly cap: bigint;
}

export function naiveFilling(amount: bigint, vessels: readonly NaiveVessel[]): readonly bigint[] {
  const taken = vessels.map(() => 0n);
  // The one with the least cap for its weight is full first.
  const order = vessels
    .map((_, index) => index)
    .sort((left, right) => {
      const [one, other] = [vessels[left]!, vessels[right]!];
      const difference = one.cap * other.weight - other.cap * one.weight;
      return difference < 0n ? -1 : difference > 0n ? 1 : left - right;
    });
  let left = amount;
  let weights = vessels.reduce((sum, { weight }) => sum + weight, 0n);
  while (order.length > 0) {
    const { weight, cap } = vessels[order[0]!]!;
    if (left * weight <= cap * weights) break;
    taken[order.shift()!] = cap;
    left -= cap;
    weights -= weight;
  }
  const shares = naiveShares(
    order.length === 0 ? 0n : left,
    order.map((index) => vessels[index]!.weight),
    order,
  );
  for (const [place, index] of order.entries()) taken[index] = shares[place]!;
  return taken;
}

/** @param places by which of equals the first is found */
export function naiveShares(amount: bigint, weights: readonly bigint[], places: readonly number[]): readonly bigint[] {
  const total = weights.reduce((sum, weight) => sum + weight, 0n);
  const shares = weights.map((weight) => (total === 0n ? 0n : (amount * weight - ((amount * weight) % total)) / total));
  for (let left = amount - shares.reduce((sum, share) => sum + share, 0n); left > 0n; left -= 1n) {
    const below = weights.map((weight, index) => amount * weight - shares[index]! * total);
    const first = below.reduce((best, one, index) => {
      const isFurther = one > below[best]! || (one === below[best]! && places[index]! < places[best]!);
      return isFurther ? index : best;
    }, 0);
    shares[first]! += 1n;
  }
  return shares;
}
