/**
 * Automatic deleveraging: who is closed against a bankrupt position when nobody else takes it, and how much of each. Those with the greatest profit and
 * leverage come first.
 */
import { assert, lots, NO_LOTS, subtractLots, type Atoms, type Lots } from '@orrery/units';
import { divideWhole } from './largest-remainder.ts';

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

/** Profit ratio × leverage; of a loss, loss ratio / leverage, so that among losers the least leveraged comes first. Exact, as a fraction. */
const dividendOf = ({ unrealized, leverage }: AdlCandidate): bigint => (unrealized >= 0n ? unrealized * BigInt(leverage) : unrealized);
const divisorOf = ({ unrealized, cost, leverage }: AdlCandidate): bigint => (unrealized >= 0n ? cost : cost * BigInt(leverage));

/** Two scores that are further apart than this part of one of them are ordered by numbers: their quotients are exact to 2⁻⁵¹. */
const NEAR = 2 ** -48;

function scoreNear({ unrealized, cost, leverage }: AdlCandidate): number {
  const ratio = Number(unrealized) / Number(cost);
  return unrealized >= 0n ? ratio * leverage : ratio / leverage;
}

function compareScores(left: AdlCandidate, right: AdlCandidate): number {
  if (left.unrealized === right.unrealized && left.cost === right.cost && left.leverage === right.leverage) return 0;
  const difference = dividendOf(right) * divisorOf(left) - dividendOf(left) * divisorOf(right);
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

/** A candidate in its place. */
export interface AdlRanked<Candidate extends AdlCandidate> {
  readonly candidate: Candidate;
  /** From 1; equal scores have the same rank. */
  readonly rank: number;
}

export interface AdlRanking<Candidate extends AdlCandidate> {
  /** By score from the greatest: the order in which they are closed. Among equals as in `inOrder`. */
  readonly byScore: readonly AdlRanked<Candidate>[];
  /** By `order`. */
  readonly inOrder: readonly AdlRanked<Candidate>[];
}

/** @param order decides between any two, so that the answer does not depend on how the candidates were given */
export function rankForAdl<Candidate extends AdlCandidate>(
  candidates: Iterable<Candidate>,
  order: (left: Candidate, right: Candidate) => number,
): AdlRanking<Candidate> {
  const sorted = [...candidates].sort(order);
  const near = Float64Array.from(sorted, scoreNear);
  const compare = (left: number, right: number): number => {
    const difference = (near[right] ?? 0) - (near[left] ?? 0);
    if (Math.abs(difference) > NEAR * Math.abs(near[left] ?? 0)) return difference;
    const [one, other] = [sorted[left], sorted[right]];
    return one === undefined || other === undefined ? 0 : compareScores(one, other);
  };
  const places = [...sorted.keys()].sort((left, right) => compare(left, right) || left - right);
  const inOrder = sorted.map((candidate) => ({ candidate, rank: 0 }));
  const byScore: AdlRanked<Candidate>[] = [];
  let rank = 1;
  let before: number | undefined;
  for (const place of places) {
    if (before !== undefined && compare(before, place) !== 0) rank = byScore.length + 1;
    before = place;
    const one = inOrder[place];
    assert(one !== undefined, 'a candidate has one place');
    one.rank = rank;
    byScore.push(one);
  }
  return { byScore, inOrder };
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
  const sizes = equals.map(({ candidate }) => candidate.size);
  const isWhole = sizes.reduce((sum, size) => sum + size, 0) <= quantity;
  const shares = isWhole ? sizes : divideWhole(quantity, sizes);
  const parts: AdlPart<Candidate>[] = [];
  for (const [index, { candidate, rank }] of equals.entries()) {
    const closed = lots(shares[index] ?? 0);
    if (closed > NO_LOTS) parts.push({ candidate, rank, closed });
  }
  return parts;
}

/** How near a position is to being deleveraged, as lights from 1 to 5: the fifth of the ranking it is in, 5 for the first fifth. @param place from 1 */
export const adlLights = (place: number, positions: number): number => 5 - Math.floor(((place - 1) * 5) / positions);
