/** What each fact changes in the record of funds. */
import type { Event, FundEvent } from '@orrery/protocol';
import { markAfterRound, navOf, worthAtNav } from '@orrery/rules';
import { type AssetId, atoms, type Millis, NO_ATOMS, type Ticks, unreachable } from '@orrery/units';
import { enter, settle } from './entries.ts';
import { addShares, giveToLeader, payOnShares, sharesOf, takeShares } from './holders.ts';
import { neverPaused, pauseAfter } from './pause.ts';
import type { FundRow, FundTx } from './tables.ts';

/** What a fold of history looks at, with the price of BTC at its time. */
export interface Happened {
  readonly event: FundEvent;
  readonly at: Millis;
  readonly seq: number;
  /** The place of the event among those of its command. */
  readonly place: number;
  readonly btc: Ticks | undefined;
}

type Kind = FundEvent['type'];
const FUND_EVENTS: ReadonlySet<string> = new Set<Kind>([
  'FundOpened',
  'FundCapacitySet',
  'FundSubscriptionQueued',
  'FundSubscribed',
  'FundSubscriptionReturned',
  'FundRedemptionQueued',
  'FundRedeemed',
  'FundRedemptionReturned',
  'FundValued',
  'FundValuationMissed',
  'FundFeeTaken',
  'FundReducing',
  'FundClosing',
  'FundPaidOut',
  'FundEnded',
  'FundHeartbeat',
  'FundMoneyMoved',
]);

export const isOfFunds = (event: Event): event is FundEvent => FUND_EVENTS.has(event.type);

const DAY_MS = 86_400_000;
const PPM = 1_000_000n;

export async function fold(tx: FundTx, happened: Happened): Promise<void> {
  const { event } = happened;
  switch (event.type) {
    case 'FundOpened':
      return open(tx, happened, event);
    case 'FundCapacitySet':
      return setCapacity(tx, happened, event);
    case 'FundSubscriptionQueued':
    case 'FundSubscribed':
    case 'FundSubscriptionReturned':
      return foldSubscription(tx, happened, event);
    case 'FundRedemptionQueued':
    case 'FundRedeemed':
    case 'FundRedemptionReturned':
      return foldRedemption(tx, happened, event);
    case 'FundValued':
      return value(tx, happened, event);
    case 'FundValuationMissed':
      return miss(tx, event);
    case 'FundFeeTaken':
      return takeFee(tx, happened, event);
    case 'FundClosing':
      return change(tx, event.fund, { status: 'CLOSING', reason: event.reason });
    case 'FundPaidOut':
      return payOut(tx, happened, event);
    case 'FundEnded':
      return change(tx, event.fund, { status: 'ENDED', worth: '0', shares: '0', cash: '0' });
    case 'FundReducing':
    case 'FundMoneyMoved':
    case 'FundHeartbeat':
      return;
    default:
      return unreachable(event);
  }
}

async function setCapacity(tx: FundTx, { at }: Happened, { fund, capacity }: FundEventOf<'FundCapacitySet'>): Promise<void> {
  const before = await tx
    .selectFrom('fund')
    .select(['capacity', 'open_capacity', 'paused_at', 'reopened_at'])
    .where('fund', '=', fund)
    .executeTakeFirstOrThrow();
  await change(tx, fund, pauseAfter(before, { capacity: text(capacity), at }));
}

type OfSubscription = FundEventOf<'FundSubscriptionQueued' | 'FundSubscribed' | 'FundSubscriptionReturned'>;

