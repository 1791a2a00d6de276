/**
 * What accounts of one owner, a hand, have of an asset: no more than they brought, what others lost to them in trades at mark and in funding, and what others paid
 * for a bankrupt one of theirs. Recomputed from the events of linear contracts alone, so a price that a trade, a takeover or a deleveraging does not have shows.
 */
import type { DeficitShared, Event, LiquidationStep, PositionReduced, Trade } from '@orrery/protocol';
import type { AccountId, AssetId, MarketId } from '@orrery/units';
import type { Snapshot } from '../../../core/engine/src/snapshot/snapshot.ts';
import { Violation } from '../violation.ts';

/** What all trades of a contract with others add up to. */
interface Account {
  size: bigint;
  /** Received less paid, in settle atoms. */
  cash: bigint;
}

/** Of a snapshot. */
export interface Holdings {
  readonly balances: Snapshot['balances'];
  readonly positions: readonly { readonly account: AccountId; readonly market: MarketId; readonly size: number; readonly cost: bigint }[];
}

export class HandAudit {
  readonly #asset: AssetId;
  readonly #hand = new Set<AccountId>();
  readonly #deposits = new Map<AccountId, bigint>();
  readonly #others = new Map<MarketId, Account>();
  /** Settle atoms of one lot and tick, of the contracts that the hand trades. */
  readonly #tickLots = new Map<MarketId, bigint>();
  readonly #marks = new Map<MarketId, bigint>();
  /** Of the command, by liquidation. */
  readonly #shared = new Map<number, { own: bigint; others: bigint }>();
  #received = 0n;
  /** What others paid for bankrupt ones of the hand; never less than zero. */
  #borne = 0n;
  /** With others. */
  trades = 0;
  /** A profit rounds by an atom each. */
  #roundings = 0n;

  /** @param asset in which the contracts settle that the hand trades */
  constructor(asset: AssetId) {
    this.#asset = asset;
  }

  /** What others paid for the hand's bankrupt accounts, in settle atoms. */
  get borne(): bigint {
    return this.#borne;
  }

  join(account: AccountId): void {
    this.#hand.add(account);
  }

  follow(events: readonly Event[]): void {
    this.#shared.clear();
    for (const event of events) this.#one(event);
  }

  /** @throws Violation when the hand has more than is explained. */
  compare(snapshot: Holdings): void {
    if (this.#hand.size === 0) return;
    const has = this.#wealthOf(snapshot);
    const explained = this.#brought() + this.#received + this.#borne + this.#won();
    if (has > explained + this.#roundings) throw new Violation('P6', `a hand has ${has}, and ${explained} is explained`);
  }

  #one(event: Event): void {
    switch (event.type) {
      case 'ContractRegistered':
        if (event.payoff === 'linear' && event.settle === this.#asset) this.#tickLots.set(event.market, event.tickLotAtoms);
        return;
      case 'PricesSet':
        this.#marks.set(event.market, BigInt(event.mark));
        return;
      case 'DepositCredited':
        if (event.asset === this.#asset) this.#deposits.set(event.account, (this.#deposits.get(event.account) ?? 0n) + event.amount);
        return;
      case 'FundingPaid':
        if (this.#isMine(event)) this.#received += event.amount;
        return;
      case 'Trade':
        return this.#trade(event);
      case 'PositionReduced':
        return this.#leave(event);
      case 'DeficitShared':
        return this.#share(event);
      case 'LiquidationStep':
        return this.#bear(event);
      default:
    }
  }

  #isMine({ account, market }: { readonly account: AccountId; readonly market: MarketId }): boolean {
    return this.#hand.has(account) && this.#tickLots.has(market);
  }

  #trade({ market, takerAccount, makerAccount, takerSide, size, notional }: Trade): void {
    const [taker, maker] = [takerAccount, makerAccount].map((account) => this.#isMine({ account, market }));
    if (taker === maker) return;
    this.trades += 1;
    this.#change(market, { size: BigInt(size), notional, isBuy: (takerSide === 'buy') === taker });
  }

  /** A takeover and a deleveraging are trades at mark without an order: what one of the hand gives another of it may take. */
  #leave(event: PositionReduced): void {
    this.#roundings += 1n;
    const { market, isLong, cause } = event;
    if (!this.#isMine(event) || (cause !== 'takeover' && cause !== 'adl')) return;
    const size = BigInt(event.size);
    this.#change(market, { size, notional: size * this.#priceOf(market), isBuy: !isLong });
  }

  /** Of a lot at mark, in settle atoms. */
  #priceOf(market: MarketId): bigint {
    return (this.#tickLots.get(market) ?? 0n) * (this.#marks.get(market) ?? 0n);
  }

  #change(
    market: MarketId,
    { size, notional, isBuy }: { readonly size: bigint; readonly notional: bigint; readonly isBuy: boolean },
  ): void {
    const account = this.#others.get(market) ?? { size: 0n, cash: 0n };
    account.size += isBuy ? size : -size;
    account.cash += isBuy ? -notional : notional;
    this.#others.set(market, account);
    this.#roundings += 1n;
  }

  #share({ liquidationId, account, market, paid }: DeficitShared): void {
    const shared = this.#shared.get(liquidationId) ?? { own: 0n, others: 0n };
    if (this.#isMine({ account, market })) shared.own += paid;
    else shared.others += paid;
    this.#shared.set(liquidationId, shared);
    this.#roundings += 1n;
  }

  #bear(step: LiquidationStep): void {
    const shared = this.#shared.get(step.liquidationId) ?? { own: 0n, others: 0n };
    this.#shared.delete(step.liquidationId);
    if (this.#isMine(step)) this.#borne += step.fromLiquidator + step.fromInsurance + step.uncovered + shared.others;
    // What one of the hand pays for a stranger is lost.
    else this.#received -= shared.own;
  }

  #brought(): bigint {
    let brought = 0n;
    for (const account of this.#hand) brought += this.#deposits.get(account) ?? 0n;
    return brought;
  }

  /** At mark, of what is open against others, and what was realised against them. */
  #won(): bigint {
    let won = 0n;
    for (const [market, { size, cash }] of this.#others) won += cash + size * this.#priceOf(market);
    return won;
  }

  #wealthOf(snapshot: Holdings): bigint {
    let wealth = 0n;
    for (const { account, asset, free, held } of snapshot.balances)
      if (asset === this.#asset && this.#hand.has(account)) wealth += free + held;
    for (const { account, market, size, cost } of snapshot.positions) {
      if (!this.#isMine({ account, market })) continue;
      wealth += BigInt(size) * this.#priceOf(market) - (size > 0 ? cost : 0n - cost);
    }
    return wealth;
  }
}
