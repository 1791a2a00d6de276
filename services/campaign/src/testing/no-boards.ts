/** For tests that are not about leaderboards: campaigns without prizes. */
import type { LeaderboardGround } from '../leaderboard/leaderboard.ts';

export const noBoards: LeaderboardGround = {
  terms: { reviewMs: 7 * 86_400_000, weeklyPrizes: [], volumeCapPerDay: 10n ** 18n },
  money: { payments: () => Promise.resolve([]), internalWithdrawals: () => Promise.resolve([]), fundingMoves: () => Promise.resolve([]) },
  fundingMinimums: [],
  traces: { all: () => Promise.resolve([]) },
  houseAddresses: [],
  funds: { leaderOf: () => undefined, all: () => [] },
};
