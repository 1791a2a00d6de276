/** The maker's own open orders and money, as the private stream has them. */
import { type PairTerms, readPrice, readSize } from '@orrery/sdk';
import type { Balance, Order } from '@orrery/api';
import { parseAtoms, subtractLots, type Lots } from '@orrery/units';
import type { Quote } from './quote-ladder.ts';
import type { LiveOrder } from './requote.ts';

const CLOSED_STATES: ReadonlySet<number> = new Set([3, 4]);
/** Ids of orders that are over, remembered in case the answer that made them comes after their end. */
const CLOSED_REMEMBERED = 2_000;

export class OwnAccount {
  readonly #markets: ReadonlyMap<string, PairTerms>;
  readonly #orders = new Map<string, Map<string, LiveOrder>>();
  readonly #balances = new Map<string, string>();
  readonly #closed = new Set<string>();
  #isKnown = false;

  constructor(markets: readonly PairTerms[]) {
    this.#markets = new Map(markets.map((rules) => [rules.symbol, rules]));
  }

  /** True from the end of the initial state until the stream is lost. */
  get isKnown(): boolean {
    return this.#isKnown;
  }

  reset(): void {
    this.#isKnown = false;
    this.#orders.clear();
    this.#balances.clear();
  }

  ready(): void {
    this.#isKnown = true;
  }

  hearBalance({ coin, balanceType, balance }: Balance): void {
    if (balanceType === 'spot') this.#balances.set(coin, balance);
  }

  /** @returns the order's market, when it is one of ours. */
  hearOrder(order: Order): PairTerms | undefined {
    const rules = this.#markets.get(order.symbol);
    if (rules === undefined) return undefined;
    const price = order.price === null ? undefined : readPrice(order.price, rules);
    const remaining = remainingOf(order, rules);
    if (CLOSED_STATES.has(order.state)) this.#close(order.orderId, rules);
    else if (price !== undefined && remaining !== undefined) {
      this.#of(rules).set(order.orderId, { orderId: order.orderId, side: order.orderSide === 'BUY' ? 'buy' : 'sell', price, remaining });
    }
    return rules;
  }

  /** An answer brought the order before the stream did. */
  placed(orderId: string, { side, price, size }: Quote, rules: PairTerms): void {
    if (this.#closed.has(orderId) || this.#of(rules).has(orderId)) return;
    this.#of(rules).set(orderId, { orderId, side, price, remaining: size });
  }

  gone(orderId: string, rules: PairTerms): void {
    this.#close(orderId, rules);
  }

  hasOrders(rules: PairTerms): boolean {
    return this.#of(rules).size > 0;
  }

  orders(rules: PairTerms): Iterable<LiveOrder> {
    return this.#of(rules).values();
  }

  /** Atoms of a coin, held ones included. */
  total(coin: string, decimals: number): bigint {
    return parseAtoms(this.#balances.get(coin) ?? '0', decimals) ?? 0n;
  }

  #of({ symbol }: PairTerms): Map<string, LiveOrder> {
    const orders = this.#orders.get(symbol) ?? new Map<string, LiveOrder>();
    this.#orders.set(symbol, orders);
    return orders;
  }

  #close(orderId: string, rules: PairTerms): void {
    this.#of(rules).delete(orderId);
    this.#closed.add(orderId);
    for (const oldest of this.#closed) {
      if (this.#closed.size <= CLOSED_REMEMBERED) break;
      this.#closed.delete(oldest);
    }
  }
}

function remainingOf({ origQty, dealQty }: Order, rules: PairTerms): Lots | undefined {
  const [size, filled] = [origQty === null ? undefined : readSize(origQty, rules), readSize(dealQty, rules)];
  return size === undefined || filled === undefined || filled > size ? undefined : subtractLots(size, filled);
}
