/** Facts become rows: what is needed to understand the next fact lies in memory, what comes of it goes into a batch. */
import {
  type Applied,
  type Contract,
  type ContractTerms,
  type Event,
  type FundingPaid,
  type Market,
  type PositionReduced,
  type Trade,
  type Wallet,
  WALLETS,
} from '@orrery/protocol';
import { contractVolume, isPracticeContract } from '@orrery/rules';
import {
  addAtoms,
  type AccountId,
  assert,
  type AssetId,
  type Atoms,
  type MarketId,
  type Millis,
  negateAtoms,
  NO_ATOMS,
  type OrderId,
  type Seq,
  seq,
  subtractAtoms,
} from '@orrery/units';
import { MarketsView, type Moment, OrdersView, type OrderState } from '@orrery/views';
import type { Batch, Row } from './batch.ts';
import { contractFees, contractMovements } from './contract-movements.ts';
import { Contracts } from './contracts.ts';
import { type Course, newCourse } from './course.ts';
import type { House } from './house.ts';
import { Hours, type Totals } from './hours.ts';
import { fundMovements } from './fund-movements.ts';
import { type Movement, movementsOf, opposite, otcReturnOf } from './movements.ts';
import { minuteOf } from './minute-of.ts';
import { marked } from './order-marks.ts';
import { VALUE_COIN } from './valuation.ts';
import { recordWithdrawal } from './withdrawal-rows.ts';

/** History in SQL and the journal do not belong together: the sentence says what to do about it. */
export class HistoryMismatch extends Error {
  override readonly name = 'HistoryMismatch';
}

/** Commands do not follow each other without a gap: history would be wrong from here on. */
export class HistoryGap extends Error {
  override readonly name = 'HistoryGap';
}

/** What the engine has of an asset in a wallet, free and held together. */
interface Known {
  readonly place: { readonly account: AccountId; readonly wallet: Wallet; readonly asset: AssetId };
  readonly actual: Atoms;
}

export class Projection {
  readonly markets = new MarketsView();
  readonly orders = new OrdersView();
  readonly contracts = new Contracts();
  readonly hours = new Hours(this.markets);
  readonly #totals = new Map<string, Atoms>();
  /** Of the balances that bills of the command at work moved, what they were before it. */
  readonly #before = new Map<string, Known>();
  readonly #unfilled = new Map<AccountId, number>();
  readonly #house: House;
  #seq: Seq;
  #bills: number;

  constructor(offset: { seq: Seq; bills: number }, house: House) {
    this.#house = house;
    this.#seq = offset.seq;
    this.#bills = offset.bills;
  }

  get seq(): Seq {
    return this.#seq;
  }

  get bills(): number {
    return this.#bills;
  }

  restoreTotal(place: { account: AccountId; wallet: Wallet; asset: AssetId }, total: Atoms): void {
    this.#totals.set(keyOf(place), total);
  }

  restoreUnfilled(account: AccountId, count: number): void {
    this.#unfilled.set(account, count);
  }

