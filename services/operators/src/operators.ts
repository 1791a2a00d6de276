/** The service put together: the people with a hand on the exchange, and what they did. */
import {
  blockDeskRoutes,
  type Caller,
  campaignDeskRoutes,
  clusterDeskRoutes,
  erasureDeskRoutes,
  identityDeskRoutes,
  lostDepositDeskRoutes,
  luckyDeskRoutes,
  noticeDeskRoutes,
  type Notice,
  noticeRoutes,
  type Operator,
  operatorDoorRoutes,
  otcDeskRoutes,
  operatorRoutes,
  privacyDeskRoutes,
  rewardDeskRoutes,
  type TableHandlers,
  taskDeskRoutes,
  whitelistDeskRoutes,
  withdrawalDeskRoutes,
} from '@orrery/api';
import { type Changes, CopyKeeper, type LeasePort, repeat, whileHeld } from '@orrery/foundation';
import type { Heart } from '@orrery/protocol';
import { Arbiters } from './arbiters.ts';
import { AuditHeads } from './audit-heads.ts';
import { AuditLog } from './audit-log.ts';
import { Blocking } from './blocking.ts';
import { Desk } from './desk.ts';
import { Door } from './door.ts';
import { Effects } from './effects.ts';
import {
  blockDeskHandlers,
  campaignDeskHandlers,
  clusterDeskHandlers,
  doorHandlers,
  erasureDeskHandlers,
  identityDeskHandlers,
  luckyDeskHandlers,
  noticeDeskHandlers,
  noticeHandlers,
  operatorHandlers,
  type Parts,
  privacyDeskHandlers,
  rewardDeskHandlers,
  taskDeskHandlers,
  whitelistDeskHandlers,
  lostDepositDeskHandlers,
  withdrawalDeskHandlers,
} from './handlers.ts';
import { Invitations } from './invitations.ts';
import { Notices } from './notices.ts';
import { otcDeskHandlers } from './otc-handlers.ts';
import { Passkeys } from './passkeys.ts';
import type { CampaignOperations, ErasurePort, FundPort, IdentityPort, LostDepositPort, OtcPort, WithdrawalPort } from './ports.ts';
import { Privacy } from './privacy.ts';
import { Proposals } from './proposals.ts';
import { Roster } from './roster.ts';
import { Sessions } from './sessions.ts';
import { migrations, type OperatorsDb } from './tables.ts';

/** How often the clock is looked at for what is due. */
const EVERY_SECOND = '* * * * * *';
const RETRY = '*/30 * * * * *';
/** Every row is hashed again. */
const AUDIT_CHECK = '0 */10 * * * *';

const routes = {
  notice: noticeRoutes,
  door: operatorDoorRoutes,
  operator: operatorRoutes,
  privacyDesk: privacyDeskRoutes,
  noticeDesk: noticeDeskRoutes,
  whitelistDesk: whitelistDeskRoutes,
  blockDesk: blockDeskRoutes,
  rewardDesk: rewardDeskRoutes,
  luckyDesk: luckyDeskRoutes,
  taskDesk: taskDeskRoutes,
  campaignDesk: campaignDeskRoutes,
  clusterDesk: clusterDeskRoutes,
  identityDesk: identityDeskRoutes,
  erasureDesk: erasureDeskRoutes,
  withdrawalDesk: withdrawalDeskRoutes,
  lostDepositDesk: lostDepositDeskRoutes,
  otcDesk: otcDeskRoutes,
};

export interface OperatorsOptions {
  readonly heart: Heart;
  readonly db: OperatorsDb;
  readonly campaign: CampaignOperations;
  readonly identities: IdentityPort;
  readonly erasures: ErasurePort;
  readonly withdrawals: WithdrawalPort;
  readonly lostDeposits: LostDepositPort;
  readonly otc: OtcPort;
  readonly funds: FundPort;
  /** Blocked by the installation. */
  readonly blockedAddresses: readonly string[];
  /** The installation's one-time code, for the first operator; made when it is not given. Another one lets an admin in beside the last who is left. */
  readonly firstCode: string | undefined;
  /** Of all processes on the database one executes what operators decided. */
  readonly leases: LeasePort;
  /** Milliseconds from an approval to its effect, where the change gives more than there is. */
  readonly timelockMs: number;
  /** A file outside of the database, for the heads of the audit log; made with mode 0600 when it is not there. */
  readonly auditHeadsFile: string;
  /** By which challenges to sign in with are signed: the same in all processes on the database, and not in it. */
  readonly challengeKey: Buffer;
  readonly now: () => number;
  /** Sessions end by it too: a machine that slept keeps nobody signed in. */
  readonly wallMs: () => number;
  /** What other processes change; undefined where there are none. */
  readonly changes?: Changes | undefined;
  /** What could not be done and is tried again. */
  readonly onTrouble: (error: unknown) => void;
}

