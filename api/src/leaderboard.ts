/** Leaderboard campaigns: who traded most, and who earned most by trading, over a period. The address of a body must be the caller's own. */
import { Type, type Static } from 'typebox';
import { AddressText, Count, Decimal, Millis, Page, PageSize, SignedDecimal, listed, nullable, strict } from './fields.ts';
import { routes } from './route.ts';

export const BoardName = Type.Enum(['VOLUME', 'PNL'], {
  description:
    'VOLUME: quote traded; PNL: what trading brought, realised and unrealised; both in USDC, only trades with others count, and profit ' +
    'needs five others',
});
export const CampaignId = Type.String({ minLength: 1, maxLength: 60, pattern: '^[0-9a-z-]{1,60}$', examples: ['week-2026-11-16'] });
const Points = Type.Integer({ minimum: 0, description: 'points this rank brings' });

export const LeaderboardCampaign = Type.Object({
  campaignId: CampaignId,
  name: Type.String({ description: 'JSON text with an `en` field' }),
  startsAt: Millis,
  endsAt: Millis,
  paysAt: Millis,
  state: Type.Enum(['UPCOMING', 'RUNNING', 'REVIEW', 'PAID']),
  boards: Type.Array(BoardName),
  prizes: Type.Array(Type.Object({ fromRank: Count, toRank: Count, points: Count })),
  volumeCapPerDay: nullable({
    ...Decimal,
    description:
      'USDC that the accounts of one person may bring onto the volume board on one UTC day, in all; null where everything counts',
  }),
});
export type LeaderboardCampaign = Static<typeof LeaderboardCampaign>;

export const Ranked = Type.Object({ rank: Count, address: AddressText, value: SignedDecimal, points: Points });
export type Ranked = Static<typeof Ranked>;

/** With how many others profit must have been traded for, before all of it is ranked. */
export const COUNTERPARTIES_NEEDED = 5;

export const CountedProfit = Type.Object({
  counted: Type.Enum(['ALL', 'HOUSE', 'NOTHING'], {
    description: 'HOUSE: only what was earned from the exchange itself, for want of others; NOTHING: not ranked, for want of others',
  }),
  counterparties: Type.Integer({ minimum: 0, description: 'others with whom enough was traded; the exchange itself is one of them' }),
  needed: Count,
});
export type CountedProfit = Static<typeof CountedProfit>;

export const OwnRank = Type.Object({
  board: BoardName,
  rank: nullable(Count),
  value: SignedDecimal,
  points: Points,
  profit: nullable({
    ...CountedProfit,
    description: 'on PNL, until the ranks are decided: what of your profit counts; null before the first trade',
  }),
});
export type OwnRank = Static<typeof OwnRank>;

/** The evidence that accounts have one owner. */
export const ClusterEvidence = Type.Enum(['FUNDING', 'INVITES', 'DEVICE', 'NETWORK', 'TRADING', 'CAPTIVE', 'FUND']);
export const AppealState = Type.Enum(['WAITING', 'ACCEPTED', 'DECLINED']);
/** The maximum length of an appeal. */
export const APPEAL_LENGTH_MAX = 1_000;

/** The caller's trades that do not count in a campaign, why, and the caller's appeal. */
export const WithheldAwards = Type.Object({
  others: Type.Integer({ minimum: 0, description: 'accounts that are taken for yours too: trades with them do not count' }),
  evidence: Type.Array(ClusterEvidence),
  takenBack: Type.Integer({ minimum: 0, description: 'points of prizes that were taken back' }),
  appeal: nullable(
    Type.Object({
      text: Type.String(),
      state: AppealState,
      answer: Type.String({ description: 'what the operators said; empty while it waits' }),
      filedAt: Millis,
      decidedAt: nullable(Millis),
    }),
  ),
});
export type WithheldAwards = Static<typeof WithheldAwards>;

export const leaderboardRoutes = routes({
  withheldAwards: {
    method: 'POST',
    path: '/biz/leaderboard/withheld',
    access: 'session',
    rate: 'read',
    summary: 'What of yours does not count in a campaign, and your appeal.',
    body: strict({ walletAddress: AddressText, campaignId: CampaignId }),
    response: WithheldAwards,
  },
  fileAppeal: {
    method: 'POST',
    path: '/biz/leaderboard/appeal',
    access: 'session',
    rate: 'manage',
    summary: 'Say once for a campaign that you are taken for somebody else; `NotQualified` where nothing was withheld.',
    body: strict({
      walletAddress: AddressText,
      campaignId: CampaignId,
      text: Type.String({ minLength: 1, maxLength: APPEAL_LENGTH_MAX }),
    }),
    response: WithheldAwards,
  },
  leaderboardCampaigns: {
    method: 'GET',
    path: '/biz/leaderboard/campaigns',
    access: 'public',
    rate: 'public',
    summary: 'The leaderboard campaigns, latest first.',
    response: Type.Array(LeaderboardCampaign),
  },
  leaderboardRanking: {
    method: 'GET',
    path: '/biz/leaderboard/ranking',
    access: 'public',
    rate: 'public',
    summary: 'The ranks of a campaign on one of its boards, best first.',
    query: strict({ campaignId: CampaignId, board: BoardName, page: Type.Optional(Page), pageSize: Type.Optional(PageSize) }),
    response: listed(Ranked),
  },
  ownLeaderboardRank: {
    method: 'POST',
    path: '/biz/leaderboard/own',
    access: 'session',
    rate: 'read',
    summary: 'Your own rank on each board of a campaign.',
    body: strict({ walletAddress: AddressText, campaignId: CampaignId }),
    response: Type.Array(OwnRank),
  },
});
