export { campaignService, openCampaign, type Campaign, type CampaignOptions, type ClaimChange } from './campaign.ts';
export type { LuckyOperations, LuckyTerms } from './lucky/lucky.ts';
export type { LuckyAlarm } from './lucky/alarms.ts';
export { Announcements, DAILY_NOON_CRON } from './lucky/announcements.ts';
export type { LeaderboardTerms } from './leaderboard/periods.ts';
export type { FaucetTerms } from './faucet/faucet.ts';
export type { WhitelistPolicy } from './whitelist/whitelist.ts';
export { historyOffsets } from './tables/offsets.ts';
export { migrations, type CampaignTables } from './tables/tables.ts';
