/** Every call of the public contract in one table. */
import { agreementRoutes } from './agreement.ts';
import { apiKeyRoutes } from './apikey.ts';
import { authRoutes } from './auth.ts';
import { balanceRoutes } from './balance.ts';
import { billRoutes } from './bill.ts';
import { collectionRoutes } from './collection.ts';
import { depositRoutes } from './deposit.ts';
import { explorerRoutes } from './explorer.ts';
import { faucetRoutes } from './faucet.ts';
import { futuresCampaignRoutes } from './futures-campaign.ts';
import { inviteRoutes } from './invite.ts';
import { luckyBlockRoutes } from './lucky-block.ts';
import { noticeDeskRoutes, noticeRoutes } from './notice.ts';
import {
  blockDeskRoutes,
  campaignDeskRoutes,
  clusterDeskRoutes,
  luckyDeskRoutes,
  rewardDeskRoutes,
  taskDeskRoutes,
  whitelistDeskRoutes,
} from './operation.ts';
import { operatorDoorRoutes, operatorRoutes } from './operator.ts';
import { leaderboardRoutes } from './leaderboard.ts';
import { loginRoutes } from './login.ts';
import { orderRoutes } from './order.ts';
import { portfolioRoutes } from './portfolio.ts';
import { timelineRoutes } from './timeline.ts';
import { privacyDeskRoutes } from './privacy.ts';
import { quotationRoutes } from './quotation.ts';
import { sessionRoutes } from './session.ts';
import { statusRoutes } from './status.ts';
import { streamRoutes } from './stream.ts';
import { symbolRoutes } from './symbol.ts';
import { taskRoutes } from './task.ts';
import { transferRoutes } from './transfer.ts';
import { whitelistRoutes } from './whitelist.ts';
import { withdrawalRoutes } from './withdrawal.ts';

export const contract = {
  ...statusRoutes,
  ...authRoutes,
  ...sessionRoutes,
  ...loginRoutes,
  ...apiKeyRoutes,
  ...agreementRoutes,
  ...whitelistRoutes,
  ...faucetRoutes,
  ...symbolRoutes,
  ...quotationRoutes,
  ...orderRoutes,
  ...balanceRoutes,
  ...transferRoutes,
  ...billRoutes,
  ...portfolioRoutes,
  ...timelineRoutes,
  ...withdrawalRoutes,
  ...depositRoutes,
  ...collectionRoutes,
  ...taskRoutes,
  ...futuresCampaignRoutes,
  ...inviteRoutes,
  ...luckyBlockRoutes,
  ...leaderboardRoutes,
  ...explorerRoutes,
  ...noticeRoutes,
  ...operatorDoorRoutes,
  ...operatorRoutes,
  ...privacyDeskRoutes,
  ...noticeDeskRoutes,
  ...whitelistDeskRoutes,
  ...blockDeskRoutes,
  ...rewardDeskRoutes,
  ...luckyDeskRoutes,
  ...taskDeskRoutes,
  ...campaignDeskRoutes,
  ...clusterDeskRoutes,
  ...streamRoutes,
} as const;

export type CallName = keyof typeof contract;
