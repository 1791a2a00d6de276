/** What those who run the exchange see of the leaderboard campaigns, and may do. */
import { type LeaderboardCampaign } from '@orrery/api';
import type { AccountDirectory } from '@orrery/foundation';
import { type AccountId, accountId, type Address, type MarketId } from '@orrery/units';
import type { Evidence } from '../clusters/clusters.ts';
import type { CommonFunder } from '../clusters/links.ts';
import { campaignText, quoteText } from './handlers.ts';
import { type NewPeriod, type Periods, stateOf } from './periods.ts';
import type { Appeal, AppealDecision, Appeals, AppealState } from './appeals.ts';
import type { PairKind } from './profit-pairs.ts';
import { pairTrades } from './pair-trades.ts';
import type { Ranks } from './ranks.ts';

export interface SuspiciousCluster {
  readonly campaignId: string;
  /** Whose trades with one another count for nothing; at least two. */
  readonly members: readonly ClusterMember[];
  readonly evidence: readonly Evidence[];
  /** Trades among the members, and how many chance would have made. */
  readonly trades: number;
  readonly expected: number;
  /** Traded among the members, in USDC. */
  readonly volume: string;
}

export interface ClusterMember {
  readonly account: AccountId;
  readonly address: Address;
  /** Trades with the others beyond chance. */
  readonly isWasher: boolean;
}

/** One won nearly what the other lost. Money in USDC. */
export interface SuspiciousPair {
  readonly campaignId: string;
  readonly winner: PairMember;
  readonly loser: PairMember;
  readonly kind: PairKind;
  readonly won: string;
  readonly lost: string;
  /** What the winner won in trades with the loser, and how many those were. */
  readonly between: string;
  readonly trades: number;
}

export type PairMember = Pick<ClusterMember, 'account' | 'address'>;

export interface PairQuery {
  readonly campaignId: string;
  readonly winner: number;
  readonly loser: number;
}

/** As `PairTrades`, in words. */
export interface PairTradesText {
  readonly at: number;
  readonly symbol: string;
  readonly trades: number;
  readonly volume: string;
  readonly winnerBought: string;
  readonly loserBought: string;
}

export interface BoardOperations {
  /** The wash rings of the campaigns that are not paid yet, those with the most volume first. */
  clusters(): Promise<readonly SuspiciousCluster[]>;
  /** Addresses that pay too many accounts to join them, such as hot wallets of other exchanges; those of most accounts first. */
  commonFunders(): Promise<readonly CommonFunder[]>;
  /** In the campaigns that are not paid yet, those that won most first. */
  pairs(): Promise<readonly SuspiciousPair[]>;
  /** What two accounts traded, with one another and with others, latest first. @throws ApiError when there is no such campaign */
  pairTrades(query: PairQuery): readonly PairTradesText[];
}

export interface CampaignsOperations {
  list(): readonly LeaderboardCampaign[];
  /** @throws ApiError naming the field that can not be so. */
  check(period: NewPeriod): void;
  /** Asked for again it makes nothing more. @throws as `check` does. */
  create(period: NewPeriod): Promise<void>;
  /** Ends a running campaign now, or keeps one from beginning. */
  stop(campaignId: string): Promise<void>;
}

interface Ground {
  readonly periods: Periods;
  readonly ranks: Ranks;
  readonly members: AccountDirectory;
  readonly now: () => number;
}

