/** For tests: what is over, folded from the heart in memory. */
import { orderText, type Fill, type Listing, type Order, type Withdrawal } from '@orrery/api';
import type { Asset, Heart, Market, WithdrawalHeld, WithdrawnInternally } from '@orrery/protocol';
import { assert, printDecimal, seq, type AccountId, type OrderId, type Seq } from '@orrery/units';
import { MarketsView, OrdersView } from '@orrery/views';
import type { ContractMinutes, History, MarketHistory, PageOf } from '../ports.ts';
import { MemoryContractHistory } from './memory-contract-history.ts';
import { userTradeOf } from '../market-data/wire.ts';

type Owned<Item> = Item & { readonly account: AccountId };

export class MemoryHistory implements History, MarketHistory {
  /** Of perpetual contracts. */
  readonly contracts = new MemoryContractHistory();
  readonly #markets = new MarketsView();
  readonly #open = new OrdersView();
  readonly #orders: Owned<{ order: Order }>[] = [];
  readonly #fills: Owned<{ fill: Fill }>[] = [];
  readonly #withdrawals: Owned<{ withdrawal: Withdrawal }>[] = [];
  #seq = seq(0);
  readonly #waiting = new Set<() => void>();

  constructor(heart: Heart) {
    void this.#follow(heart);
  }

  async reached(wanted: Seq): Promise<void> {
    while (this.#seq < wanted) await new Promise<void>((resolve) => this.#waiting.add(resolve));
  }

  async orders(query: Parameters<History['orders']>[0]): Promise<PageOf<Order>> {
    return pageOf(
      this.#orders
        .filter(({ account }) => account === query.account)
        .map(({ order }) => order)
        .toReversed(),
      query,
    );
  }

  async order({ account, orderId }: { account: AccountId; orderId: OrderId }): Promise<Order | undefined> {
    return this.#orders.find((owned) => owned.account === account && owned.order.orderId === String(orderId))?.order;
  }

  async fills(query: Parameters<History['fills']>[0]): Promise<PageOf<Fill>> {
    return pageOf(
      this.#fills
        .filter(({ account }) => account === query.account)
        .map(({ fill }) => fill)
        .toReversed(),
      query,
    );
  }

  async bills(): Promise<PageOf<never>> {
    return { items: [], total: 0, next: null };
  }

  async transfers(): Promise<PageOf<never>> {
    return { items: [], total: 0, next: null };
  }

  async withdrawals(query: Parameters<History['withdrawals']>[0]): Promise<PageOf<Withdrawal>> {
    return pageOf(
      this.#withdrawals
        .filter(({ account }) => account === query.account)
        .map(({ withdrawal }) => withdrawal)
        .toReversed(),
      query,
    );
  }

  async minutes(): Promise<readonly never[]> {
    return [];
  }

  async contractMinutes(): Promise<ContractMinutes> {
    return { common: [], trades: [], mark: [], index: [] };
  }

  async trades(): Promise<readonly never[]> {
    return [];
  }

  async #follow(heart: Heart): Promise<void> {
    for await (const batch of heart.subscribe(seq(0))) {
      for (const applied of batch) {
        for (const event of applied.events) {
          this.#markets.apply(event, applied);
          const changed = this.#open.apply(event, applied);
          for (const state of changed) {
            if (state.order.contract !== undefined) this.contracts.take(state);
            else if (state.status === 'closed')
              this.#orders.push({ account: state.order.account, order: orderText(state, this.#listing(state.order.market)) });
          }
          if (event.type === 'WithdrawalHeld' || event.type === 'WithdrawnInternally')
            this.#withdrawals.push({ account: event.account, withdrawal: this.#held(event, applied.at) });
          if (event.type === 'WithdrawalRefunded') this.#refund(event.withdrawalId);
          if (event.type !== 'Trade' || this.#markets.market(event.market) === undefined) continue;
          for (const [account, role] of [
            [event.takerAccount, 'TAKER'],
            [event.makerAccount, 'MAKER'],
          ] as const) {
            const {
              direction,
              marginUnfrozen: _,
              ...trade
            } = userTradeOf({ trade: event, account, role, clientOrderId: '', at: applied.at }, this.#listing(event.market));
            this.#fills.push({ account, fill: { ...trade, orderSide: direction === 1 ? 'BUY' : 'SELL' } });
          }
        }
        this.#seq = applied.seq;
      }
      for (const wake of this.#waiting) wake();
      this.#waiting.clear();
    }
  }

  #refund(withdrawalId: string): void {
    for (const { withdrawal } of this.#withdrawals) if (withdrawal.withdrawalId === withdrawalId) withdrawal.state = 'REFUNDED';
  }

  #held({ type, withdrawalId, asset, amount, to }: WithdrawalHeld | WithdrawnInternally, at: number): Withdrawal {
    const { code, decimals } = this.#asset(asset);
    return {
      withdrawalId,
      coin: code,
      amount: printDecimal(amount, decimals),
      to,
      state: type === 'WithdrawalHeld' ? 'HELD' : 'POSTED',
      txHash: null,
      internal: type === 'WithdrawnInternally',
      createdTime: at,
      updatedTime: at,
    };
  }

  #listing(id: Market['market']): Listing {
    const listed = this.#markets.market(id);
    assert(listed !== undefined, 'the market is listed');
    const { market } = listed;
    return { market, base: this.#asset(market.base), quote: this.#asset(market.quote) };
  }

  #asset(id: Asset['asset']): Asset {
    const asset = this.#markets.asset(id);
    assert(asset !== undefined, 'the asset is registered');
    return asset;
  }
}

const pageOf = <Item>(items: readonly Item[], { page, size }: { page: number; size: number }): PageOf<Item> => ({
  items: items.slice((page - 1) * size, page * size),
  total: items.length,
  next: null,
});
