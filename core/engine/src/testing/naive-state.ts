/** What the naive exchange knows, in plain lists, and what follows from it: every hold is recomputed each time it is asked for. */
import {
  REJECT_REASONS,
  WALLETS,
  type AccountFlag,
  type Asset,
  type Budget,
  type Event,
  type Market,
  type MarketState,
  type Order,
  type RejectReason,
  type StallReason,
  type Wallet,
} from '@orrery/protocol';
import { accountId, atoms, millis, type AccountId, type Address, type AssetId, type MarketId, type Millis } from '@orrery/units';

export const MILLION = 1_000_000n;
export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;
export const MINUTE = 60_000;

export interface NaiveOrder {
  order: Order;
  /** As its command asked for it. */
  asked: Order;
  replaces: number;
  status: 'armed' | 'resting' | 'acting' | 'matching';
  /** While it is matching: what it may pay at worst, and what is left of its funds. */
  best: number;
  reference: number;
  fundsLeft: bigint;
  /** Of orders at one price the one that rested earlier trades first. */
  restedAs: number;
  remaining: number;
  filled: number;
  filledNotional: bigint;
  /** Of those that wait for one price the one that began to wait earlier acts first. */
  armedAs: number;
  /** A trailing stop: the best price that it has seen since it follows, and whether a price has come back to it; 0 while it does not follow. */
  extreme: number;
  isReached: boolean;
  /** Why it could not act when it was tried last; it was reached and waits on. */
  stalled: StallReason | undefined;
}

/** Of an order that protects what it buys, from its first fill until it is over. */
export interface NaivePurchase {
  parent: Order;
  /** Base atoms that nothing protects. */
  received: bigint;
  protection: number;
  isGivenUp: boolean;
}

export interface NaiveMarket {
  terms: Market;
  state: MarketState;
  lastPrice: number;
  lastTradeAt: number;
  indexPrice: number;
  indexAt: number;
  /** In millionths of a tick. */
  average: bigint;
  averageAt: number;
  /** The furthest prices that reached stops which have not all fired; 0 for none. */
  high: number;
  low: number;
  /** By side and distance: the last price that came back to the first trailing stop. */
  trails: Readonly<Record<string, number>>;
  /** Of a pass over those that could not act: how many may be tried yet, and how many in a row could not. */
  toTry: number;
  misses: number;
}

export interface NaiveAccount {
  id: AccountId;
  address: Address;
  flags: AccountFlag[];
  closed: { order: Order; replaces: number; closedAt: number }[];
  suspended: { key: string; asset: AssetId; amount: bigint }[];
  lastClaimAt: number | undefined;
}

export interface Reason {
  reason: RejectReason;
  field: string;
}

export interface NaiveWithdrawal {
  id: string;
  account: AccountId;
  asset: AssetId;
  amount: bigint;
  to: Address;
  state: string;
  txHash: string;
  /** Undefined before rules 4. */
  heldAt: number | undefined;
}

export interface NaiveWrittenOff {
  key: string;
  account: AccountId;
  asset: AssetId;
  /** Of the deposit. */
  amount: bigint;
  /** What the exchange paid of it. */
  paid: bigint;
}

/** As it was emitted last. */
interface NaiveBalance {
  readonly account: AccountId;
  readonly wallet: Wallet;
  readonly asset: AssetId;
  readonly key: string;
  free: bigint;
  held: bigint;
}

type Body = string;

