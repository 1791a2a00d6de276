/** The calls of this service. Who makes them is proven already; every change is handed to where it is decided. */
import {
  addressField,
  ApiError,
  type blockDeskRoutes,
  type campaignDeskRoutes,
  type clusterDeskRoutes,
  type erasureDeskRoutes,
  type Handlers,
  type identityDeskRoutes,
  type lostDepositDeskRoutes,
  type luckyDeskRoutes,
  mayOperate,
  type noticeDeskRoutes,
  type noticeRoutes,
  type operatorDoorRoutes,
  type operatorRoutes,
  type privacyDeskRoutes,
  type rewardDeskRoutes,
  type SuspiciousPair,
  type taskDeskRoutes,
  type whitelistDeskRoutes,
  type withdrawalDeskRoutes,
} from '@orrery/api';
import type { Arbiters } from './arbiters.ts';
import type { AuditLog } from './audit-log.ts';
import type { Blocking } from './blocking.ts';
import { bugReport } from './bug-reports.ts';
import { isOpen, subjectOf } from './change.ts';
import type { Desk } from './desk.ts';
import type { Door } from './door.ts';
import type { Invitations } from './invitations.ts';
import type { Notices } from './notices.ts';
import type { Passkeys } from './passkeys.ts';
import type { CampaignOperations, ErasurePort, FundPort, IdentityPort, LostDepositPort, OtcPort, Slice, WithdrawalPort } from './ports.ts';
import { maskedAddress, maskedEmail, type Privacy } from './privacy.ts';
import type { Proposals } from './proposals.ts';
import { givesMore, isMore } from './proposed-change.ts';
import type { Roster } from './roster.ts';
import type { Sessions } from './sessions.ts';
import type { OperatorsDb } from './tables.ts';

export interface Parts {
  readonly db: OperatorsDb;
  readonly audit: AuditLog;
  readonly roster: Roster;
  readonly invitations: Invitations;
  readonly passkeys: Passkeys;
  readonly sessions: Sessions;
  readonly door: Door;
  readonly desk: Desk;
  readonly privacy: Privacy;
  readonly proposals: Proposals;
  readonly notices: Notices;
  readonly blocking: Blocking;
  readonly campaign: CampaignOperations;
  readonly identities: IdentityPort;
  readonly erasures: ErasurePort;
  readonly withdrawals: WithdrawalPort;
  readonly lostDeposits: LostDepositPort;
  readonly otc: OtcPort;
  readonly funds: FundPort;
  readonly arbiters: Arbiters;
  readonly now: () => number;
}

const PAGE_SIZE = 10;

export const sliceOf = ({ page = 1, pageSize = PAGE_SIZE }: { page?: number | undefined; pageSize?: number | undefined }): Slice => ({
  page,
  size: pageSize,
});

export const doorHandlers = ({ door, passkeys, sessions }: Parts): Handlers<typeof operatorDoorRoutes> => ({
  passkeyCreation: ({ body, caller }) => door.beginRegistration(body, caller),
  registerOperator: ({ body, caller }) => door.register(body, caller),
  passkeyRequest: ({ caller }) => passkeys.request(caller.origin),
  signInOperator: ({ body, caller }) => door.signIn(body, caller),
  async signOutOperator({ caller }) {
    await sessions.close(caller);
    return null;
  },
});

export const operatorHandlers = ({ db, audit, roster, invitations, proposals }: Parts): Handlers<typeof operatorRoutes> => ({
  operatorMe: ({ principal }) => ({ ...principal, rights: [...principal.rights] }),
  async operators() {
    const list = await roster.all();
    return { list, total: list.length };
  },
  async inviteOperator({ principal, body: { name, role } }) {
    await roster.refuseTaken(db, name);
    const isAlone = await invitations.isAlone(db);
    if (isAlone && !mayOperate(role, 'operator'))
      throw new ApiError('MalformedField', {
        field: 'role',
        message: 'the second operator must be able to approve what the first one proposes',
      });
    const { code, codeHash } = await invitations.make({ name, role });
    const invitation = { kind: 'INVITE' as const, name, role, codeHash };
    return { code, proposal: await (isAlone ? proposals.inviteAlone(principal, invitation) : proposals.propose(principal, invitation)) };
  },
  async proposeRole({ principal, body: { operatorId, role } }) {
    const name = await roster.nameOf(operatorId);
    return proposals.propose(principal, { kind: 'ROLE', operatorId, name, role });
  },
  async proposeRight({ principal, body: { operatorId, right } }) {
    const name = await roster.nameOf(operatorId);
    if (await roster.hasRight(db, operatorId, right)) throw new ApiError('AlreadyThere', { field: 'right' });
    return proposals.propose(principal, { kind: 'RIGHT', operatorId, name, right });
  },
  async endRight({ principal, body }) {
    await roster.endRight(principal, body);
    return null;
  },
  async endOperator({ principal, body }) {
    await roster.end(principal, body.operatorId);
    return null;
  },
  proposals: async ({ query }) => listOf(await proposals.page(sliceOf(query), query.state)),
  approveProposal: ({ principal, body }) => proposals.approve(principal, body),
  rejectProposal: ({ principal, body }) => proposals.reject(principal, body.proposalId),
  cancelProposal: ({ principal, body }) => proposals.cancel(principal, body.proposalId),
  async auditLog({ query }) {
    const [page, brokenAt] = [await audit.page(sliceOf(query)), await audit.brokenAt()];
    return { ...page, brokenAt: brokenAt ?? null };
  },
});

