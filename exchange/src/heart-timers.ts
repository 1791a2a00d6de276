/**
 * Time as commands. The engine decides by the time of a command; here is only known when it is worth asking. Each kind follows the facts that it needs, and is asked
 * each second what it has to submit.
 */
import { type Lease, repeat, type Repetition } from '@orrery/foundation';
import { HeartError, type Applied, type Event, type Heart } from '@orrery/protocol';
import { isOfOrders, load } from '@orrery/views';

const TICK_MS = 1_000;

export interface HeartTimersOptions {
  readonly heart: Pick<Heart, 'open' | 'submit'>;
  /** Of all processes on the database its holder submits. */
  readonly lease: Lease;
  readonly now: () => number;
  readonly onTrouble: (error: unknown) => void;
}

export abstract class HeartTimers {
  protected readonly options: HeartTimersOptions;
  #close: () => void = () => undefined;
  #timer: Repetition | undefined;
  #isBusy = false;

  constructor(options: HeartTimersOptions) {
    this.options = options;
  }

  /** What an event says of what is due. */
  protected abstract fold(event: Event): void;

  /** Submits what is due at `now`, unix milliseconds. */
  protected abstract strike(now: number): Promise<void>;

  start(): void {
    const view = this.options.heart.open();
    load(view, { apply: (event) => this.fold(event) });
    this.#follow(view.tail).catch(this.options.onTrouble);
    this.#close = () => view.close();
    const { lease, onTrouble } = this.options;
    this.#timer = repeat({ every: TICK_MS, lease, work: () => this.tick(), onTrouble });
  }

  /** Waits for what is being submitted. */
  async stop(): Promise<void> {
    await this.#timer?.stop();
    this.#close();
  }

  /** Submits what is due. Resolves when it is answered. */
  async tick(): Promise<void> {
    if (this.#isBusy) return;
    this.#isBusy = true;
    try {
      await this.strike(this.options.now());
    } catch (error) {
      // The heart is busy or gone: what is due stays due.
      if (!(error instanceof HeartError)) throw error;
    } finally {
      this.#isBusy = false;
    }
  }

  async #follow(tail: AsyncIterable<readonly Applied[]>): Promise<void> {
    for await (const batch of tail)
      for (const applied of batch) if (!isOfOrders(applied)) for (const event of applied.events) this.fold(event);
  }
}
