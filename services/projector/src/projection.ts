/** Facts become rows: what is needed to understand the next fact lies in memory, what comes of it goes into a batch. */
import { type Applied, type Event, type Market, type Trade, type Wallet, WALLETS } from '@orrery/protocol';
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
  type Seq,
  seq,
} from '@orrery/units';
import { type Candle, MarketsView, type Moment, openTimeOf, OrdersView, type OrderState } from '@orrery/views';
import type { Batch } from './batch.ts';
import { Hours } from './hours.ts';
import { movementsOf, opposite } from './movements.ts';

/** History in SQL and the journal do not belong together: the sentence says what to do about it. */
export class HistoryMismatch extends Error {
  override readonly name = 'HistoryMismatch';
}

/** Commands do not follow each other without a gap: history would be wrong from here on. */
export class HistoryGap extends Error {
  override readonly name = 'HistoryGap';
}

export class Projection {
  readonly markets = new MarketsView();
  readonly orders = new OrdersView();
  readonly hours = new Hours(this.markets);
  readonly #totals = new Map<string, Atoms>();
  readonly #unfilled = new Map<AccountId, number>();
  #seq: Seq;
  #bills: number;

  constructor(offset: { seq: Seq; bills: number }) {
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
    for (const event of applied.events) {
      this.markets.apply(event, applied);
      this.#order(event, applied, batch);
      this.#bill(event, applied, batch);
      if (event.type === 'IndexPriceSet') this.hours.price(event, applied.at, batch);
      this.#record(event, applied, batch);
    }
    for (const event of applied.events) this.#check(event);
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
      batch.orders.set(state.order.orderId, { state, unfilledNumber: this.#numberUnfilled(state, batch) });
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
    const common = { trade_id: tradeId, market, price, size, notional: String(notional), at: moment.at, seq: moment.seq };
    batch.fills.push(
      {
        ...common,
        role: 'TAKER',
        account: trade.takerAccount,
        order_id: trade.takerOrderId,
        side: takerSide,
        fee: String(trade.takerFee),
        client_order_id: this.orders.find(trade.takerOrderId)?.order.clientOrderId ?? '',
      },
      {
        ...common,
        role: 'MAKER',
        account: trade.makerAccount,
        order_id: trade.makerOrderId,
        side: opposite(takerSide),
        fee: String(trade.makerFee),
        client_order_id: this.orders.find(trade.makerOrderId)?.order.clientOrderId ?? '',
      },
    );
    batch.addCandle(market, minuteOf(trade, moment.at));
    for (const account of [trade.takerAccount, trade.makerAccount]) {
      const activity = batch.activityOf(account);
      activity.volume = addAtoms(activity.volume, notional);
      batch.seen(account, 'fill', moment.at);
    }
    // The engine prevents self-trades, so the counterparty is another account.
    for (const [account, fee] of [[trade.takerAccount, trade.takerFee] as const, [trade.makerAccount, trade.makerFee] as const]) {
      if (fee <= NO_ATOMS) continue;
      const day = batch.dayOf(account, moment.at);
      day.trades += 1;
      day.volume = addAtoms(day.volume, notional);
    }
  }

  #bill(event: Event, moment: Moment, batch: Batch): void {
    for (const movement of movementsOf(event, (trade) => this.marketOf(trade.market))) {
      const { account, wallet, asset, kind, amount, reference } = movement;
      const key = keyOf({ account, wallet, asset });
      const total = addAtoms(this.#totals.get(key) ?? NO_ATOMS, amount);
      this.#totals.set(key, total);
      this.#bills += 1;
      batch.totals.set(key, { account, wallet, asset, total });
      batch.bills.push({
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
      });
      this.hours.move(movement, this.#inAllWallets(movement), moment.at, batch);
    }
    if (event.type === 'Trade') this.hours.trade(event, moment.at, batch);
  }

  #inAllWallets({ account, asset }: { account: AccountId; asset: AssetId }): Atoms {
    return WALLETS.map((wallet) => this.#totals.get(keyOf({ account, wallet, asset })) ?? NO_ATOMS).reduce(addAtoms);
  }

  #record(event: Event, { seq: atSeq, at }: Moment, batch: Batch): void {
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
      case 'WithdrawalHeld':
        batch.withdrawals.push({
          withdrawal_id: event.withdrawalId,
          account: event.account,
          asset: event.asset,
          amount: String(event.amount),
          to_address: event.to,
          state: 'HELD',
          tx_hash: null,
          created_at: at,
          updated_at: at,
          seq: atSeq,
        });
        break;
      case 'WithdrawalSent':
        batch.withdrawalSteps.push({ withdrawalId: event.withdrawalId, state: 'SENT', txHash: event.txHash, at });
        break;
      case 'WithdrawalPosted':
        batch.withdrawalSteps.push({ withdrawalId: event.withdrawalId, state: 'POSTED', txHash: event.txHash, at });
        break;
      case 'WithdrawalRefunded':
        batch.withdrawalSteps.push({ withdrawalId: event.withdrawalId, state: 'REFUNDED', txHash: undefined, at });
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
        batch.activityOf(event.account).orders += 1;
        batch.dayOf(event.account, at).orders += 1;
        batch.seen(event.account, 'order', at);
        break;
      default:
        break;
    }
  }

  /** The engine says what there is; the bills must have added up to it. */
  #check(event: Event): void {
    if (event.type !== 'BalanceChanged') return;
    const total = this.#totals.get(keyOf(event)) ?? NO_ATOMS;
    assert(
      total === addAtoms(event.free, event.held),
      `the bills of account ${event.account} add up to ${total} of asset ${event.asset} in ${event.wallet}, the engine has ${event.free} and ${event.held}`,
    );
  }
}

const keyOf = ({ account, wallet, asset }: { account: AccountId; wallet: Wallet; asset: AssetId }): string =>
  `${account}:${wallet}:${asset}`;

const minuteOf = ({ price, size, notional }: Trade, at: Millis): Candle => ({
  openTime: openTimeOf('1m', at),
  open: price,
  high: price,
  low: price,
  close: price,
  volume: size,
  quoteVolume: notional,
});
