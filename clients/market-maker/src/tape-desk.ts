/** The account that keeps the tape alive, one market beside the other. */
import type { Balance } from '@orrery/api';
import { CallError, type Client } from '@orrery/sdk';
import { parseAtoms } from '@orrery/units';
import type { Attention } from './attention.ts';
import type { Life } from './life.ts';
import type { PriceWatch } from './price-watch.ts';
import type { Purse, Tape } from './tape.ts';

export interface TapeDeskOptions {
  readonly client: Client;
  readonly prices: PriceWatch;
  readonly tapes: readonly Tape[];
  readonly life: Life;
  readonly attention: Pick<Attention, 'pause'>;
  /** Decimals of a coin. */
  readonly decimals: ReadonlyMap<string, number>;
}

const PURSE_MS = 10_000;

export class TapeDesk {
  readonly #options: TapeDeskOptions;
  #purse: Purse | undefined;
  #purseAt = 0;

  constructor(options: TapeDeskOptions) {
    this.#options = options;
  }

  async run(): Promise<void> {
    await Promise.all(this.#options.tapes.map((tape) => this.#keep(tape)));
  }

  async #keep(tape: Tape): Promise<void> {
    const { life, attention } = this.#options;
    while (!life.isOver) {
      await attention.pause(tape.pauseMs());
      if (!life.isOver) await this.#trade(tape).catch((error: unknown) => life.failed(`tape of ${tape.rules.symbol}`, error));
    }
  }

  async #trade(tape: Tape): Promise<void> {
    const price = this.#options.prices.price(tape.rules.symbol);
    if (price === undefined) return;
    const order = tape.draw(price, await this.#currentPurse());
    if (order === undefined) return;
    await tape.place(order).catch((error: unknown) => {
      // The purse was read a while ago, and the market may be empty or closed: the next order will do.
      this.#purseAt = 0;
      if (!(error instanceof CallError) || error.status === 429 || error.status >= 500) throw error;
    });
  }

  async #currentPurse(): Promise<Purse> {
    const now = Date.now();
    if (this.#purse !== undefined && now - this.#purseAt < PURSE_MS) return this.#purse;
    const balances = await this.#options.client.spotBalances();
    const free = new Map(balances.map((balance) => [balance.coin, this.#atoms(balance)]));
    this.#purse = { free: (coin) => free.get(coin) ?? 0n };
    this.#purseAt = now;
    return this.#purse;
  }

  #atoms({ coin, availableBalance }: Balance): bigint {
    return parseAtoms(availableBalance, this.#options.decimals.get(coin) ?? 0) ?? 0n;
  }
}