  /** @throws HistoryGap when a command is missing or comes again. */
  apply(applied: Applied, batch: Batch): void {
    if (applied.seq !== this.#seq + 1) throw new HistoryGap(`after command ${this.#seq} came ${applied.seq}`);
    const course = newCourse(batch);
    // Fills first: what a trade realised comes before or after the fact of the trade, and its bill names the trade.
    for (const event of applied.events) {
      this.markets.apply(event, applied);
      this.contracts.list(event);
      this.#house.apply(event);
      this.#order(event, applied, batch);
    }
    for (const [place, event] of applied.events.entries()) {
      this.#bill(event, applied, course, batch);
      if (event.type === 'IndexPriceSet') this.hours.price(event, applied.at, batch);
      this.contracts.apply(event, applied, place, batch.contracts);
      if (!this.#isPractice(event)) this.hours.contract(event, applied.at, batch.contracts);
      this.#record(event, applied, batch);
    }
    for (const event of applied.events) {
      if (event.type !== 'BalanceChanged') continue;
      this.#check({ place: event, actual: addAtoms(event.free, event.held) }, applied, course, batch);
      this.#before.delete(keyOf(event));
    }
    // Bills of a balance that the command left as it was add up to nothing.
    for (const unchanged of this.#before.values()) this.#check(unchanged, applied, course, batch);
    this.#before.clear();
    this.contracts.endCommand();
    this.#seq = seq(applied.seq);
  }

  marketOf(market: MarketId): Market {
    const listed = this.markets.market(market);
    assert(listed !== undefined, `market ${market} was registered before it was used`);
    return listed.market;
  }

  #order(event: Event, moment: Moment, batch: Batch): void {
    // Before the view forgets a closed order: its fills carry its client's id.
    if (event.type === 'Trade') this.#fill(event, moment, batch);
    for (const state of this.orders.apply(event, moment)) {
      const { orderId } = state.order;
      const marks = marked(batch.orders.get(orderId)?.marks, event, moment);
      if (state.status === 'closed' && this.#house.has(state.order.account)) {
        batch.orders.delete(orderId);
        // What was accepted in this very batch has no row.
        if (marks.acceptedSeq === undefined) batch.house.closed.add(orderId);
        continue;
      }
      batch.orders.set(orderId, { state, unfilledNumber: this.#numberUnfilled(state, batch), marks });
    }
  }

  #numberUnfilled({ order, status, filled }: OrderState, batch: Batch): number | undefined {
    if (status !== 'closed' || filled > 0) return undefined;
    const count = (this.#unfilled.get(order.account) ?? 0) + 1;
    this.#unfilled.set(order.account, count);
    batch.unfilled.set(order.account, count);
    return count;
  }

  #fill(trade: Trade, moment: Moment, batch: Batch): void {
    const { tradeId, market, price, size, notional, takerSide } = trade;
    const contract = this.contracts.contract(market);
    const volume = contract && this.#volumeOf(trade, contract);
    const common = {
      trade_id: tradeId,
      market,
      price,
      size,
      notional: String(notional),
      at: moment.at,
      seq: moment.seq,
      contract_volume: volume === undefined ? null : String(volume),
      close_profit: volume === undefined ? null : '0',
    };
    const fills: readonly Row<'projector_fill'>[] = [
      {
        ...common,
        role: 'TAKER',
        account: trade.takerAccount,
        order_id: trade.takerOrderId,
        side: takerSide,
        fee: String(trade.takerFee),
        ...this.#orderOf(trade.takerOrderId),
      },
      {
        ...common,
        role: 'MAKER',
        account: trade.makerAccount,
        order_id: trade.makerOrderId,
        side: opposite(takerSide),
        fee: String(trade.makerFee),
        ...this.#orderOf(trade.makerOrderId),
      },
    ];
    batch.fills.push(...fills);
    this.#house.fill(trade, fills, batch);
    batch.addCandle(market, minuteOf(trade, moment.at));
    if (contract !== undefined && isPracticeContract(contract)) return;
    for (const account of [trade.takerAccount, trade.makerAccount]) batch.seen(account, 'fill', moment.at);
    if (volume === undefined) this.#countSpot(trade, moment.at, batch);
    else this.#countContract(trade, volume, moment.at, batch);
  }

  #orderOf(id: OrderId): Pick<Row<'projector_fill'>, 'client_order_id' | 'position_side'> {
    const order = this.orders.find(id)?.order;
    return { client_order_id: order?.clientOrderId ?? '', position_side: order?.contract?.positionSide ?? null };
  }

  /** What a trade realised is a fact of its own, of the same price, beside the trade. */
  /** @returns the trade that closed it; undefined where it was taken over or deleveraged */
  #realise({ account, market, price, profit, cause }: PositionReduced, course: Course, batch: Batch): string | undefined {
    if (cause === 'takeover' || cause === 'adl') return undefined;
    const fill = batch.fills
      .slice(course.firstFill)
      .find((row) => row.account === account && row.market === market && row.price === price && !course.realised.has(row));
    if (fill === undefined) return undefined;
    course.realised.add(fill);
    fill.close_profit = String(profit);
    return String(fill.trade_id);
  }

  #countSpot(trade: Trade, at: Millis, batch: Batch): void {
    const { notional } = trade;
    for (const account of [trade.takerAccount, trade.makerAccount]) {
      const activity = batch.activityOf(account);
      activity.volume = addAtoms(activity.volume, notional);
    }
    // The engine prevents self-trades, so the counterparty is another account.
    for (const [account, fee] of feesOf(trade)) {
      if (fee <= NO_ATOMS) continue;
      const day = batch.dayOf(account, at);
      day.trades += 1;
      day.volume = addAtoms(day.volume, notional);
    }
  }

  /** In USDC; nothing counts what is practised. */
  #volumeOf(trade: Trade, contract: Contract): Atoms {
    return isPracticeContract(contract) ? NO_ATOMS : contractVolume(trade, contract, this.#usdcDecimals());
  }

