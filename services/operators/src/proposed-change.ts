/** What two operators decide: the exact change, what it is proposed on, and whether it gives more than there is. */
import {
  mayOperate,
  type AppealDecision,
  type Budgets,
  type DeskTask,
  type ErasureReason,
  type NewCampaign,
  type Operator,
  type OperatorRight,
  type OperatorRole,
  type TaskChange,
} from '@orrery/api';
import { unreachable, type Address } from '@orrery/units';
import type { Selectable } from 'kysely';
import { canonical, hashOf } from './canonical.ts';
import { subjectOf } from './change.ts';
import type { Invitations } from './invitations.ts';
import type {
  AppealPort,
  BudgetPort,
  ErasureWanted,
  FundPort,
  FundResumed,
  LostDepositPort,
  OtcDecided,
  OtcPaymentWanted,
  OtcPort,
  TaskPort,
  WriteOffWanted,
} from './ports.ts';
import type { Roster } from './roster.ts';
import type { OperatorsTables, OperatorsTx } from './tables.ts';

export type ProposedChange =
  | { readonly kind: 'ROLE'; readonly operatorId: string; readonly name: string; readonly role: OperatorRole }
  | { readonly kind: 'RIGHT'; readonly operatorId: string; readonly name: string; readonly right: OperatorRight }
  | { readonly kind: 'INVITE'; readonly name: string; readonly role: OperatorRole; readonly codeHash: string }
  | ({ readonly kind: 'BUDGET' } & Budgets)
  | { readonly kind: 'AWARD'; readonly address: Address; readonly points: number; readonly reason: string }
  | { readonly kind: 'BUG_REPORT'; readonly address: Address; readonly points: number; readonly reference: string; readonly id: string }
  | { readonly kind: 'REVERSAL'; readonly key: string; readonly reason: string }
  | { readonly kind: 'LUCKY_RESUME'; readonly period: string; readonly blocks: number }
  | ({ readonly kind: 'FUND_RESUME' } & FundResumed)
  | ({ readonly kind: 'TASK' } & TaskChange)
  | ({ readonly kind: 'CAMPAIGN' } & NewCampaign)
  /** An accepted one: what it brings is paid. */
  | ({ readonly kind: 'APPEAL' } & AppealDecision)
  | ({ readonly kind: 'ERASURE'; readonly reasonCode: ErasureReason } & ErasureWanted)
  | ({ readonly kind: 'WRITE_OFF' } & WriteOffWanted)
  | ({ readonly kind: 'OTC_DECISION' } & OtcDecided)
  | ({ readonly kind: 'OTC_PAYMENT' } & OtcPaymentWanted);

export type ProposalRow = Selectable<OperatorsTables['operators_proposal']>;

export const proposedOf = ({ kind, change }: ProposalRow): ProposedChange =>
  ({ kind, ...(JSON.parse(change) as object) }) as ProposedChange;

/** Of the exact change: approving names it. */
export const proposalHash = ({ proposal_id: proposalId, kind, change, base, proposer_id: proposerId }: ProposalRow): string =>
  hashOf({ proposalId, kind, change, base, proposerId });

/** What lies outside and is changed by one person too, when it gives less: see `Desk.inTurn`. */
export const subjectOfProposal = (proposed: ProposedChange): string | undefined =>
  proposed.kind === 'BUDGET' || proposed.kind === 'TASK' || proposed.kind === 'APPEAL' || proposed.kind === 'OTC_DECISION'
    ? subjectOf(proposed)
    : undefined;

/** What changes are proposed on. */
export interface Ground {
  readonly roster: Roster;
  readonly invitations: Invitations;
  readonly campaign: { readonly budgets: BudgetPort; readonly tasks: TaskPort; readonly appeals: AppealPort };
  readonly lostDeposits: Pick<LostDepositPort, 'find'>;
  readonly otc: OtcPort;
  readonly funds: Pick<FundPort, 'pauseOf'>;
  /** Of OTC orders. */
  readonly arbiters: { refuseSides(operator: Operator, proposed: ProposedChange): Promise<void> };
}

/** What this change is proposed on: it must still be so when it is approved, and when it takes effect. */
export async function baseOf(
  tx: OperatorsTx,
  proposed: ProposedChange,
  { roster, campaign, lostDeposits, otc, funds }: Ground,
): Promise<string> {
  switch (proposed.kind) {
    case 'ROLE':
      return roster.roleOf(tx, proposed.operatorId);
    case 'RIGHT':
      return String(await roster.hasRight(tx, proposed.operatorId, proposed.right));
    case 'BUDGET':
      return canonical(await campaign.budgets.list());
    case 'TASK':
      return canonical((await campaign.tasks.list()).find(({ taskCode }) => taskCode === proposed.taskCode) ?? null);
    case 'APPEAL':
      return campaign.appeals.stateOf(proposed.appealId);
    case 'WRITE_OFF':
      return (await lostDeposits.find(proposed.depositKey))?.state ?? 'RETURNED';
    case 'OTC_DECISION':
      return String(await otc.disputes.awaited(proposed.orderId));
    // Another pause than the one that was looked at is not ended.
    case 'FUND_RESUME':
      return String((await funds.pauseOf(proposed.fundId))?.pausedAt);
    case 'INVITE':
    case 'OTC_PAYMENT':
    case 'AWARD':
    case 'BUG_REPORT':
    case 'REVERSAL':
    case 'CAMPAIGN':
    case 'LUCKY_RESUME':
    case 'ERASURE':
      return '';
    default:
      return unreachable(proposed);
  }
}

/** True for what gives more than there is: it waits for the timelock. What takes something waits for nothing. */
export function isLooser(proposed: ProposedChange, base: string): boolean {
  switch (proposed.kind) {
    case 'REVERSAL':
    // It has a waiting time of its own, which begins when it is done.
    case 'ERASURE':
    // So has the first decision of a dispute; the second one ends a wait.
    case 'OTC_DECISION':
      return false;
    case 'ROLE':
      return !mayOperate(base as OperatorRole, proposed.role);
    // Other budgets, tasks and appeals than those that give more are not proposed: one person decides them at once.
    case 'BUDGET':
    case 'TASK':
    case 'RIGHT':
    case 'INVITE':
    case 'AWARD':
    case 'BUG_REPORT':
    case 'CAMPAIGN':
    case 'APPEAL':
    case 'LUCKY_RESUME':
    case 'FUND_RESUME':
    case 'WRITE_OFF':
    case 'OTC_PAYMENT':
      return true;
    default:
      return unreachable(proposed);
  }
}

export const isMore = (wanted: Budgets, now: Budgets): boolean =>
  wanted.pointsPerDay > now.pointsPerDay || wanted.faucetClaimsPerDay > now.faucetClaimsPerDay;

/** A higher reward, for longer, or again. */
export function givesMore(wanted: TaskChange, now: DeskTask): boolean {
  const isSooner = (wanted.startsAt ?? 0) < (now.startsAt ?? 0);
  const isLater = (wanted.endsAt ?? Number.POSITIVE_INFINITY) > (now.endsAt ?? Number.POSITIVE_INFINITY);
  return wanted.reward > now.reward || (wanted.active && (!now.active || isSooner || isLater));
}
