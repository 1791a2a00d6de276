/** The signed-in account as its own stream has it: open orders, spot balances, the last fills. */
import type { Balance, Order } from '@orrery/api';
import { isOver } from './is-over.ts';
import type { PrivateMessage } from './messages.ts';
import { Store } from './store.ts';

export interface AccountView {
  /** False until the whole state has been received once. */
  readonly isReady: boolean;
  /** Newest first. */
  readonly orders: readonly Order[];
  /** By `wallet:coin`. */
  readonly balances: ReadonlyMap<string, Balance>;
}

const NOTHING: AccountView = { isReady: false, orders: [], balances: new Map() };

/** `ready` says that everything missed while the stream was away has been received. */
export type AccountNews = Exclude<PrivateMessage, { readonly kind: 'begin' | 'balance' }>;

const balanceKey = (balance: Balance): string => `${balance.balanceType}:${balance.coin}`;

export class AccountStore {
  readonly #view = new Store<AccountView>(NOTHING);
  readonly #news = new Set<(news: AccountNews) => void>();
  #orders = new Map<string, Order>();
  #balances = new Map<string, Balance>();
  /** While the whole state is being received, no half of it is shown. */
  #isReceiving = false;

  readonly get = this.#view.get;
  readonly subscribe = this.#view.subscribe;

  /** What happens to the account from now on, for toasts and for tables of history. */
  onNews(listener: (news: AccountNews) => void): () => void {
    this.#news.add(listener);
    return () => this.#news.delete(listener);
  }

  clear(): void {
    this.#orders = new Map();
    this.#balances = new Map();
    this.#isReceiving = false;
    this.#view.set(NOTHING);
  }

  take(message: PrivateMessage): void {
    switch (message.kind) {
      case 'begin':
        this.#orders = new Map();
        this.#balances = new Map();
        this.#isReceiving = true;
        return;
      case 'ready':
        this.#isReceiving = false;
        this.#show();
        return this.#notify(message);
      case 'balance':
        this.#balances.set(balanceKey(message.balance), message.balance);
        return this.#show();
      case 'order':
        this.#putOrder(message.order);
        this.#show();
        return this.#notify(message);
      case 'trade':
        return this.#notify(message);
      case 'topic':
        // Not part of the present state: it has happened, even while the whole state is being received.
        return this.#emit(message);
    }
  }

  #putOrder(order: Order): void {
    if (isOver(order)) this.#orders.delete(order.orderId);
    else this.#orders.set(order.orderId, order);
  }

  #show(): void {
    if (this.#isReceiving) return;
    const orders = [...this.#orders.values()].sort((left, right) => Number(right.orderId) - Number(left.orderId));
    this.#view.set({ isReady: true, orders, balances: new Map(this.#balances) });
  }

  #notify(news: AccountNews): void {
    if (!this.#isReceiving) this.#emit(news);
  }

  #emit(news: AccountNews): void {
    for (const listener of this.#news) listener(news);
  }
}
