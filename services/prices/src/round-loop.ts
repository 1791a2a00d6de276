/** Submits a round of outside prices of each of some things every three seconds: what every venue says and how old it is. What counts of it the engine decides. */
import { HeartError, type Command, type Heart } from '@orrery/protocol';
import type { Millis } from '@orrery/units';

const ROUND_MS = 3_000;

export interface RoundLoopOptions<Priced> {
  readonly priced: readonly Priced[];
  /** What is written of it before a complaint. */
  readonly nameOf: (priced: Priced) => string;
  readonly roundOf: (priced: Priced, at: Millis) => Command;
  readonly heart: Pick<Heart, 'submit'>;
  readonly now: () => Millis;
  readonly log: (line: string) => void;
}

interface Watched<Priced> {
  readonly priced: Priced;
  isSubmitting: boolean;
  /** What was complained about last: once is enough. */
  complaint: string;
}

export class RoundLoop<Priced> {
  readonly #options: RoundLoopOptions<Priced>;
  readonly #watched: readonly Watched<Priced>[];
  #timer: NodeJS.Timeout | undefined;

  constructor(options: RoundLoopOptions<Priced>) {
    this.#options = options;
    this.#watched = options.priced.map((priced) => ({ priced, isSubmitting: false, complaint: '' }));
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

  /** Resolves when what it submitted is answered. Silence of every venue is submitted too: the engine says then what it means. */
  async round(): Promise<void> {
    await Promise.all(this.#watched.map((watched) => this.#submit(watched)));
  }

  /** A round that the heart did not take is not tried again: the next one is newer. */
  async #submit(watched: Watched<Priced>): Promise<void> {
    if (watched.isSubmitting) return;
    const { roundOf, heart, now } = this.#options;
    watched.isSubmitting = true;
    try {
      const { events } = await heart.submit(roundOf(watched.priced, now()));
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

  #complain(watched: Watched<Priced>, complaint: string): void {
    if (watched.complaint === complaint) return;
    watched.complaint = complaint;
    const { nameOf, log } = this.#options;
    log(`${nameOf(watched.priced)}: ${complaint}`);
  }
}