export interface Operators {
  /** The code of the first operator: printed once, while there is no operator. */
  readonly firstCode: string | undefined;
  /** The first row of the audit log that is not as it was written. */
  readonly auditBrokenAt: number | undefined;
  /** Why the audit log cannot be believed, in one sentence; undefined when it can. */
  auditUntrue(): string | undefined;
  /** The gateway's port: whose session a call comes in. */
  enter(caller: Caller): Promise<Operator>;
  readonly handlers: TableHandlers<typeof routes>;
  /** Calls `listener` with each notice to everybody when it begins to be shown. */
  onNotice(listener: (notice: Notice) => void): () => void;
  /** Executes what is due; also runs automatically, every second. */
  runDue(): Promise<void>;
  stop(): Promise<void>;
}

/** The tables must be there: see `migrations`. */
export async function openOperators(options: OperatorsOptions): Promise<Operators> {
  const { heart, db, campaign, identities, erasures, withdrawals, lostDeposits, otc, funds, now, wallMs, onTrouble } = options;
  const audit = new AuditLog({ db, heads: await AuditHeads.open(options.auditHeadsFile), now });
  const invitations = new Invitations({ db, now });
  const roster = new Roster({ db, audit, invitations, now });
  const passkeys = new Passkeys({ db, challengeKey: options.challengeKey, now });
  const sessions = new Sessions({ db, now, wallMs });
  const blocking = new Blocking({ db, heart, listed: options.blockedAddresses });
  const desk = new Desk({ db, audit, now, hands: { campaign, identities, erasures, withdrawals, lostDeposits, otc, funds, blocking } });
  const notices = new Notices({ db, audit, now });
  const arbiters = new Arbiters({ db, audit, otc, now });
  const ground = { roster, invitations, campaign, lostDeposits, otc, funds, arbiters };
  const effects = new Effects({ db, audit, desk, ground, now });
  const parts: Parts = {
    db,
    audit,
    roster,
    invitations,
    passkeys,
    sessions,
    blocking,
    desk,
    notices,
    campaign,
    identities,
    erasures,
    withdrawals,
    lostDeposits,
    otc,
    funds,
    arbiters,
    now,
    privacy: new Privacy({ db, audit, campaign, identities, now }),
    door: new Door({ roster, invitations, passkeys, sessions }),
    proposals: new Proposals({ db, audit, desk, effects, ground, timelockMs: options.timelockMs, now }),
  };
  const auditBrokenAt = await audit.brokenAt();
  await audit.keepHeads();
  // Heard before anything is read: what changes meanwhile is read again.
  const ofNotices = { tables: ['operators_notice'], readAgain: () => notices.readAgain() };
  const copies = options.changes && new CopyKeeper({ changes: options.changes, copies: [ofNotices], onTrouble });
  await notices.start();
  const lease = await options.leases.open('console');
  const catchUp = (): Promise<void> => desk.catchUp(onTrouble);
  await whileHeld(lease, catchUp);
  const firstCode = await invitations.awaitOwn(options.firstCode);
  const runDue = async (): Promise<void> => {
    await whileHeld(lease, () => effects.runDue(onTrouble));
    await audit.keepHeads();
    notices.announceDue();
  };
  const timers = [
    repeat({ every: EVERY_SECOND, lease: undefined, work: runDue, onTrouble }),
    repeat({ every: RETRY, lease, work: catchUp, onTrouble }),
    repeat({ every: AUDIT_CHECK, lease: undefined, work: async () => void (await audit.brokenAt()), onTrouble }),
  ];
  return {
    firstCode,
    auditBrokenAt,
    auditUntrue: () => audit.untrue(),
    enter: (caller) => sessions.enter(caller),
    onNotice: (listener) => notices.onShown(listener),
    handlers: handlersOf(parts),
    runDue,
    async stop() {
      for (const timer of timers) await timer.stop();
      await copies?.stop();
      await audit.keepHeads().catch(onTrouble);
    },
  };
}

const handlersOf = (parts: Parts): TableHandlers<typeof routes> => ({
  door: doorHandlers(parts),
  operator: operatorHandlers(parts),
  privacyDesk: privacyDeskHandlers(parts),
  notice: noticeHandlers(parts),
  noticeDesk: noticeDeskHandlers(parts),
  whitelistDesk: whitelistDeskHandlers(parts),
  blockDesk: blockDeskHandlers(parts),
  rewardDesk: rewardDeskHandlers(parts),
  luckyDesk: luckyDeskHandlers(parts),
  taskDesk: taskDeskHandlers(parts),
  campaignDesk: campaignDeskHandlers(parts),
  clusterDesk: clusterDeskHandlers(parts),
  identityDesk: identityDeskHandlers(parts),
  erasureDesk: erasureDeskHandlers(parts),
  withdrawalDesk: withdrawalDeskHandlers(parts),
  lostDepositDesk: lostDepositDeskHandlers(parts),
  otcDesk: otcDeskHandlers(parts),
});

/** What the program mounts. */
export const operatorsService = { name: 'operators', routes, migrations, open: openOperators } as const;
