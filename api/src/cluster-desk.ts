/** What operators see of accounts that appear to have one owner, of pairs, and of funds that trade with their leaders; and appeals against it. */
import { Type, type Static } from 'typebox';
import { AddressText, Count, Decimal, listed, Millis, nullable, Page, PageSize, SignedDecimal, strict } from './fields.ts';
import { FundId } from './fund.ts';
import { AppealState, CampaignId, ClusterEvidence } from './leaderboard.ts';
import { Proposal } from './operator.ts';
import { routes } from './route.ts';

const Masked = Type.String({ description: 'with its middle left out: see `unmask`', examples: ['0x1a…9f', 'a***@b***'] });
const Id = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });

export const SuspiciousCluster = Type.Object({
  campaignId: CampaignId,
  members: Type.Array(
    Type.Object({ account: Count, address: Masked, isWasher: Type.Boolean({ description: 'trades with the others beyond chance' }) }),
  ),
  evidence: Type.Array(ClusterEvidence),
  trades: Count,
  expected: Type.Number({ description: 'trades that chance would have made' }),
  /** Among the members, in USDC: it counts on no board. */
  volume: Decimal,
});
export type SuspiciousCluster = Static<typeof SuspiciousCluster>;

const PairMember = Type.Object({ account: Count, address: Masked });

export const SuspiciousPair = Type.Object({
  campaignId: CampaignId,
  winner: PairMember,
  loser: PairMember,
  kind: Type.Enum(['DIRECT', 'OPPOSITE'], {
    description: 'DIRECT: most was won in trades with the loser; OPPOSITE: both traded with others, one the opposite of the other',
  }),
  won: Decimal,
  lost: Decimal,
  between: { ...SignedDecimal, description: 'what the winner won in trades with the loser; USDC like the others' },
  trades: Type.Integer({ minimum: 0, description: 'with one another' }),
});
export type SuspiciousPair = Static<typeof SuspiciousPair>;

export const PairTrades = Type.Object({
  at: { ...Millis, description: 'when these four hours began' },
  symbol: Type.String(),
  trades: Type.Integer({ minimum: 0, description: 'with one another' }),
  volume: { ...Decimal, description: 'of those trades, in USDC' },
  winnerBought: { ...SignedDecimal, description: 'USDC given for what was bought less received for what was sold, with anybody' },
  loserBought: SignedDecimal,
});
export type PairTrades = Static<typeof PairTrades>;

/** What a fund traded in a day, and since a pause of its subscriptions ended, with the accounts of the hand that leads it, in its coin. */
export const FundDealing = Type.Object({
  fundId: FundId,
  members: Type.Array(PairMember, { description: 'accounts of that hand which traded with it' }),
  trades: Count,
  volume: Decimal,
  gain: { ...SignedDecimal, description: 'what they won against the mark of the moment: the fund lost as much' },
  worth: { ...Decimal, description: 'of the fund, by its last valuation' },
  isBeyond: Type.Boolean({ description: 'it lost more than a hundredth of that' }),
  isPaused: Type.Boolean({ description: 'nobody can subscribe' }),
});
export type FundDealing = Static<typeof FundDealing>;

/** It pays many who have nothing else in common: a hot wallet of another exchange, or a purse that somebody hides well. */
export const CommonFunder = Type.Object({ address: AddressText, accounts: Count });
export type CommonFunder = Static<typeof CommonFunder>;

export const FiledAppeal = Type.Object({
  appealId: Count,
  campaignId: CampaignId,
  address: Masked,
  text: Type.String(),
  filedAt: Millis,
  state: AppealState,
  answer: Type.String(),
  decidedAt: nullable(Millis),
  /** The cluster as it was when the appeal was filed, and what joined it. */
  members: Type.Array(Masked),
  evidence: Type.Array(ClusterEvidence),
});
export type FiledAppeal = Static<typeof FiledAppeal>;

export const AppealDecision = strict({
  appealId: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
  decision: Type.Enum(['ACCEPTED', 'DECLINED']),
  answer: Type.String({ minLength: 3, maxLength: 300, description: 'the sentence that the person reads' }),
});
export type AppealDecision = Static<typeof AppealDecision>;

export const clusterDeskRoutes = routes({
  appeals: {
    method: 'GET',
    path: '/pro/o/appeal/list',
    access: 'operator',
    role: 'viewer',
    rate: 'read',
    summary: 'Appeals against clusters, those that wait first.',
    query: strict({ page: Type.Optional(Page), pageSize: Type.Optional(PageSize) }),
    response: listed(FiledAppeal),
  },
  decideAppeal: {
    method: 'POST',
    path: '/pro/o/appeal/decide',
    access: 'operator',
    role: 'operator',
    rate: 'manage',
    summary:
      'Decline an appeal, or propose to accept it: its cluster are separate people then, and are paid as such. Either with a sentence; the ' +
      'answer names the proposal.',
    body: AppealDecision,
    response: Type.Object({ proposalId: nullable(Count) }),
  },
  commonFunders: {
    method: 'GET',
    path: '/pro/o/cluster/funders',
    access: 'operator',
    role: 'viewer',
    rate: 'read',
    summary: 'Addresses that pay too many accounts to join them into a cluster, those of most accounts first.',
    query: strict({ page: Type.Optional(Page), pageSize: Type.Optional(PageSize) }),
    response: listed(CommonFunder),
  },
  fundDealings: {
    method: 'GET',
    path: '/pro/o/cluster/funds',
    access: 'operator',
    role: 'viewer',
    rate: 'read',
    summary:
      'What funds that are open traded in the last day with the accounts of those who lead them, and funds whose subscriptions are paused.',
    query: strict({ page: Type.Optional(Page), pageSize: Type.Optional(PageSize) }),
    response: listed(FundDealing),
  },
  proposeFundResume: {
    method: 'POST',
    path: '/pro/o/cluster/funds/resume',
    access: 'operator',
    role: 'operator',
    rate: 'manage',
    summary:
      'Propose to end the pause of the subscriptions of a fund, with the capacity from before it. What the hand that leads it won until then is taken for looked at: only what it wins later pauses them again.',
    body: strict({ fundId: FundId }),
    response: Proposal,
  },
  suspiciousPairs: {
    method: 'GET',
    path: '/pro/o/cluster/pairs',
    access: 'operator',
    role: 'viewer',
    rate: 'read',
    summary: 'Pairs of which one won nearly what the other lost, in campaigns whose ranks are not decided yet, those that won most first.',
    query: strict({ page: Type.Optional(Page), pageSize: Type.Optional(PageSize) }),
    response: listed(SuspiciousPair),
  },
  pairTrades: {
    method: 'GET',
    path: '/pro/o/cluster/pair-trades',
    access: 'operator',
    role: 'viewer',
    rate: 'read',
    summary: 'What two accounts traded in a campaign by market and four hours, the latest first.',
    query: strict({ campaignId: CampaignId, winner: Id, loser: Id, page: Type.Optional(Page), pageSize: Type.Optional(PageSize) }),
    response: listed(PairTrades),
  },
  suspiciousClusters: {
    method: 'GET',
    path: '/pro/o/cluster/list',
    access: 'operator',
    role: 'viewer',
    rate: 'read',
    summary: 'Wash rings of the campaigns that are not paid yet, those with the most volume first.',
    query: strict({ page: Type.Optional(Page), pageSize: Type.Optional(PageSize) }),
    response: listed(SuspiciousCluster),
  },
});