export const privacyDeskHandlers = ({ audit, privacy }: Parts): Handlers<typeof privacyDeskRoutes> => ({
  unmask: ({ principal, body }) => privacy.unmask(principal, body),
  alarms: ({ query }) => audit.page(sliceOf(query), 'ALARM'),
});

export const identityDeskHandlers = ({ desk, privacy, identities }: Parts): Handlers<typeof identityDeskRoutes> => ({
  identities: async ({ query }) => listOf(await identities.waiting(sliceOf(query))),
  viewIdentity: ({ principal, body }) => privacy.viewIdentity(principal, body),
  async decideIdentity({ principal, body: { reason = null, ...decided } }) {
    if (decided.decision === 'SENT_BACK' && reason === null) throw new ApiError('MissingField', { field: 'reason' });
    if (decided.decision === 'APPROVED' && reason !== null)
      throw new ApiError('MalformedField', { field: 'reason', message: 'reason is for the person to whom an identity is sent back' });
    const change = { kind: 'IDENTITY' as const, ...decided, reason };
    return desk.changeInTurn(principal.name, change, async () => {
      if (!(await identities.isWaiting(decided)))
        throw new ApiError('UnknownThing', { field: 'account', message: 'this identity is decided, or was handed in again' });
    });
  },
});

export const erasureDeskHandlers = ({ desk, erasures, proposals }: Parts): Handlers<typeof erasureDeskRoutes> => ({
  proposeErasure({ principal, body: { abandon = false, ...wanted } }) {
    erasures.check({ ...wanted, abandon });
    return proposals.propose(principal, { kind: 'ERASURE', ...wanted, abandon });
  },
  callOffErasure({ principal, body: { account } }) {
    const change = { kind: 'KEEP_ACCOUNT' as const, account };
    return desk.changeInTurn(principal.name, change, async () => {
      if (!(await erasures.isWaiting(account)))
        throw new ApiError('UnknownThing', { field: 'account', message: 'this account does not wait to be deleted' });
    });
  },
});

export const withdrawalDeskHandlers = ({ desk, withdrawals }: Parts): Handlers<typeof withdrawalDeskRoutes> => ({
  waitingWithdrawals: async ({ query }) => listOf(await withdrawals.waiting(sliceOf(query))),
  async decideWithdrawal({ principal, body: { withdrawalId, decision, reason = null } }) {
    if (decision === 'REFUSED' && reason === null) throw new ApiError('MissingField', { field: 'reason' });
    if (decision === 'APPROVED' && reason !== null)
      throw new ApiError('MalformedField', { field: 'reason', message: 'reason is for the person whose withdrawal is refused' });
    const change = { kind: 'WITHDRAWAL' as const, withdrawalId, decision, reason };
    return desk.changeInTurn(principal.name, change, async () => {
      if (!(await withdrawals.isWaiting(withdrawalId)))
        throw new ApiError('UnknownThing', { field: 'withdrawalId', message: 'this withdrawal does not wait for a decision' });
    });
  },
});

export const lostDepositDeskHandlers = ({ proposals, lostDeposits }: Parts): Handlers<typeof lostDepositDeskRoutes> => ({
  lostDeposits: async ({ query }) => listOf(await lostDeposits.lost(sliceOf(query))),
  async proposeWriteOff({ principal, body: { key, reason } }) {
    const deposit = await lostDeposits.find(key);
    if (deposit === undefined) throw new ApiError('UnknownThing', { field: 'key', message: 'no deposit of this key has left the chain' });
    const { account, coin, amount, suspended, state } = deposit;
    if (state === 'RETURNING') throw new ApiError('DepositNotInSuspense', { field: 'key' });
    if (state === 'WRITTEN_OFF') throw new ApiError('AlreadyThere', { field: 'key', message: 'this deposit is written off' });
    return proposals.propose(principal, { kind: 'WRITE_OFF', depositKey: key, account, coin, amount, suspended, reason });
  },
});

