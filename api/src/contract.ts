/** Every call of the public contract in one table. */
import { clusterDeskRoutes } from './cluster-desk.ts';
import { agreementRoutes } from './agreement.ts';
import { apiKeyRoutes } from './apikey.ts';
import { authRoutes } from './auth.ts';
import { balanceRoutes } from './balance.ts';
import { billRoutes } from './bill.ts';
import { captchaRoutes } from './captcha.ts';
import { otcAdvertisingRoutes, otcPaymentMethodRoutes } from './otc-advertising.ts';
import { otcDeskRoutes, otcMerchantRoutes } from './otc-merchant.ts';
import { otcOrderRoutes, otcReceiptRoutes } from './otc-order.ts';
import { olderReadRoutes } from './older-read.ts';
import { collectionRoutes } from './collection.ts';
import { depositRoutes } from './deposit.ts';
import { fileRoutes } from './file.ts';
import { identityRoutes } from './identity.ts';
import { erasureDeskRoutes } from './erasure-desk.ts';
import { erasureRoutes } from './erasure.ts';
import { exportRoutes } from './export.ts';
import { explorerRoutes } from './explorer.ts';
import { faucetRoutes } from './faucet.ts';
import { fundRoutes } from './fund.ts';
import { futuresCampaignRoutes } from './futures-campaign.ts';
import { futuresAccountRoutes, futuresCollectionRoutes, listenKeyRoutes } from './futures-account.ts';
import { futuresEntrustRoutes } from './futures-entrust.ts';
import { futuresOrderRoutes } from './futures-order.ts';
import { futuresPositionRoutes } from './futures-position.ts';
import { futuresQuotationRoutes } from './futures-quotation.ts';
import { futuresSymbolRoutes } from './futures-symbol.ts';
import { identityDeskRoutes } from './identity-desk.ts';
import { inviteRoutes } from './invite.ts';
import { mailboxRoutes } from './mailbox.ts';
import { luckyBlockRoutes } from './lucky-block.ts';
import { noticeDeskRoutes, noticeRoutes } from './notice.ts';
import {
  blockDeskRoutes,
  campaignDeskRoutes,
  luckyDeskRoutes,
  rewardDeskRoutes,
  taskDeskRoutes,
  whitelistDeskRoutes,
} from './operation.ts';
import { operatorDoorRoutes, operatorRoutes } from './operator.ts';
import { leaderboardRoutes } from './leaderboard.ts';
import { nameRoutes } from './name.ts';
import { analyticsRoutes } from './analytics.ts';
import { loginRoutes } from './login.ts';
import { orderRoutes } from './order.ts';
import { portfolioRoutes } from './portfolio.ts';
import { timelineRoutes } from './timeline.ts';
import { privacyDeskRoutes } from './privacy.ts';
import { quotationRoutes } from './quotation.ts';
import type { BodyOf, DataOf, QueryOf } from './route.ts';
import { sandboxRoutes } from './sandbox.ts';
import { passkeyRoutes } from './passkey.ts';
import { securityRoutes } from './security.ts';
import { pushRoutes } from './push.ts';
import { sessionRoutes } from './session.ts';
import { statusRoutes } from './status.ts';
import { streamRoutes } from './stream.ts';
import { symbolRoutes } from './symbol.ts';
import { taskRoutes } from './task.ts';
import { transferRoutes } from './transfer.ts';
import { walletRoutes } from './wallet.ts';
import { whitelistRoutes } from './whitelist.ts';
import { withdrawAddressRoutes } from './withdraw-address.ts';
import { lostDepositDeskRoutes } from './lost-deposit.ts';
import { withdrawalDeskRoutes, withdrawalReviewRoutes } from './withdrawal-review.ts';
import { withdrawalRoutes } from './withdrawal.ts';

export const contract = {
  ...statusRoutes,
  ...authRoutes,
  ...sessionRoutes,
  ...pushRoutes,
  ...loginRoutes,
  ...analyticsRoutes,
  ...securityRoutes,
  ...passkeyRoutes,
  ...captchaRoutes,
  ...nameRoutes,
  ...erasureRoutes,
  ...walletRoutes,
  ...mailboxRoutes,
  ...apiKeyRoutes,
  ...agreementRoutes,
  ...whitelistRoutes,
  ...faucetRoutes,
  ...symbolRoutes,
  ...quotationRoutes,
  ...orderRoutes,
  ...futuresSymbolRoutes,
  ...olderReadRoutes,
  ...futuresQuotationRoutes,
  ...futuresOrderRoutes,
  ...futuresEntrustRoutes,
  ...futuresPositionRoutes,
  ...futuresAccountRoutes,
  ...listenKeyRoutes,
  ...sandboxRoutes,
  ...futuresCollectionRoutes,
  ...balanceRoutes,
  ...transferRoutes,
  ...billRoutes,
  ...portfolioRoutes,
  ...timelineRoutes,
  ...exportRoutes,
  ...withdrawalRoutes,
  ...withdrawalReviewRoutes,
  ...withdrawAddressRoutes,
  ...fileRoutes,
  ...identityRoutes,
  ...depositRoutes,
  ...collectionRoutes,
  ...taskRoutes,
  ...futuresCampaignRoutes,
  ...inviteRoutes,
  ...luckyBlockRoutes,
  ...leaderboardRoutes,
  ...explorerRoutes,
  ...noticeRoutes,
  ...otcAdvertisingRoutes,
  ...otcPaymentMethodRoutes,
  ...otcOrderRoutes,
  ...otcReceiptRoutes,
  ...otcMerchantRoutes,
  ...fundRoutes,
  ...operatorDoorRoutes,
  ...operatorRoutes,
  ...privacyDeskRoutes,
  ...identityDeskRoutes,
  ...erasureDeskRoutes,
  ...withdrawalDeskRoutes,
  ...lostDepositDeskRoutes,
  ...otcDeskRoutes,
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

/** Data, query and body of every call by its name: one type each, so that what is generic over names stays shallow for the compiler. */
export type CallData = { readonly [Name in CallName]: DataOf<(typeof contract)[Name]> };
export type CallQuery = { readonly [Name in CallName]: QueryOf<(typeof contract)[Name]> };
export type CallBody = { readonly [Name in CallName]: BodyOf<(typeof contract)[Name]> };
