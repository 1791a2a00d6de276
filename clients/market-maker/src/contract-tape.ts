/** Keeps the tapes of contracts alive: small orders at random moments that take from the best order, more often against the position than with it. */
import type { Side } from '@orrery/protocol';
import { CallError, type Client, type ContractTerms, readPrice, writePrice, writeSize } from '@orrery/sdk';
import { ticks, type Lots, type Ticks } from '@orrery/units';
import type { Attention } from './attention.ts';
import { readPosition, sizeOfDollars, smallestOrder } from './contract-sizes.ts';
import type { Life } from './life.ts';
import { Random } from './random.ts';

export interface ContractTapeOptions {
  readonly client: Client;
  readonly rules: ContractTerms;
  readonly life: Life;
  readonly attention: Pick<Attention, 'pause'>;
  readonly seed: number;
  /** Mean milliseconds between two orders. */
  readonly meanPauseMs: number;
}

/** Nobody is paid more than this away from the index price. */
const REACH_PPM = 3_000;
/** In whole dollars. */
const [SMALLEST_ORDER, LARGEST_ORDER] = [10, 600];
/** A position of this many dollars is only reduced. */
const POSITION_DOLLARS = 20_000;
const PAUSE_MIN_MS = 500;

export interface ContractTapeOrder {
  readonly side: Side;
  readonly price: Ticks;
  readonly size: Lots;
}

export class ContractTape {
  readonly #options: ContractTapeOptions;
  readonly #random: Random;

  constructor(options: ContractTapeOptions) {
    this.#options = options;
    this.#random = new Random(options.seed);
  }

  /** Runs until life is over. */
  async run(): Promise<void> {
    const { life, attention, rules, meanPauseMs } = this.#options;
    while (!life.isOver) {
      await attention.pause(PAUSE_MIN_MS + this.#random.around(Math.max(0, meanPauseMs - PAUSE_MIN_MS)));
      if (!life.isOver) await this.#trade().catch((error: unknown) => life.failed(`tape of the contract ${rules.symbol}`, error));
    }
  }

  /** @param position lots, below zero of a short one */
  draw(index: Ticks, position: number): ContractTapeOrder {
    const { rules } = this.#options;
    const limit = sizeOfDollars(POSITION_DOLLARS, index, rules);
    const lean = Math.max(-1, Math.min(1, position / Math.max(1, limit)));
    const side: Side = this.#random.fraction() < (1 + lean) / 2 ? 'sell' : 'buy';
    const wanted = sizeOfDollars(this.#random.byFactor(SMALLEST_ORDER, LARGEST_ORDER), index, rules);
    const reach = Math.floor((index * REACH_PPM) / 1_000_000);
    const price = ticks(Math.max(1, side === 'buy' ? index + reach : index - reach));
    const least = smallestOrder(price, rules);
    return { side, price, size: wanted < least ? least : wanted };
  }

  async #trade(): Promise<void> {
    const { client, rules } = this.#options;
    const { p } = await client.futuresIndexPrice({ symbol: rules.symbol });
    const index = p === null ? undefined : readPrice(p, rules);
    if (index === undefined) return;
    const [held] = await client.positions({ symbol: rules.symbol });
    const { side, price, size } = this.draw(index, held === undefined ? 0 : (readPosition(held.positionSize, rules) ?? 0));
    const order = {
      symbol: rules.symbol,
      orderSide: side === 'buy' ? ('BUY' as const) : ('SELL' as const),
      orderType: 'LIMIT' as const,
      timeInForce: 'IOC' as const,
      price: writePrice(price, rules),
      origQty: writeSize(size, rules),
      unit: rules.payoff === 'linear' ? ('COIN' as const) : ('SHEET' as const),
    };
    await client.createFuturesOrder(order).catch((error: unknown) => {
      // The book may be empty, and the price degraded: the next order will do.
      if (!(error instanceof CallError) || error.status === 429 || error.status >= 500) throw error;
    });
  }
}