export const noticeHandlers = ({ notices }: Parts): Handlers<typeof noticeRoutes> => ({
  notices: ({ query }) => notices.shown(query.kind),
  posters: () => notices.shown('POSTER'),
});

export const noticeDeskHandlers = ({ notices }: Parts): Handlers<typeof noticeDeskRoutes> => ({
  deskNotices: async ({ query }) => listOf(await notices.page(sliceOf(query))),
  createNotice: async ({ principal, body }) => ({ noticeId: await notices.create(principal, body) }),
  async endNotice({ principal, body: { noticeId } }) {
    await notices.end(principal, noticeId);
    return { noticeId };
  },
});

export const whitelistDeskHandlers = ({ desk, campaign }: Parts): Handlers<typeof whitelistDeskRoutes> => ({
  async waitingList({ query }) {
    const { list, total } = await campaign.whitelist.waiting(sliceOf(query));
    const masked = list.map(({ id, address, email, joinedAt }) => ({
      waitingId: id,
      address: maskedAddress(address),
      email: email === null ? null : maskedEmail(email),
      joinedAt,
    }));
    return { list: masked, total };
  },
  async admitWaiting({ principal, body }) {
    await desk.change(principal.name, { kind: 'ADMIT_WAITING', waitingIds: body.waitingIds });
    return null;
  },
  async admit({ principal, body }) {
    const addresses = body.addresses.map((text) => addressField(text, 'addresses'));
    await desk.change(principal.name, { kind: 'ADMIT', addresses });
    return null;
  },
});

export const blockDeskHandlers = ({ desk, blocking, now }: Parts): Handlers<typeof blockDeskRoutes> => ({
  blockedAddresses: async ({ query }) => listOf(await blocking.page(sliceOf(query))),
  async blockAddress({ principal, body }) {
    const address = addressField(body.address, 'address');
    const { reason } = body;
    const block = { address, reason, operator: principal.name, at: now() };
    await desk.change(principal.name, { kind: 'BLOCK', address, reason }, (tx) => blocking.add(tx, block));
    return null;
  },
  async unblockAddress({ principal, body }) {
    const address = addressField(body.address, 'address');
    await desk.change(principal.name, { kind: 'UNBLOCK', address, reason: body.reason }, (tx) => blocking.remove(tx, address));
    return null;
  },
});

export const rewardDeskHandlers = ({ campaign, desk, proposals }: Parts): Handlers<typeof rewardDeskRoutes> => ({
  budgets: () => campaign.budgets.list(),
  changeBudgets({ principal, body }) {
    const change = { kind: 'BUDGET' as const, ...body };
    return desk.inTurn(subjectOf(change), async () => {
      if (isMore(body, await campaign.budgets.list())) return { proposalId: (await proposals.propose(principal, change)).proposalId };
      await desk.change(principal.name, change);
      return { proposalId: null };
    });
  },
  proposeAward: ({ principal, body: { address, points, reason } }) =>
    proposals.propose(principal, { kind: 'AWARD', address: addressField(address, 'address'), points, reason }),
  proposeBugReport: ({ principal, body: { address, ...report } }) =>
    proposals.propose(principal, bugReport({ address: addressField(address, 'address'), ...report })),
  async awardsOf({ query: { address, ...slice } }) {
    const { list, total } = await campaign.awards.of({ address: addressField(address, 'address'), ...sliceOf(slice) });
    return { list: list.map(({ key, kind, name, points, at }) => ({ key, kind, name: name.en, points, at })), total };
  },
  proposeReversal: ({ principal, body }) => proposals.propose(principal, { kind: 'REVERSAL', ...body }),
});

export const luckyDeskHandlers = ({ proposals, campaign: { lucky } }: Parts): Handlers<typeof luckyDeskRoutes> => ({
  luckyDecisions: async ({ query }) => listOf(await lucky.decisions(sliceOf(query))),
  async luckyAlarms() {
    const list = await lucky.alarms();
    return listOf({ list, total: list.length });
  },
  async proposeLuckyResume({ principal, body }) {
    const isAlarm = (await lucky.alarms()).some(
      ({ pausesAwards, period, blocks }) => pausesAwards && period === body.period && blocks >= body.blocks,
    );
    if (!isAlarm) throw new ApiError('UnknownThing', { field: 'period', message: 'there is no alarm of this day that pauses the awards' });
    return proposals.propose(principal, { kind: 'LUCKY_RESUME', ...body });
  },
});

