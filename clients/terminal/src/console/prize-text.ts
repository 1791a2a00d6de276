/** Prizes as operators type them: ranks and what each of them brings, such as `1: 5000, 2-10: 500`. */
import type { NewCampaign } from '@orrery/api';

export type Prizes = NewCampaign['prizes'];

const PRIZE = /^([1-9]\d{0,5})(?:-([1-9]\d{0,5}))?: ?([1-9]\d{0,4})$/;

/** Undefined when it is none, or the ranks do not rise; what may be given at most is the server's to say. */
export function prizesOf(typed: string): Prizes | undefined {
  const prizes: Prizes = [];
  for (const part of typed.split(',')) {
    const [, from, to, points] = PRIZE.exec(part.trim()) ?? [];
    if (from === undefined || points === undefined) return undefined;
    const prize = { fromRank: Number(from), toRank: Number(to ?? from), points: Number(points) };
    if (prize.fromRank <= (prizes.at(-1)?.toRank ?? 0) || prize.toRank < prize.fromRank) return undefined;
    prizes.push(prize);
  }
  return prizes;
}

export const prizeText = (prizes: Prizes): string =>
  prizes.map(({ fromRank, toRank, points }) => `${fromRank}${toRank === fromRank ? '' : `-${toRank}`}: ${points}`).join(', ');
