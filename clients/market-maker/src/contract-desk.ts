/** The account that quotes contracts: keeps both sides of each around its index price, with leverage 3 and a limited position, hedged in nothing. */
import { REJECTS } from '@orrery/protocol';
import { CallError, type Client, type ContractTerms, readPrice, readSize, writePrice, writeSize } from '@orrery/sdk';
import type { Lots, Ticks } from '@orrery/units';
import { subtractLots } from '@orrery/units';
import { type Attention, followed } from './attention.ts';
import { contractLadder, type ContractLadderOptions } from './contract-ladder.ts';
import { readPosition } from './contract-sizes.ts';
import type { Life } from './life.ts';
import type { Pace } from './pace.ts';
import type { Quote } from './quote-ladder.ts';
import { carryOut, requote, type LiveOrder } from './requote.ts';

export interface QuotedContract {
  readonly rules: ContractTerms;
  /** What is quoted at this moment. */
  readonly ladder: () => ContractLadderOptions;
}

export interface ContractDeskOptions {
  readonly client: Client;
  readonly contracts: readonly QuotedContract[];
  readonly pace: Pace;
  readonly life: Life;
  /** Without it quotes follow every move beyond the tolerance. */
  readonly attention?: Pick<Attention, 'movePpm'>;
  /** Quotes are canceled when the index price has not been updated for this long, and when they could not be replaced for this long. */
  readonly staleMs: number;
  /** Every contract is planned again after this long, even without a new price: its orders may have traded. */
  readonly reviewMs?: number;
  /** A price that has moved by less than this since the last plan is no new one. */
  readonly tolerancePpm?: number;
  readonly log: (line: string) => void;
}

const LEVERAGE = 3;
const CYCLE_MS = 1_000;
const REVIEW_MS = 5_000;
/** Prices that were heard longer ago than this are heard again before the next contract is planned: the calls of the one before it may have taken long. */
const HEAR_AGAIN_MS = 2_000;
const ORDERS_PER_CALL = 20;
/** One page of open orders: more than both sides of a ladder. */
const PAGE_SIZE = 100;

interface Watch extends QuotedContract {
  price: Ticks | undefined;
  /** The exchange's time of the price, and ours. */
  reportedAt: number;
  heardAt: number;
  plannedAt: number;
  /** Since when no plan was carried out whole; undefined when the last one was. */
  failingSince: number | undefined;
  plannedFor: Ticks | undefined;
  /** By how much its quotes stand further away than usual. */
  movePpm: number;
  /** Whether the exchange takes orders that open a position, as far as is known. */
  isOpen: boolean;
  isQuoted: boolean;
  complaint: string;
}

export class ContractDesk {
  readonly #options: ContractDeskOptions;
  readonly #watches: ReadonlyMap<string, Watch>;

