/** Keeps one market's open orders as wanted: plans from what is known now, then places and cancels, in batches. */
import { SUCCESS, type CreateOrder } from '@orrery/api';
import { REJECTS } from '@orrery/protocol';
import { type Client, type PairTerms, writePrice, writeSize } from '@orrery/sdk';
import { atoms, lots, type Ticks } from '@orrery/units';
import { skewedPrice, type Inventory } from './inventory.ts';
import type { OwnAccount } from './own-account.ts';
import type { Pace } from './pace.ts';
import { ladder, type LadderOptions, type Quote } from './quote-ladder.ts';
import { carryOut, requote } from './requote.ts';

/** Enough that a whole requote is a few calls, and one call is no burden. */
const ORDERS_PER_CALL = 20;

export interface QuoterOptions {
  readonly client: Client;
  readonly account: OwnAccount;
  readonly pace: Pace;
  readonly rules: PairTerms;
  readonly ladder: LadderOptions;
  /** Markets that share the quote money. */
  readonly sharers: number;
}

/** What one round did. */
export interface Round {
  readonly canceled: number;
  readonly placed: number;
  /** The first refusal of an item, for the log. */
  readonly refusal: string | undefined;
}

export class Quoter {
  readonly rules: PairTerms;
  readonly #options: QuoterOptions;

  constructor(options: QuoterOptions) {
    this.rules = options.rules;
    this.#options = options;
  }

  /** Moves the quotes to an outside price, further from it by `widerPpm` than usual. */
  async quote(price: Ticks, widerPpm: number): Promise<Round> {
    const { account, ladder: ladderOptions } = this.#options;
    const inventory = this.#inventory();
    const wanted = ladder(skewedPrice(price, inventory, this.rules), inventory, this.rules, { ...ladderOptions, widerPpm });
    const live = [...account.orders(this.rules)];
    const change = requote(live, wanted);
    const refusal = await carryOut(live, change, {
      create: (quotes) => this.#create(quotes),
      cancel: (orderIds) => this.#cancel(orderIds),
    });
    return { canceled: change.cancel.length, placed: change.create.length, refusal };
  }

  /** Takes every quote out of the market. */
  async withdraw(): Promise<void> {
    const gone = await this.#options.client.cancelAllOrders({ symbol: this.rules.symbol });
    for (const orderId of gone) this.#options.account.gone(orderId, this.rules);
  }

  #inventory(): Inventory {
    const { account, rules, sharers } = this.#options;
    const base = account.total(rules.base, rules.baseDecimals) / rules.lotAtoms;
    const quote = account.total(rules.quote, rules.quoteDecimals) / BigInt(sharers);
    return { base: lots(Number(base)), quote: atoms(quote) };
  }

  async #cancel(orderIds: readonly string[]): Promise<string | undefined> {
    let refusal: string | undefined;
    for (const batch of batches(orderIds)) {
      await this.#options.pace.take(batch.length);
      const answers = await this.#options.client.cancelOrders({ orderIds: [...batch] });
      batch.forEach((orderId, index) => {
        const answer = answers[index];
        // An unknown order is one that is over: the stream has said so, or is about to.
        if (answer?.code === SUCCESS || answer?.code === REJECTS.UnknownOrder.code) this.#options.account.gone(orderId, this.rules);
        else refusal ??= answer?.msg;
      });
    }
    return refusal;
  }

  async #create(quotes: readonly Quote[]): Promise<{ refused: readonly Quote[]; refusal: string | undefined }> {
    const refused: Quote[] = [];
    let refusal: string | undefined;
    for (const batch of batches(quotes)) {
      await this.#options.pace.take(batch.length);
      const answers = await this.#options.client.createOrders({ orders: batch.map((quote) => this.#order(quote)) });
      batch.forEach((quote, index) => {
        const { data = null, msg } = answers[index] ?? {};
        if (data !== null) this.#options.account.placed(data, quote, this.rules);
        else {
          refused.push(quote);
          refusal ??= msg;
        }
      });
    }
    return { refused, refusal };
  }

  #order({ side, price, size }: Quote): CreateOrder {
    return {
      symbol: this.rules.symbol,
      direction: side === 'buy' ? 'BUY' : 'SELL',
      tradeType: 'LIMIT',
      price: writePrice(price, this.rules),
      totalAmount: writeSize(size, this.rules),
    };
  }
}

function batches<Item>(items: readonly Item[]): readonly (readonly Item[])[] {
  const count = Math.ceil(items.length / ORDERS_PER_CALL);
  return Array.from({ length: count }, (_, index) => items.slice(index * ORDERS_PER_CALL, (index + 1) * ORDERS_PER_CALL));
}
