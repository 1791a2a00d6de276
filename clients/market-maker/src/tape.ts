/** Keeps the tape alive: small orders at random moments, by an account of its own, that take from the best order. */
import { type Client, type PairTerms, writePrice, writeSize } from '@orrery/sdk';
import { atoms, lots, ticks, type Ticks } from '@orrery/units';
import type { Side } from '@orrery/protocol';
import { notional, sizeWorth, smallestSize } from './sizes.ts';
import { Random } from './random.ts';

export interface TapeOptions {
  readonly client: Client;
  readonly rules: PairTerms;
  readonly seed: number;
  /** Mean milliseconds between two orders. */
  readonly meanPauseMs: number;
  /** Markets that share the quote money. */
  readonly sharers: number;
}

/** Money of the taker, in atoms. */
export interface Purse {
  free(coin: string): bigint;
}

/** Nobody is paid more than this away from the outside price. */
const REACH_PPM = 3_000;
/** In whole units of the quote coin. */
const [SMALLEST_ORDER, LARGEST_ORDER] = [10, 600];
const PAUSE_MIN_MS = 250;

export interface TapeOrder {
  readonly side: Side;
  readonly price: Ticks;
  readonly size: ReturnType<typeof lots>;
}

export class Tape {
  readonly rules: PairTerms;
  readonly #options: TapeOptions;
  readonly #random: Random;

  constructor(options: TapeOptions) {
    this.rules = options.rules;
    this.#options = options;
    this.#random = new Random(options.seed);
  }

  /** How long to wait before the next order. */
  pauseMs(): number {
    return PAUSE_MIN_MS + this.#random.around(this.#options.meanPauseMs - PAUSE_MIN_MS);
  }

  /** The next order, or undefined when the purse is too light for any. */
  draw(price: Ticks, purse: Purse): TapeOrder | undefined {
    const { rules, sharers } = this.#options;
    const base = purse.free(rules.base) / rules.lotAtoms;
    const quote = purse.free(rules.quote) / BigInt(sharers);
    const baseValue = notional(price, lots(Number(base)), rules);
    const side = this.#side(baseValue, atoms(quote));
    const whole = BigInt(this.#random.byFactor(SMALLEST_ORDER, LARGEST_ORDER)) * 10n ** BigInt(rules.quoteDecimals);
    const size = sizeWorth(whole, price, rules);
    const reach = Math.floor((price * REACH_PPM) / 1_000_000);
    const limit = ticks(Math.max(1, side === 'buy' ? price + reach : price - reach));
    const isAffordable = side === 'buy' ? notional(limit, size, rules) <= quote : BigInt(size) <= base;
    return size < smallestSize(limit, rules) || !isAffordable ? undefined : { side, price: limit, size };
  }

  async place({ side, price, size }: TapeOrder): Promise<void> {
    await this.#options.client.createOrder({
      symbol: this.rules.symbol,
      direction: side === 'buy' ? 'BUY' : 'SELL',
      tradeType: 'LIMIT',
      timeInForce: 'IOC',
      price: writePrice(price, this.rules),
      totalAmount: writeSize(size, this.rules),
    });
  }

  /** A coin tossed with the purse: the more base there is, the likelier a sale, so that it never runs dry. */
  #side(baseValue: bigint, quote: bigint): Side {
    const total = baseValue + quote;
    if (total === 0n) return 'buy';
    const saleChance = Number((baseValue * 1_000n) / total) / 1_000;
    return this.#random.fraction() < saleChance ? 'sell' : 'buy';
  }
}
