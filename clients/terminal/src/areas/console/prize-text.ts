/** Prizes as operators type them: ranks and what each of them brings, such as `1: 5000, 2-10: 500`. */
import type { NewCampaign } from '@orrery/api';

export type Prizes = NewCampaign['prizes'];

const PRIZE = /^([1-9]\d{0,5})(?:-([1-9]\d{0,5}))?: ?([1-9]\d{0,8})$/;
/** One award is no larger. */
export const POINTS_MAX = 77_777;

/** What is wrong with a part of it: its form, its ranks, or that it is too much. */
export interface PrizeFault {
  readonly fault: 'form' | 'ranks' | 'most';
  readonly part: string;
}

export function prizesOf(typed: string): Prizes | PrizeFault {
  const prizes: Prizes = [];
  for (const part of typed.split(',').map((each) => each.trim())) {
    const [, from, to, points] = PRIZE.exec(part) ?? [];
    if (from === undefined || points === undefined) return { fault: 'form', part };
    const prize = { fromRank: Number(from), toRank: Number(to ?? from), points: Number(points) };
    if (prize.fromRank <= (prizes.at(-1)?.toRank ?? 0) || prize.toRank < prize.fromRank) return { fault: 'ranks', part };
    if (prize.points > POINTS_MAX) return { fault: 'most', part };
    prizes.push(prize);
  }
  return prizes;
}

export const prizeText = (prizes: Prizes): string => prizeParts(prizes).join(', ');

/** Ranks and their points, each by itself. */
export const prizeParts = (prizes: Prizes): readonly string[] =>
  prizes.map(({ fromRank, toRank, points }) => `${fromRank}${toRank === fromRank ? '' : `-${toRank}`}: ${points}`);
