/** What operators change outside this service's own tables, and how it is done. Doing it twice changes nothing. */
import type { AppealDecision, Budgets, ErasureReason, NewCampaign, TaskChange } from '@orrery/api';
import { unreachable, type Address } from '@orrery/units';
import type { Blocking } from './blocking.ts';
import type {
  CampaignOperations,
  ErasurePort,
  ErasureWanted,
  FundPort,
  FundResumed,
  IdentityDecided,
  IdentityPort,
  LostDepositPort,
  OtcDecided,
  OtcMerchantDecided,
  OtcPaymentWanted,
  OtcPort,
  WithdrawalDecided,
  WithdrawalPort,
  WriteOffWanted,
} from './ports.ts';

export type Change =
  | { readonly kind: 'ADMIT'; readonly addresses: readonly Address[] }
  | { readonly kind: 'ADMIT_WAITING'; readonly waitingIds: readonly number[] }
  | { readonly kind: 'BLOCK'; readonly address: Address; readonly reason: string }
  | { readonly kind: 'UNBLOCK'; readonly address: Address; readonly reason: string }
  | ({ readonly kind: 'BUDGET' } & Budgets)
  | { readonly kind: 'AWARD'; readonly id: string; readonly address: Address; readonly points: number; readonly reason: string }
  | { readonly kind: 'REVERSAL'; readonly key: string; readonly reason: string }
  | ({ readonly kind: 'TASK' } & TaskChange)
  | ({ readonly kind: 'CAMPAIGN' } & NewCampaign)
  | { readonly kind: 'STOP_CAMPAIGN'; readonly campaignId: string }
  | { readonly kind: 'LUCKY_RESUME'; readonly period: string; readonly blocks: number }
  | ({ readonly kind: 'FUND_RESUME' } & FundResumed)
  | ({ readonly kind: 'APPEAL' } & AppealDecision)
  | ({ readonly kind: 'IDENTITY' } & IdentityDecided)
  | ({ readonly kind: 'ERASURE'; readonly reasonCode: ErasureReason } & ErasureWanted)
  | { readonly kind: 'KEEP_ACCOUNT'; readonly account: number }
  | ({ readonly kind: 'WITHDRAWAL' } & WithdrawalDecided)
  | ({ readonly kind: 'WRITE_OFF' } & WriteOffWanted)
  | ({ readonly kind: 'OTC_DECISION' } & OtcDecided)
  | ({ readonly kind: 'OTC_PAYMENT' } & OtcPaymentWanted)
  | ({ readonly kind: 'OTC_MERCHANT' } & OtcMerchantDecided);

export interface Hands {
  readonly campaign: CampaignOperations;
  readonly identities: IdentityPort;
  readonly erasures: ErasurePort;
  readonly withdrawals: WithdrawalPort;
  readonly lostDeposits: LostDepositPort;
  readonly otc: OtcPort;
  readonly funds: FundPort;
  readonly blocking: Blocking;
}

export async function perform(change: Change, hands: Hands): Promise<void> {
  const { campaign, identities, erasures, withdrawals, lostDeposits, otc, funds, blocking } = hands;
  switch (change.kind) {
    case 'ADMIT':
      return campaign.whitelist.admit(change.addresses);
    case 'ADMIT_WAITING':
      return campaign.whitelist.admitWaiting(change.waitingIds);
    case 'BLOCK':
      return blocking.set(change.address, true);
    case 'UNBLOCK':
      return blocking.set(change.address, false);
    case 'BUDGET':
      return campaign.budgets.change({ pointsPerDay: change.pointsPerDay, faucetClaimsPerDay: change.faucetClaimsPerDay });
    case 'AWARD': {
      const { id, address, points, reason } = change;
      return campaign.awards.giveManual({ id, address, points, reason });
    }
    case 'REVERSAL':
      return campaign.awards.reverse({ key: change.key, reason: change.reason });
    case 'TASK': {
      const { kind: _, ...task } = change;
      return campaign.tasks.change(task);
    }
    case 'CAMPAIGN': {
      const { kind: _, ...wanted } = change;
      return campaign.campaigns.create(wanted);
    }
    case 'STOP_CAMPAIGN':
      // Since it was asked for it may be over, by this very change before a crash.
      return isOpen(campaign, change.campaignId) ? campaign.campaigns.stop(change.campaignId) : undefined;
    case 'LUCKY_RESUME':
      return campaign.lucky.resume({ period: change.period, blocks: change.blocks });
    case 'FUND_RESUME': {
      const { kind: _, ...resumed } = change;
      return funds.resume(resumed);
    }
    case 'APPEAL': {
      const { appealId, decision, answer } = change;
      return campaign.appeals.decide({ appealId, decision, answer });
    }
    case 'IDENTITY': {
      const { kind: _, ...decided } = change;
      return identities.decide(decided);
    }
    case 'ERASURE':
      return erasures.ask({ account: change.account, abandon: change.abandon });
    case 'KEEP_ACCOUNT':
      return erasures.keep(change.account);
    case 'WITHDRAWAL': {
      const { kind: _, ...decided } = change;
      return withdrawals.decide(decided);
    }
    case 'WRITE_OFF':
      return lostDeposits.writeOff(change.depositKey);
    case 'OTC_DECISION': {
      const { kind: _, ...decided } = change;
      return otc.disputes.decide(decided);
    }
    case 'OTC_PAYMENT': {
      const { kind: _, ...payment } = change;
      return otc.disputes.pay(payment);
    }
    case 'OTC_MERCHANT': {
      const { kind: _, ...decided } = change;
      return otc.merchants.decide(decided);
    }
    default:
      return unreachable(change);
  }
}

/** What it changes, where the order of changes matters; undefined where it does not. */
export function subjectOf(change: Change): string | undefined {
  switch (change.kind) {
    case 'BLOCK':
    case 'UNBLOCK':
      return `address ${change.address}`;
    case 'BUDGET':
      return 'budgets';
    case 'TASK':
      return `task ${change.taskCode}`;
    case 'CAMPAIGN':
    case 'STOP_CAMPAIGN':
      return `campaign ${change.campaignId}`;
    case 'LUCKY_RESUME':
      return `lucky blocks ${change.period}`;
    case 'FUND_RESUME':
      return `fund ${change.fundId}`;
    case 'APPEAL':
      return `appeal ${change.appealId}`;
    case 'IDENTITY':
      return `identity ${change.account}`;
    case 'ERASURE':
    case 'KEEP_ACCOUNT':
      return `erasure ${change.account}`;
    case 'WITHDRAWAL':
      return `withdrawal ${change.withdrawalId}`;
    case 'WRITE_OFF':
      return `deposit ${change.depositKey}`;
    case 'OTC_DECISION':
    case 'OTC_PAYMENT':
      return `otc order ${change.orderId}`;
    case 'OTC_MERCHANT':
      return `otc merchant ${change.traderId}`;
    case 'ADMIT':
    case 'ADMIT_WAITING':
    case 'AWARD':
    case 'REVERSAL':
      return undefined;
    default:
      return unreachable(change);
  }
}

/** A campaign that has not ended. */
export const isOpen = ({ campaigns }: CampaignOperations, campaignId: string): boolean =>
  campaigns.list().some((campaign) => campaign.campaignId === campaignId && ['UPCOMING', 'RUNNING'].includes(campaign.state));
