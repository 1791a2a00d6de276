export { indexerService, openIndexer, type Indexer, type IndexerOptions } from './indexer.ts';
export type { ClaimProgress } from './claims.ts';
export { historyOffset } from './heart-follower.ts';
export type { ReviewRules } from './reviews.ts';
export type { CoinSolvency } from './solvency.ts';
export type { Draws, DrawsQuery, LuckyFind } from './lucky-blocks.ts';
export { migrations, type IndexerTables } from './tables.ts';