export const boardOperations = ({ periods, ranks, members, now }: Ground): BoardOperations => ({
  async clusters() {
    const found: { readonly volume: bigint; readonly cluster: SuspiciousCluster }[] = [];
    for (const period of periods.all()) {
      if (period.isPaid || stateOf(period, now()) === 'UPCOMING') continue;
      for (const { washers, evidence, trades, expected, volume, ...cluster } of (await ranks.clusters(period.campaignId)).all) {
        if (washers.length === 0) continue;
        const emitted = cluster.members.flatMap((account) => {
          const address = members.get(account)?.address;
          return address === undefined ? [] : [{ account, address, isWasher: washers.includes(account) }];
        });
        const { campaignId } = period;
        found.push({ volume, cluster: { campaignId, members: emitted, evidence, trades, expected, volume: quoteText(members, volume) } });
      }
    }
    return found.sort((left, right) => (left.volume < right.volume ? 1 : -1)).map(({ cluster }) => cluster);
  },
  async commonFunders() {
    const running = periods.runningAt(now()).map(({ campaignId }) => campaignId);
    const found = await Promise.all((running.length === 0 ? [undefined] : running).map((campaignId) => ranks.clusters(campaignId)));
    return mostAccounts(found.flatMap(({ commonFunders }) => commonFunders));
  },
  async pairs() {
    const found: { readonly won: bigint; readonly pair: SuspiciousPair }[] = [];
    for (const period of periods.all()) {
      if (period.isDecided || stateOf(period, now()) === 'UPCOMING') continue;
      for (const { winner, loser, kind, won, lost, between, trades } of await ranks.pairs(period)) {
        const [first, second] = [memberOf(members, winner), memberOf(members, loser)];
        if (first === undefined || second === undefined) continue;
        const [text, { campaignId }] = [(amount: bigint) => quoteText(members, amount), period];
        const pair = { campaignId, winner: first, loser: second, kind, won: text(won), lost: text(lost), between: text(between), trades };
        found.push({ won, pair });
      }
    }
    return found.sort((left, right) => (left.won < right.won ? 1 : -1)).map(({ pair }) => pair);
  },
  pairTrades({ campaignId, winner, loser }) {
    const { startsAt } = periods.get(campaignId);
    const pair = { winner: accountId(winner), loser: accountId(loser) };
    return pairTrades(ranks.pairGround(campaignId).flows, pair, startsAt).map(({ market, volume, winnerBought, loserBought, ...row }) => ({
      ...row,
      symbol: symbolOf(members, market),
      volume: quoteText(members, volume),
      winnerBought: quoteText(members, winnerBought),
      loserBought: quoteText(members, loserBought),
    }));
  },
});

function memberOf(members: AccountDirectory, account: AccountId): PairMember | undefined {
  const address = members.get(account)?.address;
  return address && { account, address };
}

const symbolOf = (members: AccountDirectory, market: MarketId): string =>
  (members.contract(market) ?? members.market(market))?.symbol ?? String(market);

const mostAccounts = (all: readonly CommonFunder[]): readonly CommonFunder[] => {
  const found = new Map<string, CommonFunder>();
  for (const funder of all) if (funder.accounts > (found.get(funder.address)?.accounts ?? 0)) found.set(funder.address, funder);
  return [...found.values()].sort((left, right) => right.accounts - left.accounts || (left.address < right.address ? -1 : 1));
};

export const campaignOperations = ({ periods, members, now }: Omit<Ground, 'ranks'>): CampaignsOperations => ({
  list: () => periods.all().map((period) => campaignText(period, { members, now: now() })),
  check: (period) => periods.check(period),
  create: (period) => periods.create(period),
  stop: (campaignId) => periods.stop(campaignId),
});

export type FiledAppeal = Omit<Appeal, 'account' | 'members'> & {
  readonly address: Address;
  /** The cluster as it was then. */
  readonly members: readonly Address[];
};

export interface AppealsOperations {
  /** Those that wait first. `page` counts from 1. */
  list(query: { page: number; size: number }): Promise<{ list: readonly FiledAppeal[]; total: number }>;
  /** @throws ApiError when there is none. */
  stateOf(appealId: number): Promise<AppealState>;
  /** Decided the same way again nothing happens. @throws ApiError when there is none, or it was decided otherwise. */
  decide(decision: AppealDecision): Promise<void>;
}

export function appealOperations({ appeals, members }: { appeals: Appeals; members: AccountDirectory }): AppealsOperations {
  const addressOf = (account: AccountId): Address => {
    const address = members.get(account)?.address;
    if (address === undefined) throw new Error(`account ${account} is in an appeal and is not known`);
    return address;
  };
  return {
    async list(query) {
      const { list, total } = await appeals.list(query);
      const emitted = list.map(({ account, members: all, ...appeal }) => ({
        ...appeal,
        address: addressOf(account),
        members: all.map(addressOf),
      }));
      return { list: emitted, total };
    },
    stateOf: (appealId) => appeals.stateOf(appealId),
    decide: (decision) => appeals.decide(decision),
  };
}
