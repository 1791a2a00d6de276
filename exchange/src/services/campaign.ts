/** Whitelist, faucet, tasks, lucky blocks, leaderboard. */
import { accountsService } from '@orrery/accounts';
import { campaignService, type CampaignTables, type WhitelistPolicy } from '@orrery/campaign';
import { TEST_ASSETS } from '@orrery/contracts';
import { fundService } from '@orrery/fund';
import { indexerService } from '@orrery/indexer';
import { addressOf, atoms, printAtoms } from '@orrery/units';
import type { Config } from '../config.ts';
import { leaderboardTerms } from '../leaderboard-terms.ts';
import { troubleOf } from '../surroundings.ts';
import { historyService } from './history.ts';
import { serve } from './service.ts';

/** What one claim brings, in the coins' own words. */
const FAUCET_AMOUNTS = TEST_ASSETS.map(({ code, faucetGrant, decimals }) => ({
  coin: code,
  amount: printAtoms(atoms(faucetGrant), decimals),
}));

/** A tenth of a claim: a payer joins nobody with less, and joining strangers costs this for each of them. */
const FUNDING_MINIMUMS = TEST_ASSETS.map(({ code, faucetGrant }) => ({ coin: code, atoms: faucetGrant / 10n }));

export const campaignEntry = serve(campaignService, ({ surroundings, heart, database, leases, chain }, started) => {
  const { config } = surroundings;
  const { history } = started.of(historyService);
  const indexer = started.of(indexerService);
  const { traces, authenticator, box, keys } = started.of(accountsService);
  return {
    heart,
    db: database.of<CampaignTables>(),
    reads: database.readsOf<CampaignTables>(),
    whitelist: whitelistPolicy(config),
    sessions: {
      addressOf(token) {
        const holder = authenticator.session(token);
        return typeof holder === 'string' || holder.endsAt <= heart.nowMs() ? undefined : holder.address;
      },
    },
    box,
    keys,
    activity: history,
    rewards: { pointsPerDay: config.rewardPointsPerDay },
    lucky: {
      finds: indexer.luckyBlocks,
      trades: history,
      announcedAt: config.luckyAt,
      excluded: chain.ours.map(addressOf),
      chain: chain.kind === 'embedded' ? ('ours' as const) : ('foreign' as const),
    },
    leaderboard: {
      terms: leaderboardTerms(config),
      money: {
        payments: () => indexer.payments(),
        internalWithdrawals: () => history.internalWithdrawals(),
        fundingMoves: (query) => history.fundingMoves(query),
      },
      fundingMinimums: FUNDING_MINIMUMS,
      traces,
      houseAddresses: chain.ours.map(addressOf),
      funds: started.of(fundService).accounts,
    },
    now: () => heart.nowMs(),
    leases,
    onTrouble: troubleOf(surroundings, 'campaign'),
    faucet: {
      claimsPerDay: config.faucetClaimsPerDay,
      amounts: FAUCET_AMOUNTS,
      transactionOf: async (claimId) => (await indexer.claimProgress(claimId))?.txHash,
    },
  };
});

const whitelistPolicy = ({ whitelist, whitelistWeekly }: Config): WhitelistPolicy =>
  whitelist === 'open' ? { mode: 'open' } : { mode: 'weekly', admittedEachWeek: whitelistWeekly };
