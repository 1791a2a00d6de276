/**
 * Time of the OTC desk as a command: a window to pay that is over, a dispute that opens by itself, a decision that stands. The engine decides by the time of the command; here is only
 * known when it is worth asking.
 */
import { HeartError, type Applied, type Event, type Heart } from '@orrery/protocol';
import type { OtcOrderId } from '@orrery/units';
import { isOfOrders, load } from '@orrery/views';

const TICK_MS = 1_000;

interface Options {
  readonly heart: Pick<Heart, 'open' | 'submit'>;
  readonly now: () => number;
  readonly onTrouble: (error: unknown) => void;
}

export class OtcTimers {
  readonly #options: Options;
  /** Of open orders: when a timer steps. */
  readonly #deadlines = new Map<OtcOrderId, number>();
  #close: () => void = () => undefined;
  #timer: NodeJS.Timeout | undefined;
  #isBusy = false;

  constructor(options: Options) {
    this.#options = options;
  }

  start(): void {
    const view = this.#options.heart.open();
    load(view, { apply: (event) => this.#fold(event) });
    this.#follow(view.tail).catch(this.#options.onTrouble);
    this.#close = () => view.close();
    this.#timer = setInterval(() => void this.tick(), TICK_MS);
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#close();
  }

  /** Submits what is due. Resolves when it is answered. */
  async tick(): Promise<void> {
    if (this.#isBusy) return;
    this.#isBusy = true;
    try {
      const now = this.#options.now();
      if ([...this.#deadlines.values()].some((at) => at <= now)) await this.#options.heart.submit({ type: 'RunOtcTimers' });
    } catch (error) {
      // The heart is busy or gone: what is due stays due.
      if (!(error instanceof HeartError)) throw error;
    } finally {
      this.#isBusy = false;
    }
  }

  async #follow(tail: AsyncIterable<readonly Applied[]>): Promise<void> {
    for await (const batch of tail)
      for (const applied of batch) if (!isOfOrders(applied)) for (const event of applied.events) this.#fold(event);
  }

  #fold(event: Event): void {
    switch (event.type) {
      case 'OtcOrderCreated':
      case 'OtcOrderStepped':
        this.#set(event.order, event.deadline);
        break;
      case 'OtcDisputeDecided':
        this.#set(event.order, event.executesAt);
        break;
      case 'OtcDecisionAppealed':
        this.#set(event.order, 0);
        break;
      default:
        break;
    }
  }

  /** @param at 0 when no timer steps */
  #set(order: OtcOrderId, at: number): void {
    if (at === 0) this.#deadlines.delete(order);
    else this.#deadlines.set(order, at);
  }
}
