/** The funds at work: what each one knows beside the ledger, which has its money and its shares. */
import { addAtoms, assert, atoms, NO_ATOMS, subtractAtoms, type AccountId, type AssetId, type Atoms, type Millis } from '@orrery/units';
import type { FundEnd } from '@orrery/protocol';
import type { SharePrice } from '@orrery/rules';

export interface FundHolder {
  readonly account: AccountId;
  /** Settle atoms of 1,000,000,000 atoms of shares: what the NAV was when the last fee was taken, or the shares were bought; the average of all its shares. */
  highWaterMark: Atoms;
  lockedUntil: Millis;
}

interface FundRequest {
  readonly account: AccountId;
  /** The earliest valuation that executes it. */
  readonly interval: Millis;
}

export interface FundSubscription extends FundRequest {
  readonly subscriptionId: string;
  readonly amount: Atoms;
}

export interface FundRedemption extends FundRequest {
  readonly redemptionId: string;
  /** That still wait. */
  shares: Atoms;
}

/**
 * What a valuation has begun and commands after it go on with. selling: for redemptions that wait for cash. closing: everything is sold. returning: what waits is given
 * back. paying: every holder is paid. round: every holder has its part of the cash of a fund that cannot sell everything, and keeps its shares.
 */
export const FUND_PHASES = ['subscriptions', 'redemptions', 'fees', 'selling', 'closing', 'returning', 'paying', 'round'] as const;

export interface FundWork extends SharePrice {
  readonly phase: (typeof FUND_PHASES)[number];
  readonly interval: Millis;
  /** The market or the account that comes next, by its id. */
  readonly next: number;
}

export interface Fund {
  /** Its shares: the asset that names it. */
  readonly fund: AssetId;
  readonly account: AccountId;
  readonly leader: AccountId;
  readonly asset: AssetId;
  capacity: Atoms;
  /** Atoms of all shares. */
  shares: Atoms;
  /** Of the last valuation; of one unit a share before the first. */
  nav: Atoms;
  worth: Atoms;
  /** The interval of the last valuation, whether its prices were fresh or not. */
  valuedAt: Millis;
  /** Up to which the performance fees of months are taken. */
  month: number;
  /** Valuations since its account gave its last command. */
  silent: number;
  isLiquidated: boolean;
  /** Why it closes; undefined while it is open. */
  end: FundEnd | undefined;
  closingSince: Millis;
  /** When it closed, or had its last round. */
  roundAt: Millis;
  work: FundWork | undefined;
  /** By account id. */
  readonly holders: FundHolder[];
  /** In the order of their coming. */
  readonly subscriptions: FundSubscription[];
  readonly redemptions: FundRedemption[];
  /** Of requests that wait, by account. */
  readonly waiting: Map<AccountId, number>;
  /** Settle atoms of all subscriptions that wait. */
  queued: Atoms;
}

export class Funds {
  /** By id. */
  readonly #list: Fund[] = [];
  readonly #byAccount = new Map<AccountId, Fund>();
  /** Of funds that have ended, too: a share is never anything else. */
  readonly shares = new Set<AssetId>();

  get size(): number {
    return this.#list.length;
  }

  add(fund: Fund): void {
    const place = this.#list.findIndex((other) => other.fund > fund.fund);
    this.#list.splice(place === -1 ? this.#list.length : place, 0, fund);
    this.#byAccount.set(fund.account, fund);
    this.shares.add(fund.fund);
  }

  /** It has ended: its account is one like any other. */
  remove(fund: Fund): void {
    this.#list.splice(this.#list.indexOf(fund), 1);
    this.#byAccount.delete(fund.account);
  }

  get(fund: AssetId): Fund | undefined {
    return this.#list.find((one) => one.fund === fund);
  }

  /** The fund that an account is. */
  of(account: AccountId): Fund | undefined {
    return this.#byAccount.get(account);
  }

  /** Settle atoms of all subscriptions that wait, in an asset. */
  queuedOf(asset: AssetId): Atoms {
    return this.#list.reduce((sum, fund) => (fund.asset === asset ? addAtoms(sum, fund.queued) : sum), NO_ATOMS);
  }

  /** By id. */
  [Symbol.iterator](): IterableIterator<Fund> {
    return this.#list[Symbol.iterator]();
  }
}

export const holderOf = ({ holders }: Fund, account: AccountId): FundHolder | undefined => {
  const found = holders[placeOf(holders, account)];
  return found?.account === account ? found : undefined;
};

/** Of an account that has shares. */
export function knownHolder(fund: Fund, account: AccountId): FundHolder {
  const holder = holderOf(fund, account);
  assert(holder !== undefined, 'who has shares is a holder');
  return holder;
}

/** Sets the marks of an account that has or will have shares. */
export function setHolder({ holders }: Fund, holder: FundHolder): void {
  const place = placeOf(holders, holder.account);
  holders.splice(place, holders[place]?.account === holder.account ? 1 : 0, holder);
}

export function removeHolder({ holders }: Fund, account: AccountId): void {
  const place = placeOf(holders, account);
  if (holders[place]?.account === account) holders.splice(place, 1);
}

/** The place of the first holder whose id is not below. */
export function placeOf(holders: readonly FundHolder[], account: number): number {
  let low = 0;
  let high = holders.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((holders[middle]?.account ?? 0) < account) low = middle + 1;
    else high = middle;
  }
  return low;
}

export function enqueueSubscription(fund: Fund, subscription: FundSubscription): void {
  fund.subscriptions.push(subscription);
  fund.queued = addAtoms(fund.queued, subscription.amount);
  count(fund, subscription.account, 1);
}

export function enqueueRedemption(fund: Fund, redemption: FundRedemption): void {
  fund.redemptions.push(redemption);
  count(fund, redemption.account, 1);
}

/** The first one waits no longer. */
export function takeSubscription(fund: Fund): void {
  const taken = fund.subscriptions.shift();
  assert(taken !== undefined, 'a subscription that is executed has waited');
  fund.queued = subtractAtoms(fund.queued, taken.amount);
  count(fund, taken.account, -1);
}

export function takeRedemption(fund: Fund): void {
  const taken = fund.redemptions.shift();
  assert(taken !== undefined, 'a redemption that is executed has waited');
  count(fund, taken.account, -1);
}

function count({ waiting }: Fund, account: AccountId, change: 1 | -1): void {
  const requests = (waiting.get(account) ?? 0) + change;
  if (requests === 0) waiting.delete(account);
  else waiting.set(account, requests);
}

/** Atoms of shares that wait in redemptions. */
export const redeeming = ({ redemptions }: Fund): Atoms => atoms(redemptions.reduce((sum, { shares }) => sum + shares, 0n));
