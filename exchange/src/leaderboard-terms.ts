/** The terms of the weekly leaderboard campaign. */
import type { LeaderboardTerms } from '@orrery/campaign';
import type { Config } from './config.ts';
import { assetByCode } from './listing.ts';

const DAY_MS = 86_400_000;
/** For each board; all together 180,000 points a week and board. */
const WEEKLY_PRIZES = [
  { fromRank: 1, toRank: 1, points: 50_000 },
  { fromRank: 2, toRank: 2, points: 30_000 },
  { fromRank: 3, toRank: 3, points: 20_000 },
  { fromRank: 4, toRank: 10, points: 5_000 },
  { fromRank: 11, toRank: 55, points: 1_000 },
] as const;
/** USDC that the accounts of one cluster may bring onto the volume board on one UTC day, in all. */
const VOLUME_CAP_PER_DAY = 250_000n;

export const leaderboardTerms = ({ leaderboardReviewDays }: Config): LeaderboardTerms => ({
  reviewMs: leaderboardReviewDays * DAY_MS,
  weeklyPrizes: WEEKLY_PRIZES,
  volumeCapPerDay: VOLUME_CAP_PER_DAY * 10n ** BigInt(assetByCode('USDC').decimals),
});