async function foldSubscription(tx: FundTx, happened: Happened, event: OfSubscription): Promise<void> {
  const { at } = happened;
  const place = { account: event.account, kind: 'SUBSCRIPTION', request_id: event.subscriptionId } as const;
  switch (event.type) {
    case 'FundSubscriptionQueued':
      return enter(tx, happened, { ...place, fund: event.fund, amount: text(event.amount), earliest: event.interval });
    case 'FundSubscribed': {
      const { fund, account, shares, amount: cost, highWaterMark, lockedUntil } = event;
      await addShares(tx, fund, account, { shares, cost, highWaterMark, lockedUntil });
      return settle(tx, place, { status: 'DONE', shares: text(shares), nav: text(event.nav), done_at: at });
    }
    case 'FundSubscriptionReturned':
      return settle(tx, place, { status: 'RETURNED', reason: event.reason, done_at: at });
    default:
      return unreachable(event);
  }
}

type OfRedemption = FundEventOf<'FundRedemptionQueued' | 'FundRedeemed' | 'FundRedemptionReturned'>;

async function foldRedemption(tx: FundTx, happened: Happened, event: OfRedemption): Promise<void> {
  const { at } = happened;
  const place = { account: event.account, kind: 'REDEMPTION', request_id: event.redemptionId } as const;
  switch (event.type) {
    case 'FundRedemptionQueued':
      return enter(tx, happened, { ...place, fund: event.fund, left_shares: text(event.shares), earliest: event.interval });
    case 'FundRedeemed':
      return redeem(tx, happened, event);
    case 'FundRedemptionReturned':
      return settle(tx, place, { status: 'RETURNED', left_shares: '0', reason: event.reason, done_at: at });
    default:
      return unreachable(event);
  }
}

async function miss(tx: FundTx, { fund, interval }: FundEventOf<'FundValuationMissed'>): Promise<void> {
  await tx.updateTable('fund').set({ missed_at: interval }).where('fund', '=', fund).where('missed_at', 'is', null).execute();
}

async function takeFee(tx: FundTx, happened: Happened, event: FundEventOf<'FundFeeTaken'>): Promise<void> {
  const { fund, account, shares, nav } = event;
  await takeShares(tx, fund, account, { shares, paid: undefined });
  await tx
    .updateTable('fund_holder')
    .set({ high_water_mark: text(nav) })
    .where('fund', '=', fund)
    .where('account', '=', account)
    .execute();
  await giveToLeader(tx, fund, shares);
  const taken = { shares: text(shares), fee: text(shares), nav: text(nav), done_at: happened.at };
  await enter(tx, happened, { fund, account, kind: 'FEE', request_id: '', status: 'DONE', ...taken });
}

async function payOut(tx: FundTx, happened: Happened, event: FundEventOf<'FundPaidOut'>): Promise<void> {
  const { fund, account, shares, fee, amount } = event;
  if (shares === NO_ATOMS) {
    await payOnShares(tx, fund, account, amount);
    await lower(tx, event);
  }
  await takeShares(tx, fund, account, { shares, paid: amount });
  await giveToLeader(tx, fund, fee);
  const paid = { amount: text(amount), shares: text(shares), fee: text(fee), done_at: happened.at };
  await enter(tx, happened, { fund, account, kind: 'PAYOUT', request_id: '', status: 'DONE', ...paid });
}

/** The NAV after a round: of the last valuation, without what a share was paid. Every holder has the same for a share; the leader, who always is one, stands for all. */
async function lower(tx: FundTx, { fund, account, leader, amount }: FundEventOf<'FundPaidOut'>): Promise<void> {
  if (account !== leader) return;
  const before = await tx.selectFrom('fund').select(['worth', 'cash', 'shares', 'nav']).where('fund', '=', fund).executeTakeFirstOrThrow();
  const nav = markAfterRound(atoms(BigInt(before.nav)), { worth: amount, shares: await sharesOf(tx, fund, account) });
  const worth = worthAtNav(atoms(BigInt(before.shares)), nav);
  const cash = BigInt(before.cash) - BigInt(before.worth) + worth;
  await change(tx, fund, { nav: text(nav), worth: text(worth), cash: text(cash > 0n ? cash : 0n) });
}

type FundEventOf<Type extends Kind> = Extract<FundEvent, { type: Type }>;
const text = (value: bigint): string => value.toString();

