/** The calls of the leaderboard campaigns. */
import {
  ApiError,
  COUNTERPARTIES_NEEDED,
  type CountedProfit,
  type Handlers,
  type LeaderboardCampaign,
  type leaderboardRoutes,
  type WithheldAwards,
} from '@orrery/api';
import type { AccountDirectory } from '@orrery/foundation';
import { atoms, printAtoms } from '@orrery/units';
import type { Appeals, Withheld } from './appeals.ts';
import { checkOwn } from '../members/check-own.ts';
import { type Period, type Periods, stateOf } from './periods.ts';
import type { Ranks } from './ranks.ts';
import type { ProfitScore } from './scores.ts';

const QUOTE = 'USDC';
const PAGE_SIZE = 10;

export const quoteText = (members: AccountDirectory, amount: bigint): string =>
  printAtoms(atoms(amount), members.asset(QUOTE)?.decimals ?? 0);

export function campaignText(period: Period, { members, now }: { members: AccountDirectory; now: number }): LeaderboardCampaign {
  const { campaignId, name, startsAt, endsAt, paysAt, boards, prizes, volumeCapPerDay: cap } = period;
  const state = stateOf(period, now);
  return {
    campaignId,
    name: JSON.stringify(name),
    startsAt,
    endsAt,
    paysAt,
    state,
    boards: [...boards],
    prizes: [...prizes],
    volumeCapPerDay: cap === undefined ? null : quoteText(members, cap),
  };
}

export const leaderboardHandlers = (parts: {
  periods: Periods;
  ranks: Ranks;
  appeals: Appeals;
  members: AccountDirectory;
  now: () => number;
}): Handlers<typeof leaderboardRoutes> => {
  const { periods, ranks, appeals, members, now } = parts;
  return {
    leaderboardCampaigns: () => periods.all().map((period) => campaignText(period, { members, now: now() })),

    async leaderboardRanking({ query }) {
      const { board } = query;
      const period = periods.get(query.campaignId);
      if (!period.boards.includes(board)) throw new ApiError('UnknownThing', { field: 'board' });
      const size = query.pageSize ?? PAGE_SIZE;
      const start = ((query.page ?? 1) - 1) * size;
      const all = await ranks.of(period, board);
      const list = all.slice(start, start + size).map(({ rank, account, value, points }) => {
        const address = members.get(account)?.address;
        if (address === undefined) throw new Error(`account ${account} has a rank and is not known`);
        return { rank, address, value: quoteText(members, value), points };
      });
      return { list, total: all.length };
    },

    async ownLeaderboardRank({ principal, body }) {
      checkOwn(principal, body.walletAddress, 'walletAddress');
      const period = periods.get(body.campaignId);
      return Promise.all(
        period.boards.map(async (board) => {
          const { rank, value, points, profit } = await ranks.own(period, board, principal.account);
          return {
            board,
            rank: rank ?? null,
            value: quoteText(members, value),
            points,
            profit: profit === undefined ? null : profitText(profit),
          };
        }),
      );
    },

    async withheldAwards({ principal, body }) {
      checkOwn(principal, body.walletAddress, 'walletAddress');
      return withheldText(await appeals.withheld(periods.get(body.campaignId), principal));
    },

    async fileAppeal({ principal, body }) {
      checkOwn(principal, body.walletAddress, 'walletAddress');
      const period = periods.get(body.campaignId);
      await appeals.file(period, principal, body.text);
      return withheldText(await appeals.withheld(period, principal));
    },
  };
};

const profitText = ({ counted, counterparties }: Pick<ProfitScore, 'counted' | 'counterparties'>): CountedProfit => ({
  counted,
  counterparties,
  needed: COUNTERPARTIES_NEEDED,
});

/** The other members are private: only their number is shown. */
function withheldText({ members, evidence, takenBack, appeal }: Withheld): WithheldAwards {
  const others = Math.max(0, members.length - 1);
  if (appeal === undefined) return { others, evidence: [...evidence], takenBack, appeal: null };
  const { text, state, answer, filedAt, decidedAt } = appeal;
  return { others, evidence: [...evidence], takenBack, appeal: { text, state, answer, filedAt, decidedAt } };
}
