/** The people who run the exchange, and their console. */
import { join } from 'node:path';
import { accountsService } from '@orrery/accounts';
import { campaignService } from '@orrery/campaign';
import { indexerService } from '@orrery/indexer';
import { operatorsService, type OperatorsTables } from '@orrery/operators';
import { otcService } from '@orrery/otc';
import { troubleOf } from '../surroundings.ts';
import { serve } from './service.ts';

export const operatorsEntry = serve(
  operatorsService,
  ({ surroundings, heart, database }, started) => ({
    heart,
    db: database.of<OperatorsTables>(),
    campaign: started.of(campaignService).operations,
    identities: started.of(accountsService).identities,
    erasures: started.of(accountsService).erasureDesk,
    withdrawals: started.of(indexerService).reviews,
    lostDeposits: started.of(indexerService).writeOffs,
    otc: started.of(otcService).desk,
    blockedAddresses: surroundings.config.installation.blockedAddresses,
    firstCode: surroundings.config.consoleCode,
    timelockMs: surroundings.config.timelockSeconds * 1_000,
    auditHeadsFile: join(surroundings.config.dataDirectory, 'audit-heads'),
    now: () => heart.nowMs(),
    wallMs: Date.now,
    onTrouble: troubleOf(surroundings, 'operators'),
  }),
  ({ auditBrokenAt }, { surroundings: { log } }) => {
    if (auditBrokenAt === undefined) log.info({ part: 'operators' }, 'the audit log is as it was written');
    else log.error({ part: 'operators', row: auditBrokenAt }, 'the audit log is not as it was written');
  },
);
