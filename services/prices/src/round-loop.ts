/**
 * Submits a round of outside prices of each of some things every three seconds: what every venue says and how old it is. What counts of it the engine decides.
 * Of several processes the holder of the lease submits, from the moment at which it takes it.
 */
import { type Lease, whileHeld } from '@orrery/foundation';
import { HeartError, type Command, type Heart } from '@orrery/protocol';
import type { Millis } from '@orrery/units';

const ROUND_MS = 3_000;

export interface RoundLoopOptions<Priced> {
  readonly priced: readonly Priced[];
  /** What is written of it before a complaint. */
  readonly nameOf: (priced: Priced) => string;
  readonly roundOf: (priced: Priced, at: Millis) => Command;
  readonly heart: Pick<Heart, 'submit'>;
  readonly lease: Lease;
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
  #forget: (() => void) | undefined;

  constructor(options: RoundLoopOptions<Priced>) {
    this.#options = options;
    this.#watched = options.priced.map((priced) => ({ priced, isSubmitting: false, complaint: '' }));
  }

  /** Resolves when the first round is with the heart, or is another process's. */
  async start(): Promise<void> {
    this.#timer ??= setInterval(() => void this.round(), ROUND_MS);
    this.#forget ??= this.#options.lease.onTaken(() => void this.round());
    await this.round();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#forget?.();
    this.#forget = undefined;
  }

  /** Resolves when what it submitted is answered. Silence of every venue is submitted too: the engine says then what it means. */
  async round(): Promise<void> {
    await whileHeld(this.#options.lease, async () => {
      await Promise.all(this.#watched.map((watched) => this.#submit(watched)));
    });
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
