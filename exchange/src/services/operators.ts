/** The people who run the exchange, and their console. */
import { join } from 'node:path';
import { accountsService } from '@orrery/accounts';
import { campaignService } from '@orrery/campaign';
import { indexerService } from '@orrery/indexer';
import { operatorsService, type OperatorsTables } from '@orrery/operators';
import { otcService } from '@orrery/otc';
import { fundService } from '@orrery/fund';
import type { AccountId } from '@orrery/units';
import { troubleOf } from '../surroundings.ts';
import { handsOf } from './fund-hands.ts';
import { serve, type StartedServices } from './service.ts';

export const operatorsEntry = serve(
  operatorsService,
  ({ surroundings, heart, database, leases, chain }, started) => ({
    heart,
    db: database.of<OperatorsTables>(),
    campaign: withFunds(started, chain.ours),
    identities: started.of(accountsService).identities,
    erasures: started.of(accountsService).erasureDesk,
    withdrawals: started.of(indexerService).reviews,
    lostDeposits: started.of(indexerService).writeOffs,
    otc: started.of(otcService).desk,
    funds: started.of(fundService).leaders,
    blockedAddresses: surroundings.config.installation.blockedAddresses,
    firstCode: surroundings.config.consoleCode,
    timelockMs: surroundings.config.timelockSeconds * 1_000,
    auditHeadsFile: join(surroundings.config.dataDirectory, 'audit-heads'),
    challengeKey: started.of(accountsService).box.keyFor('challenges of operators'),
    now: () => heart.nowMs(),
    wallMs: Date.now,
    leases,
    changes: database.changes,
    onTrouble: troubleOf(surroundings, 'operators'),
  }),
  ({ auditBrokenAt }, { surroundings: { log } }) => {
    if (auditBrokenAt === undefined) log.info({ part: 'operators' }, 'the audit log is as it was written');
    else log.error({ part: 'operators', row: auditBrokenAt }, 'the audit log is not as it was written');
  },
);

/** The hands that lead funds are found by the campaign, and what funds traded with them is known to the funds. */
function withFunds(started: StartedServices, ours: readonly string[]) {
  const campaign = started.of(campaignService);
  const { directory } = started.of(accountsService);
  const { leaders } = started.of(fundService);
  const handOf = handsOf({ campaign, directory, ours });
  const membersOf = (accounts: readonly AccountId[]) =>
    accounts.flatMap((account) => {
      const address = directory.get(account)?.address;
      return address === undefined ? [] : [{ account, address }];
    });
  const fundDealings = async () =>
    (await leaders.dealings(handOf)).map(({ members, ...dealing }) => ({ ...dealing, members: membersOf(members) }));
  return { ...campaign.operations, board: { ...campaign.operations.board, fundDealings } };
}