export const taskDeskHandlers = ({ desk, proposals, campaign: { tasks } }: Parts): Handlers<typeof taskDeskRoutes> => ({
  async deskTasks() {
    const list = await tasks.list();
    return listOf({ list, total: list.length });
  },
  changeTask({ principal, body }) {
    const change = { kind: 'TASK' as const, ...body };
    return desk.inTurn(subjectOf(change), async () => {
      const task = (await tasks.list()).find(({ taskCode }) => taskCode === body.taskCode);
      if (task === undefined) throw new ApiError('UnknownThing', { field: 'taskCode' });
      if (body.startsAt !== null && body.endsAt !== null && body.endsAt <= body.startsAt)
        throw new ApiError('MalformedField', { field: 'endsAt', message: 'endsAt must come after startsAt' });
      if (givesMore(body, task)) return { proposalId: (await proposals.propose(principal, change)).proposalId };
      await desk.change(principal.name, change);
      return { proposalId: null };
    });
  },
});

export const campaignDeskHandlers = ({ desk, proposals, campaign }: Parts): Handlers<typeof campaignDeskRoutes> => ({
  deskCampaigns: ({ query }) => cut(campaign.campaigns.list(), sliceOf(query)),
  proposeCampaign({ principal, body }) {
    campaign.campaigns.check(body);
    return proposals.propose(principal, { kind: 'CAMPAIGN', ...body });
  },
  stopCampaign({ principal, body: { campaignId } }) {
    const change = { kind: 'STOP_CAMPAIGN' as const, campaignId };
    return desk.changeInTurn(principal.name, change, () => {
      if (!isOpen(campaign, campaignId))
        throw new ApiError('UnknownThing', { field: 'campaignId', message: 'there is no such campaign that is not over' });
    });
  },
});

export const clusterDeskHandlers = ({
  desk,
  proposals,
  funds,
  campaign: { appeals, board },
}: Parts): Handlers<typeof clusterDeskRoutes> => ({
  async appeals({ query }) {
    const { list, total } = await appeals.list(sliceOf(query));
    const masked = list.map(({ members, evidence, address, ...appeal }) => ({
      ...appeal,
      address: maskedAddress(address),
      members: members.map(maskedAddress),
      evidence: [...evidence],
    }));
    return { list: masked, total };
  },
  decideAppeal({ principal, body }) {
    const change = { kind: 'APPEAL' as const, ...body };
    return desk.inTurn(subjectOf(change), async () => {
      if ((await appeals.stateOf(body.appealId)) !== 'WAITING')
        throw new ApiError('UnknownThing', { field: 'appealId', message: 'this appeal is decided' });
      if (body.decision === 'ACCEPTED') return { proposalId: (await proposals.propose(principal, change)).proposalId };
      await desk.change(principal.name, change);
      return { proposalId: null };
    });
  },
  commonFunders: async ({ query }) => cut(await board.commonFunders(), sliceOf(query)),
  async suspiciousPairs({ query }) {
    const all = (await board.pairs()).map(({ winner, loser, ...pair }) => ({ ...pair, winner: maskedOf(winner), loser: maskedOf(loser) }));
    return cut(all, sliceOf(query));
  },
  async fundDealings({ query }) {
    const all = (await board.fundDealings()).map(({ members, ...dealing }) => ({ ...dealing, members: members.map(maskedOf) }));
    return cut(all, sliceOf(query));
  },
  async proposeFundResume({ principal, body: { fundId } }) {
    const pause = await funds.pauseOf(fundId);
    if (pause === undefined)
      throw new ApiError('UnknownThing', { field: 'fundId', message: 'the subscriptions of no such fund are paused' });
    return proposals.propose(principal, { kind: 'FUND_RESUME', fundId, ...pause });
  },
  pairTrades({ query: { campaignId, winner, loser, ...slice } }) {
    return cut(board.pairTrades({ campaignId, winner, loser }), sliceOf(slice));
  },
  async suspiciousClusters({ query }) {
    const all = (await board.clusters()).map(({ members, evidence, ...cluster }) => ({
      ...cluster,
      members: members.map(({ account, address, isWasher }) => ({ account, address: maskedAddress(address), isWasher })),
      evidence: [...evidence],
    }));
    return cut(all, sliceOf(query));
  },
});

const maskedOf = ({ account, address }: SuspiciousPair['winner']): SuspiciousPair['winner'] => ({
  account,
  address: maskedAddress(address),
});

const cut = <Item>(all: readonly Item[], { page, size }: Slice): { list: Item[]; total: number } => ({
  list: all.slice((page - 1) * size, page * size),
  total: all.length,
});

export const listOf = <Item>({ list, total }: { list: readonly Item[]; total: number }): { list: Item[]; total: number } => ({
  list: [...list],
  total,
});
