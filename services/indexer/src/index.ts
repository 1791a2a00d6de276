export { openIndexer, type Indexer, type IndexerOptions } from './indexer.ts';
export type { ClaimProgress } from './claims.ts';
export type { CoinSolvency } from './solvency.ts';
export { migrations, type IndexerTables } from './tables.ts';