export class NaiveState {
  rules = 1;
  /** How many orders the command at work may still meet. */
  fills = 0;
  assets: Asset[] = [];
  markets: NaiveMarket[] = [];
  accounts: NaiveAccount[] = [];
  orders: NaiveOrder[] = [];
  /** What each owner has in all, by `account wallet asset`; what is held of it is recomputed. */
  totals = new Map<string, bigint>();
  emitted: readonly NaiveBalance[] = [];
  budgets = new Map<string, bigint>();
  seen = new Map<string, Body>();
  withdrawals: NaiveWithdrawal[] = [];
  caps: { asset: AssetId; hourly: bigint; daily: bigint }[] = [];
  /** Of every withdrawal that named a quota and took some of it. */
  quotaUses: { id: string; account: AccountId; worth: bigint; at: number; isRefunded: boolean }[] = [];
  deposits: { key: string; account: AccountId; asset: AssetId; amount: bigint }[] = [];
  /** Deposits whose block is gone, with what was taken of them. */
  orphans: { key: string; account: AccountId; asset: AssetId; amount: bigint }[] = [];
  writtenOff: NaiveWrittenOff[] = [];
  /** What the insurance fund could not pay, by asset. */
  debts = new Map<AssetId, bigint>();
  awards: { key: string; budget: Budget; account: AccountId; asset: AssetId; amount: bigint; reversal: string | undefined }[] = [];
  claims: { id: string; account: AccountId; at: number; state: string }[] = [];
  lastOrderId = 0;
  lastTradeId = 0;
  lastRest = 0;
  /** Counts those that began to wait, follow, or could not act. */
  lastArmed = 0;
  purchases = new Map<number, NaivePurchase>();
  /** Those of them that are to be looked at. */
  bought = new Set<number>();
  /** Orders of pairs that have traded, and the others of which have not followed yet. */
  traded: NaiveOrder[] = [];
  at: Millis = millis(0);
  events: Event[] = [];
  /** Trade prices that the stops have not heard of yet. */
  prints: { market: MarketId; price: number }[] = [];

  /** What an order binds while it waits: a sell its base, a buy what it may cost at worst. */
  holdOf(open: NaiveOrder): bigint {
    const { order, remaining } = open;
    const { terms } = this.market(order.market)!;
    if (order.spot !== undefined && order.spot.reservedBy !== 0) return 0n;
    if (order.side === 'sell') return BigInt(remaining) * terms.lotAtoms;
    if (open.status === 'matching')
      return order.funds > 0n ? open.fundsLeft : BigInt(this.worstOf(open)) * BigInt(remaining) * terms.tickLotAtoms;
    if (order.orderType === 'stopMarket' && order.funds > 0n) return order.funds;
    if (order.spot !== undefined && order.spot.reservePrice > 0)
      return BigInt(order.spot.reservePrice) * BigInt(remaining) * terms.tickLotAtoms;
    const worst =
      order.orderType === 'stopMarket' && order.price === 0
        ? (BigInt(order.triggerPrice) * (MILLION + BigInt(terms.marketBandPpm))) / MILLION
        : BigInt(order.price);
    return worst * BigInt(remaining) * terms.tickLotAtoms;
  }

  /** The highest price that a buy may pay which goes on later. */
  worstOf({ order, best, reference }: NaiveOrder): number {
    if (order.orderType === 'limit' || order.orderType === 'stopLimit') return order.price;
    const band = BigInt(this.market(order.market)!.terms.marketBandPpm);
    const above = (from: number, rate: bigint): number => Number((BigInt(from) * (MILLION + rate)) / MILLION);
    const bounds = [above(best, BigInt(order.slippagePpm))];
    if (order.price > 0) bounds.push(order.price);
    else if (order.spot !== undefined && order.spot.trailingPpm > 0) bounds.push(order.spot.reservePrice);
    else if (order.orderType === 'stopMarket') bounds.push(above(order.triggerPrice, band));
    if (reference > 0) bounds.push(above(reference, band));
    return Math.min(...bounds);
  }

  /** An order of it is unfinished, and goes on with the next command. */
  isBusy(id: number): boolean {
    return (
      this.market(id as MarketId)?.state === 'TRADING' && this.orders.some((open) => open.status === 'matching' && open.order.market === id)
    );
  }

  spends(order: Order): AssetId {
    const { terms } = this.market(order.market)!;
    return order.side === 'buy' ? terms.quote : terms.base;
  }

