export { type Funds, fundService, type FundsOptions, openFunds } from './funds.ts';
export type { HandOf, LeaderDealing } from './leader-watch.ts';
export type { FundPlan } from './plans.ts';
export { historyOffset } from './history-offset.ts';
export type { FundTables } from './tables.ts';
