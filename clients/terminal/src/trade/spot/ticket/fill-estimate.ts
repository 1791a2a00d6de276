/** What a market order would meet in the book as it stands: average and worst price, and whether there is enough. */

/** Pairs of price (ticks) and size (lots), best price first. */
export type Levels = ArrayLike<number>;

export interface FillEstimate {
  /** Lots the book would give. */
  readonly filled: number;
  /** Ticks times lots: exact. */
  readonly cost: bigint;
  /** In ticks; 0 when nothing would fill. */
  readonly worst: number;
  readonly isComplete: boolean;
}

export function estimateSize(levels: Levels, size: number): FillEstimate {
  let left = size;
  let cost = 0n;
  let worst = 0;
  for (let at = 0; at + 1 < levels.length && left > 0; at += 2) {
    const taken = Math.min(left, levels[at + 1] ?? 0);
    worst = levels[at] ?? 0;
    cost += BigInt(worst) * BigInt(taken);
    left -= taken;
  }
  return { filled: size - left, cost, worst, isComplete: left === 0 };
}

/** @param funds what may be spent, in ticks times lots. Whole lots only: the rest is not spent. */
export function estimateFunds(levels: Levels, funds: bigint): FillEstimate {
  let left = funds;
  let filled = 0;
  let worst = 0;
  for (let at = 0; at + 1 < levels.length; at += 2) {
    const price = levels[at] ?? 0;
    const affordable = price === 0 ? 0n : left / BigInt(price);
    const size = levels[at + 1] ?? 0;
    const taken = affordable < BigInt(size) ? Number(affordable) : size;
    if (taken > 0) worst = price;
    filled += taken;
    left -= BigInt(price) * BigInt(taken);
    if (taken < size) return { filled, cost: funds - left, worst, isComplete: true };
  }
  return { filled, cost: funds - left, worst, isComplete: false };
}
