/** The chain's reader and writer. */
import { indexerService, type IndexerTables } from '@orrery/indexer';
import { troubleOf } from '../surroundings.ts';
import { serve } from './service.ts';

export const indexerEntry = serve(
  indexerService,
  ({ surroundings, heart, database, leases, chain }) => ({
    heart,
    sql: database.of<IndexerTables>(),
    reads: database.readsOf<IndexerTables>(),
    client: chain.client,
    deployment: chain.deployment,
    operator: chain.operator,
    confirmations: surroundings.config.confirmations,
    reviewRules: surroundings.config.withdrawalReview,
    now: Date.now,
    windowNow: () => heart.nowMs(),
    leases,
    onTrouble: troubleOf(surroundings, 'indexer'),
  }),
  (indexer, { surroundings }) => {
    const { clearHalt } = surroundings.config;
    if (clearHalt !== undefined) indexer.clearHalt(clearHalt).catch(troubleOf(surroundings, 'indexer'));
  },
);
