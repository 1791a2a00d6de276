/** Distributes outside prices of contracts: one command a round for each of them, with what every venue says and how old it is. */
import { HeartError } from '@orrery/protocol';
import type { Heart } from '@orrery/protocol';
import type { Millis } from '@orrery/units';
import type { PriceMoves } from './price-moves.ts';
import type { OutsideMarket, PriceSource } from './price-source.ts';

export interface ContractRoundsOptions {
  readonly source: Pick<PriceSource, 'round'>;
  readonly contracts: readonly OutsideMarket[];
  readonly moves: PriceMoves;
  readonly heart: Pick<Heart, 'submit'>;
  readonly now: () => Millis;
  readonly log: (line: string) => void;
}

export const ROUND_MS = 3_000;

interface Watched {
  readonly contract: OutsideMarket;
  isSubmitting: boolean;
  /** What was complained about last: once is enough. */
  complaint: string;
}

export class ContractRounds {
  readonly #options: ContractRoundsOptions;
  readonly #watched: readonly Watched[];
  #timer: NodeJS.Timeout | undefined;

  constructor(options: ContractRoundsOptions) {
    this.#options = options;
    this.#watched = options.contracts.map((contract) => ({ contract, isSubmitting: false, complaint: '' }));
  }

  /** Resolves when the first round is with the heart. */
  async start(): Promise<void> {
    this.#timer ??= setInterval(() => void this.round(), ROUND_MS);
    await this.round();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  /** Resolves when what it submitted is answered. Silence of every venue is submitted too: the engine says then that the price is degraded. */
  async round(): Promise<void> {
    await Promise.all(this.#watched.map((watched) => this.#submit(watched)));
  }

  /** A round that the heart did not take is not tried again: the next one is newer. */
  async #submit(watched: Watched): Promise<void> {
    if (watched.isSubmitting) return;
    const { source, moves, heart, now } = this.#options;
    const { market } = watched.contract;
    const at = now();
    watched.isSubmitting = true;
    try {
      const { events } = await heart.submit({ type: 'SubmitPrices', market, ...moves.applied(market, source.round(market, at), at) });
      const refused = events.find((event) => event.type === 'CommandRejected');
      if (refused === undefined) watched.complaint = '';
      else this.#complain(watched, `the round of outside prices was refused: ${refused.reason}`);
    } catch (cause) {
      if (!(cause instanceof HeartError)) throw cause;
      this.#complain(watched, `the round of outside prices was not submitted: ${cause.message}`);
    } finally {
      watched.isSubmitting = false;
    }
  }

  #complain(watched: Watched, complaint: string): void {
    if (watched.complaint === complaint) return;
    watched.complaint = complaint;
    this.#options.log(`contract ${watched.contract.symbol}: ${complaint}`);
  }
}
