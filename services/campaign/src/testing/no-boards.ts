/** For tests that are not about leaderboards: campaigns without prizes. */
import type { LeaderboardGround } from '../leaderboard/leaderboard.ts';

export const noBoards: LeaderboardGround = {
  terms: { reviewMs: 7 * 86_400_000, weeklyPrizes: [] },
  money: { counterparties: () => Promise.resolve([]) },
  houseAddresses: [],
};
