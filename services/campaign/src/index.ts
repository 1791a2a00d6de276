export { openCampaign, type Campaign, type CampaignOptions, type ClaimChange } from './campaign.ts';
export type { FaucetTerms } from './faucet.ts';
export type { WhitelistPolicy } from './whitelist.ts';
export { migrations, type CampaignTables } from './tables.ts';