async function change(tx: FundTx, fund: AssetId, values: Partial<FundRow>): Promise<void> {
  await tx.updateTable('fund').set(values).where('fund', '=', fund).execute();
}

/** Its first NAV is what the leader paid for its shares. */
async function open(tx: FundTx, { at, btc }: Happened, event: FundEventOf<'FundOpened'>): Promise<void> {
  const { fund, account, leader, asset, capacity, amount, shares } = event;
  const nav = navOf({ worth: amount, shares });
  const worth = { worth: text(amount), shares: text(shares), nav: text(nav) };
  await tx
    .insertInto('fund')
    .values({
      ...worth,
      fund,
      account,
      leader,
      asset,
      ...neverPaused(text(capacity)),
      status: 'OPEN',
      reason: null,
      opened_at: at,
      cash: text(amount),
      valued_at: null,
      missed_at: null,
      peak: text(nav),
      max_drawdown_ppm: 0,
    })
    .execute();
  await addShares(tx, fund, leader, { shares, cost: amount, highWaterMark: nav, lockedUntil: at });
  await mark(tx, { ...worth, fund, time: at, peak: text(nav), btc: btc === undefined ? null : String(btc) });
}

async function value(tx: FundTx, { btc }: Happened, event: FundEventOf<'FundValued'>): Promise<void> {
  const { fund, interval, worth, shares, nav, cash } = event;
  const before = await tx.selectFrom('fund').select(['peak', 'max_drawdown_ppm']).where('fund', '=', fund).executeTakeFirstOrThrow();
  const highest = BigInt(before.peak);
  const peak = nav > highest ? nav : atoms(highest);
  const drawdown = Number(((peak - nav) * PPM) / peak);
  const figures = { worth: text(worth), shares: text(shares), nav: text(nav) };
  await change(tx, fund, {
    ...figures,
    cash: text(cash),
    valued_at: interval,
    missed_at: null,
    peak: text(peak),
    max_drawdown_ppm: Math.max(before.max_drawdown_ppm, drawdown),
  });
  await mark(tx, { ...figures, fund, time: interval, peak: text(peak), btc: btc === undefined ? null : String(btc) });
}

interface Marked {
  readonly fund: AssetId;
  readonly time: Millis;
  readonly worth: string;
  readonly shares: string;
  readonly nav: string;
  readonly peak: string;
  readonly btc: string | null;
}

async function mark(tx: FundTx, row: Marked): Promise<void> {
  await tx.insertInto('fund_valuation').values(row).execute();
  const { fund, nav } = row;
  await tx
    .insertInto('fund_day')
    .values({ fund, day: row.time - (row.time % DAY_MS), nav })
    .onConflict((conflict) => conflict.columns(['fund', 'day']).doUpdateSet({ nav }))
    .execute();
}

async function redeem(tx: FundTx, { at }: Happened, event: FundEventOf<'FundRedeemed'>): Promise<void> {
  const { fund, account, redemptionId, shares, fee, amount, nav, left } = event;
  await takeShares(tx, fund, account, { shares, paid: amount });
  await giveToLeader(tx, fund, fee);
  const entry = await tx
    .selectFrom('fund_entry')
    .select(['amount', 'shares', 'fee'])
    .where('account', '=', account)
    .where('kind', '=', 'REDEMPTION')
    .where('request_id', '=', redemptionId)
    .executeTakeFirstOrThrow();
  await settle(
    tx,
    { account, kind: 'REDEMPTION', request_id: redemptionId },
    {
      status: left === NO_ATOMS ? 'DONE' : 'PARTIAL',
      amount: text(BigInt(entry.amount ?? 0) + amount),
      shares: text(BigInt(entry.shares ?? 0) + shares),
      fee: text(BigInt(entry.fee) + fee),
      left_shares: text(left),
      nav: text(nav),
      done_at: left === NO_ATOMS ? at : null,
    },
  );
}