  constructor(options: ContractDeskOptions) {
    this.#options = options;
    this.#watches = new Map(
      options.contracts.map(({ rules, ladder }) => [
        rules.symbol,
        {
          rules,
          ladder,
          price: undefined,
          reportedAt: -1,
          heardAt: 0,
          plannedAt: 0,
          failingSince: undefined,
          plannedFor: undefined,
          movePpm: 0,
          isOpen: false,
          isQuoted: false,
          complaint: '',
        },
      ]),
    );
  }

  /** Runs until life is over, then takes the quotes out. */
  async run(): Promise<void> {
    const { life } = this.#options;
    await life.persist('contracts at the start', () => this.begin());
    while (!life.isOver) {
      await this.round().catch((error: unknown) => life.failed('quotes of contracts', error));
      await life.pause(CYCLE_MS);
    }
    await this.withdraw();
  }

  /** Takes out what an earlier run left, and sets the leverage where it is another one. */
  async begin(): Promise<void> {
    const { client } = this.#options;
    await client.cancelAllFuturesOrders({});
    for (const { rules } of this.#watches.values()) {
      const leverage = Math.min(LEVERAGE, rules.maxLeverage);
      await client.adjustLeverage({ symbol: rules.symbol, leverage });
    }
  }

  /**
   * Hears the prices, and plans every contract that has to be planned again. What fails for one contract keeps no other from it, and prices that are not
   * heard go stale. @throws the first failure
   */
  async round(): Promise<void> {
    const { client, life } = this.#options;
    const failures: unknown[] = [];
    const attempt = (step: () => Promise<void>): Promise<void> => step().catch((error: unknown) => void failures.push(error));
    let askedAt = Number.NEGATIVE_INFINITY;
    const hear = async (): Promise<void> => {
      if (Date.now() - askedAt <= HEAR_AGAIN_MS) return;
      try {
        this.#hear(await client.futuresIndexPrices());
      } finally {
        askedAt = Date.now();
      }
    };
    await attempt(hear);
    if ([...this.#watches.values()].some(({ isOpen }) => !isOpen)) await attempt(() => this.#readStates());
    for (const watch of this.#watches.values()) {
      if (life.isOver) break;
      await attempt(hear);
      await attempt(() => this.#tend(watch, Date.now()));
    }
    if (failures.length > 0) throw failures[0];
  }

  /** Takes all quotes out. */
  async withdraw(): Promise<void> {
    const { client, log } = this.#options;
    await client
      .cancelAllFuturesOrders({})
      .catch((error: unknown) => log(`the quotes of contracts could not be taken out: ${String(error)}`));
  }

  #hear(prices: readonly { readonly s: string; readonly t: number; readonly p: string | null }[]): void {
    for (const { s, t, p } of prices) {
      const watch = this.#watches.get(s);
      const price = watch === undefined || p === null ? undefined : readPrice(p, watch.rules);
      // A repeated price is no update: a price that stands still must go stale.
      if (watch === undefined || price === undefined || t <= watch.reportedAt) continue;
      watch.price = price;
      watch.reportedAt = t;
      watch.heardAt = Date.now();
    }
  }

  /** After a start or an outage the prices of a contract are there before it takes quotes. */
  async #readStates(): Promise<void> {
    for (const { symbol, state, isDegraded } of await this.#options.client.futuresSymbols()) {
      const watch = this.#watches.get(symbol);
      if (watch !== undefined) watch.isOpen = state === 'TRADING' && !isDegraded;
    }
  }

  async #tend(watch: Watch, now: number): Promise<void> {
    const { staleMs, log, reviewMs = REVIEW_MS, attention } = this.#options;
    const { rules, price } = watch;
    if (price === undefined || this.#isStale(watch)) {
      if (watch.isQuoted) await this.#takeOut(watch, 'the index price is stale');
      return;
    }
    if (!watch.isOpen) return;
    const movePpm = attention?.movePpm ?? 0;
    const reference = movePpm === watch.movePpm ? followed(price, watch.plannedFor, movePpm) : price;
    if (movePpm === watch.movePpm && this.#isPlannedFor(watch, reference) && now - watch.plannedAt < reviewMs) return;
    watch.plannedAt = now;
    watch.movePpm = movePpm;
    // A plan that fails in the middle leaves orders at prices of before: it is made again in the next round.
    watch.plannedFor = undefined;
    // Not when all of it is done: a call that fails in the middle leaves orders, which must be taken out when the price goes stale.
    watch.isQuoted = true;
    const refusal = await this.#quote(watch, reference).catch(async (error: unknown) => {
      watch.failingSince ??= now;
      if (Date.now() - watch.failingSince > staleMs) await this.#takeOut(watch, 'they cannot be replaced');
      throw error;
    });
    watch.failingSince = undefined;
    if (watch.isOpen && !this.#isStale(watch)) watch.plannedFor = reference;
    if (refusal !== undefined && refusal !== watch.complaint) log(`contract ${rules.symbol}: ${refusal}`);
    watch.complaint = refusal ?? '';
  }

  async #takeOut(watch: Watch, why: string): Promise<void> {
    const { client, log } = this.#options;
    const { symbol } = watch.rules;
    log(`contract ${symbol}: quotes taken out, ${why}`);
    await client.cancelAllFuturesOrders({ symbol });
    watch.isQuoted = false;
    watch.plannedFor = undefined;
    watch.failingSince = undefined;
  }

  #isStale({ heardAt }: Watch): boolean {
    return Date.now() - heardAt > this.#options.staleMs;
  }

  #isPlannedFor({ plannedFor }: Watch, price: Ticks): boolean {
    const { tolerancePpm = 0 } = this.#options;
    return plannedFor !== undefined && Math.abs(price - plannedFor) * 1_000_000 <= tolerancePpm * plannedFor;
  }

  async #quote(watch: Watch, price: Ticks): Promise<string | undefined> {
    const { client } = this.#options;
    const { rules, ladder } = watch;
    const { items } = await client.futuresOrders({ symbol: rules.symbol, size: PAGE_SIZE });
    const live = items.flatMap((order): readonly LiveOrder[] => liveOrder(order, rules));
    const [position] = await client.positions({ symbol: rules.symbol });
    const held = position === undefined ? 0 : (readPosition(position.positionSize, rules) ?? 0);
    return carryOut(live, requote(live, contractLadder(price, held, rules, ladder())), {
      create: (quotes) => this.#create(quotes, watch),
      cancel: (orderIds) => this.#cancel(orderIds),
    });
  }

  async #cancel(orderIds: readonly string[]): Promise<string | undefined> {
    let refusal: string | undefined;
    for (const orderId of orderIds) {
      await this.#options.pace.take(1);
      await this.#options.client.cancelFuturesOrder({ orderId }).catch((error: unknown) => {
        // One that is over has just traded.
        if (!(error instanceof CallError) || error.status >= 500 || error.status === 429) throw error;
        if (error.code !== REJECTS.UnknownOrder.code) refusal ??= error.message;
      });
    }
    return refusal;
  }

  async #create(quotes: readonly Quote[], watch: Watch): Promise<{ refused: readonly Quote[]; refusal: string | undefined }> {
    const { rules } = watch;
    const refused: Quote[] = [];
    let refusal: string | undefined;
    for (let start = 0; start < quotes.length; start += ORDERS_PER_CALL) {
      const batch = quotes.slice(start, start + ORDERS_PER_CALL);
      // All others would be refused, too; and a price that has become old meanwhile is nothing to quote.
      if (!watch.isOpen || this.#isStale(watch)) return { refused: [...refused, ...quotes.slice(start)], refusal };
      await this.#options.pace.take(batch.length);
      const answers = await this.#options.client.createFuturesOrders({ orders: batch.map((quote) => orderOf(quote, rules)) });
      batch.forEach((quote, index) => {
        const { data = null, msg, code } = answers[index] ?? {};
        if (data !== null) return;
        if (code === REJECTS.PricesDegraded.code) watch.isOpen = false;
        refused.push(quote);
        refusal ??= msg;
      });
    }
    return { refused, refusal };
  }
}

