/** What operators do elsewhere. Others answer these shapes without knowing this service; every change may be asked for twice. */
import type {
  AppealDecision,
  FiledAppeal,
  FundDealing,
  Budgets,
  CommonFunder,
  DeskTask,
  HandedInIdentity,
  LeaderboardCampaign,
  LostDeposit,
  LuckyAlarmEntry,
  LuckyBlock,
  NewCampaign,
  OtcApplication,
  OtcDispute,
  OtcDisputeDetail,
  OtcMerchantState,
  PairTrades,
  ShownIdentity,
  SuspiciousCluster,
  SuspiciousPair,
  TaskChange,
  WaitingWithdrawal,
} from '@orrery/api';
import type { Address } from '@orrery/units';

/** Pages are counted from 1. */
export interface Slice {
  readonly page: number;
  readonly size: number;
}

export interface PageOf<Item> {
  readonly list: readonly Item[];
  readonly total: number;
}

export interface WaitingPerson {
  readonly id: number;
  readonly address: string;
  readonly email: string | null;
  readonly joinedAt: number;
}

export interface WhitelistPort {
  /** In the order in which they are let in. */
  waiting(slice: Slice): Promise<PageOf<WaitingPerson>>;
  person(id: number): Promise<WaitingPerson | undefined>;
  admitWaiting(ids: readonly number[]): Promise<void>;
  admit(addresses: readonly Address[]): Promise<void>;
}

export interface BudgetPort {
  list(): Promise<Budgets>;
  change(budgets: Budgets): Promise<void>;
}

/** Points of a reversal are below 0. */
export interface GivenAward {
  readonly key: string;
  readonly kind: string;
  readonly name: { readonly en: string };
  readonly points: number;
  readonly at: number;
}

export interface AwardPort {
  /** Newest first. */
  of(query: { address: Address } & Slice): Promise<PageOf<GivenAward>>;
  /** `id` names the order: given again it gives nothing more. */
  giveManual(order: { id: string; address: Address; points: number; reason: string }): Promise<void>;
  reverse(order: { key: string; reason: string }): Promise<void>;
}

export interface LuckyPort {
  /** Newest first. */
  decisions(slice: Slice): Promise<PageOf<LuckyBlock>>;
  alarms(): Promise<readonly LuckyAlarmEntry[]>;
  /** An operator has looked at this number of lucky blocks of a day: they no longer pause the awards. */
  resume(looked: { period: string; blocks: number }): Promise<void>;
}

export interface TaskPort {
  /** In the order in which they are shown; all of them. */
  list(): Promise<readonly DeskTask[]>;
  change(change: TaskChange): Promise<void>;
}

export interface CampaignPort {
  /** Latest first. */
  list(): readonly LeaderboardCampaign[];
  /** @throws ApiError naming the field that can not be so. */
  check(campaign: NewCampaign): void;
  /** Asked for again it makes nothing more. */
  create(campaign: NewCampaign): Promise<void>;
  /** @throws ApiError when it is over. */
  stop(campaignId: string): Promise<void>;
}

export interface BoardPort {
  /** Those with the most volume first. */
  clusters(): Promise<readonly FoundCluster[]>;
  /** Those of most accounts first. */
  commonFunders(): Promise<readonly CommonFunder[]>;
  /** Those that won most first. */
  pairs(): Promise<readonly SuspiciousPair[]>;
  /** Of the funds that are open. */
  fundDealings(): Promise<readonly FundDealing[]>;
  /** The latest first. @throws ApiError when there is no such campaign */
  pairTrades(query: { readonly campaignId: string; readonly winner: number; readonly loser: number }): readonly PairTrades[];
}

export interface AppealPort {
  /** Those that wait first. */
  list(slice: Slice): Promise<PageOf<Shown<FiledAppeal>>>;
  /** @throws ApiError when there is none. */
  stateOf(appealId: number): Promise<FiledAppeal['state']>;
  /** Decided the same way again nothing happens. @throws ApiError when there is none, or it was decided otherwise. */
  decide(decision: AppealDecision): Promise<void>;
}

export interface IdentityDecided {
  readonly account: number;
  readonly handedInTime: number;
  readonly decision: 'APPROVED' | 'SENT_BACK';
  /** For the person; null where it is approved. */
  readonly reason: string | null;
}

export interface IdentityWanted {
  readonly account: number;
  /** The number of the operator who looks: it stands across the images. */
  readonly reviewer: string;
}

/** The identities that people hand in. */
export interface IdentityPort {
  /** Masked, those that wait longest first. */
  waiting(slice: Slice): Promise<PageOf<HandedInIdentity>>;
  /** Undefined when there is none. */
  inFull(wanted: IdentityWanted): Promise<Omit<ShownIdentity, 'left'> | undefined>;
  /** True while it waits for a decision. */
  isWaiting(identity: Pick<IdentityDecided, 'account' | 'handedInTime'>): Promise<boolean>;
  /** Decided the same way again nothing happens. @throws ApiError when it was decided otherwise, or handed in again. */
  decide(decided: IdentityDecided): Promise<void>;
}

export interface ErasureWanted {
  readonly account: number;
  /** What the account still has is given up. */
  readonly abandon: boolean;
}

