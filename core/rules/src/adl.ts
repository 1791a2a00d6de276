/**
 * Automatic deleveraging: who is closed against a bankrupt position when nobody else takes it, and how much of each. Those with the greatest profit and
 * leverage come first.
 */
import { assert, bigintOf, lots, NO_LOTS, subtractLots, type Atoms, type Lots } from '@orrery/units';

/** A position on the other side of a bankrupt one. */
export interface AdlCandidate {
  readonly size: Lots;
  /** Settle atoms; signed. */
  readonly unrealized: Atoms;
  /** Settle atoms, at least 1. */
  readonly cost: Atoms;
  /** A whole number from 1. */
  readonly leverage: number;
}

/** A fraction by which candidates are ranked, exact. */
interface Score {
  readonly dividend: bigint;
  readonly divisor: bigint;
}

/** Profit ratio × leverage; of a loss, loss ratio / leverage, so that among losers the least leveraged comes first. */
const scoreOf = ({ unrealized, cost, leverage }: AdlCandidate): Score =>
  unrealized >= 0n
    ? { dividend: unrealized * BigInt(leverage), divisor: cost }
    : { dividend: unrealized, divisor: cost * BigInt(leverage) };

function compareScores(left: Score, right: Score): number {
  const difference = right.dividend * left.divisor - left.dividend * right.divisor;
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

/** A candidate in its place. */
export interface AdlRanked<Candidate extends AdlCandidate> {
  readonly candidate: Candidate;
  /** From 1; equal scores have the same rank. */
  readonly rank: number;
}

/**
 * The candidates in the order in which they are closed: by score from the greatest; among equals by `order`, which must tell any two apart, so that the
 * answer does not depend on how they were given.
 */
export function rankForAdl<Candidate extends AdlCandidate>(
  candidates: Iterable<Candidate>,
  order: (left: Candidate, right: Candidate) => number,
): readonly AdlRanked<Candidate>[] {
  const scored = Array.from(candidates, (candidate) => ({ candidate, score: scoreOf(candidate) }));
  scored.sort((left, right) => compareScores(left.score, right.score) || order(left.candidate, right.candidate));
  const ranked: AdlRanked<Candidate>[] = [];
  for (const [index, { candidate, score }] of scored.entries()) {
    const before = scored[index - 1];
    const rank = before !== undefined && compareScores(before.score, score) === 0 ? (ranked[index - 1]?.rank ?? 1) : index + 1;
    ranked.push({ candidate, rank });
  }
  return ranked;
}

/** A part of a candidate that is closed. */
export interface AdlPart<Candidate extends AdlCandidate> extends AdlRanked<Candidate> {
  /** At least 1. */
  readonly closed: Lots;
}

/**
 * Spreads `quantity` lots over the ranked: each rank is closed whole before the next one is touched; the last rank shares what is left by size, its whole
 * lots by the largest remainder. The parts sum to exactly `quantity`, or to all there is when that is less.
 */
export function spreadAdl<Candidate extends AdlCandidate>(
  ranked: readonly AdlRanked<Candidate>[],
  quantity: Lots,
): readonly AdlPart<Candidate>[] {
  const parts: AdlPart<Candidate>[] = [];
  let left = quantity;
  for (let start = 0; start < ranked.length && left > NO_LOTS;) {
    const rank = ranked[start]?.rank;
    let end = start;
    while (ranked[end]?.rank === rank) end += 1;
    const equals = ranked.slice(start, end);
    for (const part of shareBySize(equals, left)) {
      parts.push(part);
      left = subtractLots(left, part.closed);
    }
    start = end;
  }
  return parts;
}

function shareBySize<Candidate extends AdlCandidate>(
  equals: readonly AdlRanked<Candidate>[],
  quantity: Lots,
): readonly AdlPart<Candidate>[] {
  const total = equals.reduce((sum, { candidate }) => sum + bigintOf(candidate.size), 0n);
  if (total <= bigintOf(quantity)) return equals.map((one) => ({ ...one, closed: one.candidate.size }));
  const wanted = bigintOf(quantity);
  const shares = equals.map((one, index) => {
    const product = bigintOf(one.candidate.size) * wanted;
    return { one, index, floor: product / total, remainder: product % total };
  });
  let missing = Number(wanted - shares.reduce((sum, { floor }) => sum + floor, 0n));
  assert(missing <= shares.length, 'rounding leaves less than a lot of each');
  const more = new Set<number>();
  const byRemainder = shares.toSorted((left, right) => Number(right.remainder - left.remainder) || left.index - right.index);
  for (const { index } of byRemainder) {
    if (missing === 0) break;
    more.add(index);
    missing -= 1;
  }
  return shares
    .map(({ one, index, floor }) => ({ ...one, closed: lots(Number(floor) + (more.has(index) ? 1 : 0)) }))
    .filter(({ closed }) => closed > NO_LOTS);
}

/** How near a position is to being deleveraged, as lights from 1 to 5: the fifth of the ranking it is in, 5 for the first fifth. @param place from 1 */
export const adlLights = (place: number, positions: number): number => 5 - Math.floor(((place - 1) * 5) / positions);