const orderOf = ({ side, price, size }: Quote, rules: ContractTerms) => ({
  symbol: rules.symbol,
  orderSide: side === 'buy' ? ('BUY' as const) : ('SELL' as const),
  orderType: 'LIMIT' as const,
  timeInForce: 'GTX' as const,
  price: writePrice(price, rules),
  origQty: writeSize(size, rules),
  // A lot of an inverse contract is a sheet.
  unit: rules.payoff === 'linear' ? ('COIN' as const) : ('SHEET' as const),
});

interface OpenOrder {
  readonly orderId: string;
  readonly orderSide: 'BUY' | 'SELL';
  readonly price: string | null;
  readonly origQty: string | null;
  readonly executedQty: string;
}

function liveOrder({ orderId, orderSide, price, origQty, executedQty }: OpenOrder, rules: ContractTerms): readonly LiveOrder[] {
  const at = price === null ? undefined : readPrice(price, rules);
  const size: Lots | undefined = origQty === null ? undefined : readSize(origQty, rules);
  const filled = readSize(executedQty, rules);
  if (at === undefined || size === undefined || filled === undefined || filled > size) return [];
  return [{ orderId, side: orderSide === 'BUY' ? 'buy' : 'sell', price: at, remaining: subtractLots(size, filled) }];
}