  #countContract(trade: Trade, volume: Atoms, at: Millis, batch: Batch): void {
    const made = batch.dayOf(trade.makerAccount, at);
    made.contractMakerVolume = addAtoms(made.contractMakerVolume, volume);
    for (const [account, fee] of feesOf(trade)) {
      if (fee <= NO_ATOMS) continue;
      const day = batch.dayOf(account, at);
      day.contractTrades += 1;
      day.contractVolume = addAtoms(day.contractVolume, volume);
    }
  }

  #usdcDecimals(): number {
    const coin = this.markets.assetByCode(VALUE_COIN);
    assert(coin !== undefined, `${VALUE_COIN} is registered before a contract`);
    return coin.decimals;
  }

  #bill(event: Event, moment: Moment, course: Course, batch: Batch): void {
    if (event.type === 'Trade') course.reference = String(event.tradeId);
    if (event.type === 'LiquidationStep' || event.type === 'PositionDeleveraged') course.reference = `liquidation:${event.liquidationId}`;
    if (event.type === 'PositionReduced') course.reference = this.#realise(event, course, batch) ?? course.reference;
    this.#noteSettled(event, course);
    course.otc ??= otcReturnOf(event);
    for (const movement of this.#movements(event, course)) {
      this.#move(movement, moment, batch);
      if (event.type === 'FundingPaid') this.#funding(event, moment, batch);
    }
    if (event.type !== 'Trade') return;
    const contract = this.contracts.contract(event.market);
    if (contract === undefined) this.hours.trade(event, moment.at, batch);
    else this.#contractTrade(event, contract, moment.at, batch);
  }

  #contractTrade(trade: Trade, contract: Contract, at: Millis, batch: Batch): void {
    if (isPracticeContract(contract)) return;
    const { settle: asset } = contract;
    const totalsOf = (account: AccountId): Totals => this.#totalsOf({ account, asset });
    this.hours.contractTrade(trade, { contract, volume: this.#volumeOf(trade, contract), totalsOf }, at, batch);
  }

  /** Whose money in futures others may have paid for, or taken over. */
  #noteSettled(event: Event, course: Course): void {
    switch (event.type) {
      case 'Trade':
        if (this.contracts.contract(event.market) === undefined) return;
        course.settled.add(event.takerAccount);
        course.settled.add(event.makerAccount);
        return;
      case 'LiquidationStep':
        course.isTakeover ||= event.stage === 'takeover';
        course.isDeleveraging ||= event.stage === 'adl';
        course.settled.add(event.account);
        return;
      case 'PositionReduced':
      case 'DeficitShared':
      case 'FundingPaid':
        course.settled.add(event.account);
        return;
      default:
        return;
    }
  }

  #movements(event: Event, { reference }: Course): readonly Movement[] {
    if (event.type === 'Trade') {
      const contract = this.contracts.contract(event.market);
      return contract === undefined ? movementsOf(event, (trade) => this.marketOf(trade.market)) : contractFees(event, contract);
    }
    const ofContracts = contractMovements(event, { contract: (market) => this.#contractOf(market), reference });
    if (ofContracts.length > 0) return ofContracts;
    const ofFunds = fundMovements(event);
    return ofFunds.length > 0 ? ofFunds : movementsOf(event, (trade) => this.marketOf(trade.market));
  }

  /** What portfolios leave out. */
  #isPractice(event: Event): boolean {
    if (event.type !== 'PositionChanged' && event.type !== 'PricesSet') return false;
    return isPracticeContract(this.#contractOf(event.market));
  }

  #contractOf(market: MarketId): Contract {
    const contract = this.contracts.contract(market);
    assert(contract !== undefined, `contract ${market} was registered before it was used`);
    return contract;
  }

  #move(movement: Movement, moment: Moment, batch: Batch): void {
    const { account, wallet, asset, kind, amount, reference, market } = movement;
    const key = keyOf({ account, wallet, asset });
    const before = this.#totals.get(key) ?? NO_ATOMS;
    if (!this.#before.has(key)) this.#before.set(key, { place: { account, wallet, asset }, actual: before });
    const total = addAtoms(before, amount);
    this.#totals.set(key, total);
    this.#bills += 1;
    batch.totals.set(key, { account, wallet, asset, total });
    const bill: Row<'projector_bill'> = {
      id: this.#bills,
      seq: moment.seq,
      at: moment.at,
      account,
      wallet,
      asset,
      kind,
      amount: String(amount),
      after_amount: String(total),
      reference,
      market: market ?? null,
    };
    if (!this.#house.bill(bill, batch)) batch.bills.push(bill);
    this.hours.move(movement, this.#totalsOf(movement), moment.at, batch);
  }

  /** After its bill, which gives it its id. */
  #funding(event: FundingPaid, { at }: Moment, batch: Batch): void {
    const { account, market, positionSide, interval, amount } = event;
    batch.contracts.fundings.push({
      id: this.#bills,
      account,
      market,
      position_side: positionSide,
      interval_end: interval,
      amount: String(amount),
      at,
    });
  }

  #totalsOf(of: { account: AccountId; asset: AssetId }): Totals {
    return { all: this.#inWallets(of, WALLETS), futures: this.#inWallets(of, FUTURES_WALLETS) };
  }

  #inWallets({ account, asset }: { account: AccountId; asset: AssetId }, wallets: readonly Wallet[]): Atoms {
    return wallets.map((wallet) => this.#totals.get(keyOf({ account, wallet, asset })) ?? NO_ATOMS).reduce(addAtoms, NO_ATOMS);
  }

  #record(event: Event, moment: Moment, batch: Batch): void {
    const { seq: atSeq, at } = moment;
    recordWithdrawal(event, moment, batch);
    switch (event.type) {
      case 'DepositCredited':
        if (!event.suspended) batch.seen(event.account, 'deposit', at);
        break;
      case 'Transferred':
        batch.seen(event.account, 'transfer', at);
        batch.transfers.push({
          account: event.account,
          transfer_id: event.transferId,
          asset: event.asset,
          amount: String(event.amount),
          from_wallet: event.from,
          to_wallet: event.to,
          at,
          seq: atSeq,
        });
        break;
      case 'Awarded':
        batch.awards.push({ key: event.key, account: event.account, asset: event.asset, amount: String(event.amount), at, seq: atSeq });
        break;
      case 'AwardReversed':
        batch.awards.push({
          // No key of an award has a space in it.
          key: `${event.awardKey} reversed`,
          account: event.account,
          asset: event.asset,
          amount: String(negateAtoms(event.amount)),
          at,
          seq: atSeq,
        });
        break;
      case 'FaucetClaimSettled':
        if (event.outcome === 'paid') batch.seen(event.account, 'claim', at);
        break;
      case 'OrderAccepted':
        if (event.contract !== undefined && isPracticeContract(this.#contractOf(event.market))) break;
        if (event.contract === undefined) {
          batch.activityOf(event.account).orders += 1;
          batch.dayOf(event.account, at).orders += 1;
        } else if (COUNTED_SOURCES.has(event.contract.source)) batch.dayOf(event.account, at).contractOrders += 1;
        batch.seen(event.account, 'order', at);
        break;
      default:
        break;
    }
  }

  /**
   * The engine says what there is; the bills must have added up to it. What the margin of a settled position did not cover is paid by the
   * liquidator or the insurance fund, and a takeover takes what is left of it: this is known by the balance, and billed as what it is.
   */
  #check({ place, actual }: Known, moment: Moment, course: Course, batch: Batch): void {
    const total = this.#totals.get(keyOf(place)) ?? NO_ATOMS;
    if (total === actual) return;
    const { account, wallet, asset } = place;
    const otc = wallet === 'funding' ? course.otc : undefined;
    const isSettled = course.isTakeover || course.isDeleveraging || course.settled.has(account);
    const isKnown = otc !== undefined || (isSettled && FUTURES_WALLETS.includes(wallet));
    assert(isKnown, `the bills of account ${account} add up to ${total} of asset ${asset} in ${wallet}, the engine has ${actual}`);
    const kind = otc !== undefined ? 'OTC' : course.isTakeover ? 'TAKEOVER' : 'LIQUIDATION';
    const moved = { account, wallet, asset, kind, amount: subtractAtoms(actual, total) } as const;
    this.#move({ ...moved, reference: otc ?? course.reference }, moment, batch);
  }
}

/** Orders that a person placed, by whatever means. */
const COUNTED_SOURCES: ReadonlySet<ContractTerms['source']> = new Set(['plain', 'plan'] as const);

const FUTURES_WALLETS: readonly Wallet[] = ['futures', 'coinFutures'];

const feesOf = ({ takerAccount, takerFee, makerAccount, makerFee }: Trade): readonly (readonly [AccountId, Atoms])[] => [
  [takerAccount, takerFee],
  [makerAccount, makerFee],
];

const keyOf = ({ account, wallet, asset }: { account: AccountId; wallet: Wallet; asset: AssetId }): string =>
  `${account}:${wallet}:${asset}`;