  /** What open orders and withdrawals bind of each balance, keyed as `totals` is. */
  holds(accounts: readonly AccountId[]): ReadonlyMap<string, bigint> {
    const holds = new Map<string, bigint>();
    const hold = (key: string, amount: bigint): void => void holds.set(key, (holds.get(key) ?? 0n) + amount);
    for (const open of this.orders) {
      if (open.status === 'acting' || !accounts.includes(open.order.account)) continue;
      hold(keyOf(open.order.account, 'spot', this.spends(open.order)), this.holdOf(open));
    }
    for (const { account, asset, amount, state } of this.withdrawals) {
      if ((state === 'held' || state === 'sent') && accounts.includes(account)) hold(keyOf(account, 'funding', asset), amount);
    }
    return holds;
  }

  total(account: AccountId, wallet: Wallet, asset: AssetId): bigint {
    return this.totals.get(keyOf(account, wallet, asset)) ?? 0n;
  }

  free(account: AccountId, wallet: Wallet, asset: AssetId): bigint {
    return this.total(account, wallet, asset) - this.held(account, wallet, asset);
  }

  held(account: AccountId, wallet: Wallet, asset: AssetId): bigint {
    return this.holds([account]).get(keyOf(account, wallet, asset)) ?? 0n;
  }

  add(account: AccountId, wallet: Wallet, asset: AssetId, change: bigint): void {
    this.totals.set(keyOf(account, wallet, asset), this.total(account, wallet, asset) + change);
  }

  /** Emits each balance that is not as the command before left it: between two commands nothing changes. */
  emitBalances(): void {
    const holds = this.holds(this.accounts.map(({ id }) => id));
    for (const place of this.balances()) {
      const held = holds.get(place.key) ?? 0n;
      const free = (this.totals.get(place.key) ?? 0n) - held;
      if (free === place.free && held === place.held) continue;
      place.free = free;
      place.held = held;
      const { account, wallet, asset } = place;
      this.emit({ type: 'BalanceChanged', account, wallet, asset, free: atoms(free), held: atoms(held) });
    }
  }

  /** Of every account and asset, in the order in which changes are emitted. */
  balances(): readonly NaiveBalance[] {
    if (this.emitted.length === this.accounts.length * this.assets.length * WALLETS.length) return this.emitted;
    const known = new Map(this.emitted.map((balance) => [balance.key, balance]));
    this.emitted = this.accounts.flatMap(({ id: account }) =>
      this.assets.flatMap(({ asset }) =>
        WALLETS.map((wallet) => {
          const key = keyOf(account, wallet, asset);
          return known.get(key) ?? { account, wallet, asset, key, free: 0n, held: 0n };
        }),
      ),
    );
    return this.emitted;
  }

  account(id: AccountId): NaiveAccount | undefined {
    return this.accounts.find((account) => account.id === id);
  }

  accountAt(address: Address): NaiveAccount {
    const found = this.accounts.find((account) => account.address === address);
    if (found !== undefined) return found;
    const account = { id: accountId(this.accounts.length + 1), address, flags: [], closed: [], suspended: [], lastClaimAt: undefined };
    this.accounts.push(account);
    return account;
  }

  market(id: MarketId): NaiveMarket | undefined {
    return this.markets.find(({ terms }) => terms.market === id);
  }

  refuse(reasons: readonly Reason[]): void {
    const first = [...reasons].sort((left, right) => REJECT_REASONS.indexOf(left.reason) - REJECT_REASONS.indexOf(right.reason))[0]!;
    this.events = [{ type: 'CommandRejected', ...first }];
  }

  emit(event: Event): void {
    this.events.push(event);
  }
}

const keyOf = (account: AccountId, wallet: Wallet, asset: AssetId): string => `${account} ${wallet} ${asset}`;
export const isName = (name: string): boolean => name.length <= 36 && name.split('').every((letter) => /[0-9a-zA-Z_-]/.test(letter));
export const byId = (left: NaiveOrder, right: NaiveOrder): number => left.order.orderId - right.order.orderId;
export const text = (parts: readonly unknown[]): string =>
  JSON.stringify(parts, (_, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value));