/** Accounts that wait to be deleted. */
export interface ErasurePort {
  /** @throws ApiError AccountNotEmpty, UnknownThing where there is no account. */
  check(wanted: ErasureWanted): void;
  /** Begins the waiting time; asked for again nothing happens. */
  ask(wanted: ErasureWanted): Promise<void>;
  isWaiting(account: number): Promise<boolean>;
  /** Called off again nothing happens. */
  keep(account: number): Promise<void>;
}

export interface WithdrawalDecided {
  readonly withdrawalId: string;
  readonly decision: 'APPROVED' | 'REFUSED';
  /** For the person; null where it is approved. */
  readonly reason: string | null;
}

/** The withdrawals that a person looks at before they are paid. */
export interface WithdrawalPort {
  /** Those that wait longest first. */
  waiting(slice: Slice): Promise<PageOf<WaitingWithdrawal>>;
  isWaiting(withdrawalId: string): Promise<boolean>;
  /** Decided the same way again nothing happens. @throws ApiError when it was decided otherwise, or cancelled. */
  decide(decided: WithdrawalDecided): Promise<void>;
}

/** Which pause of the subscriptions of a fund ends, and the capacity from before it, which it has again. */
export interface FundResumed {
  readonly fundId: string;
  /** Unix milliseconds. */
  readonly pausedAt: number;
  readonly capacity: string;
}

/** Funds whose subscriptions are paused. */
export interface FundPort {
  /** Undefined unless this fund is open and paused. */
  pauseOf(fundId: string): Promise<Omit<FundResumed, 'fundId'> | undefined>;
  /** Done again nothing happens, also when the fund is paused once more. */
  resume(resumed: FundResumed): Promise<void>;
}

/** What two operators agree to: the deposit by its key, the rest so that both read what it is. */
export interface WriteOffWanted extends Pick<LostDeposit, 'account' | 'coin' | 'amount' | 'suspended'> {
  readonly depositKey: string;
  readonly reason: string;
}

/** Deposits that left the chain after they were credited. */
export interface LostDepositPort {
  /** The latest to leave first. */
  lost(slice: Slice): Promise<PageOf<LostDeposit>>;
  /** Undefined when no deposit of this key is away. */
  find(key: string): Promise<LostDeposit | undefined>;
  /** Written off again nothing happens. @throws ApiError when it is on the chain again. */
  writeOff(key: string): Promise<void>;
}

/** Pages are counted from 1; every decision may be asked for twice. */
export interface OtcPort {
  readonly disputes: {
    list(slice: Slice, state?: 'OPEN' | 'ENDED'): Promise<PageOf<OtcDispute>>;
    /** @throws ApiError UnknownThing unless the order is or was disputed. */
    find(orderId: string): Promise<OtcDispute>;
    /** @param reviewer the number of the operator who looks: it stands across the images */
    detail(orderId: string, reviewer: string): Promise<Omit<OtcDisputeDetail, 'conflict'>>;
    /** Whether the account of one of these addresses is a side, or in a cluster with one. */
    isSide(orderId: string, addresses: readonly Address[]): Promise<boolean>;
    /** The number of the decision that it waits for; undefined while it waits for none. */
    awaited(orderId: string): Promise<number | undefined>;
    say(orderId: string, text: string): Promise<void>;
    decide(decided: OtcDecided): Promise<void>;
    /** @throws ApiError where it can not be paid. */
    checkPayment(payment: OtcPaymentWanted): Promise<void>;
    pay(payment: OtcPaymentWanted): Promise<void>;
  };
  readonly merchants: {
    applications(slice: Slice): Promise<PageOf<OtcApplication>>;
    /** Undefined unless somebody of this id has applied. */
    stateOfTrader(traderId: string): Promise<OtcMerchantState | undefined>;
    decide(decided: OtcMerchantDecided): Promise<void>;
  };
}

export interface OtcDecided {
  readonly orderId: string;
  readonly nth: number;
  readonly outcome: 'RELEASED' | 'RETURNED';
  /** For both sides. */
  readonly reason: string;
}

export interface OtcPaymentWanted {
  readonly orderId: string;
  readonly amount: string;
  readonly reason: string;
}

export interface OtcMerchantDecided {
  readonly traderId: string;
  readonly decision: 'APPROVED' | 'REFUSED';
  /** For the person; null where it is approved. */
  readonly reason: string | null;
}

type Shown<Entry extends { members: readonly unknown[]; evidence: readonly unknown[] }> = Omit<Entry, 'members' | 'evidence'> & {
  readonly members: readonly Entry['members'][number][];
  readonly evidence: readonly Entry['evidence'][number][];
};

/** With addresses as they are, in lists that are not ours to change. */
export type FoundCluster = Shown<SuspiciousCluster>;

/** The campaign, as far as operators have a hand in it. */
export interface CampaignOperations {
  readonly whitelist: WhitelistPort;
  readonly budgets: BudgetPort;
  readonly awards: AwardPort;
  readonly lucky: LuckyPort;
  readonly tasks: TaskPort;
  readonly campaigns: CampaignPort;
  readonly board: BoardPort;
  readonly appeals: AppealPort;
}
