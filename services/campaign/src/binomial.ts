/** The probability of at least a number of successes. Not money: floats are appropriate here. */

/** The probability of `successes` or more in `draws` independent draws, each with the probability `chance`. */
export function binomialTail({ draws, successes, chance }: { draws: number; successes: number; chance: number }): number {
  if (successes <= 0) return 1;
  if (successes > draws) return 0;
  const odds = chance / (1 - chance);
  // In logarithms: the first term alone may be far below the smallest float.
  let logOfTerm = draws * Math.log1p(-chance);
  for (let k = 1; k <= successes; k++) logOfTerm += Math.log(((draws - k + 1) / k) * odds);
  let sum = 0;
  for (let k = successes; k <= draws; k++) {
    const term = Math.exp(logOfTerm);
    sum += term;
    // Past the middle each term is smaller than the one before it, and soon adds nothing.
    if (k > draws * chance && term < sum * Number.EPSILON) break;
    logOfTerm += Math.log(((draws - k) / (k + 1)) * odds);
  }
  return Math.min(sum, 1);
}
