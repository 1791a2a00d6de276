/** Time of the OTC desk as a command: a window to pay that is over, a dispute that opens by itself, a decision that stands. */
import type { Event } from '@orrery/protocol';
import type { OtcOrderId } from '@orrery/units';
import { HeartTimers } from './heart-timers.ts';

export class OtcTimers extends HeartTimers {
  /** Of open orders: when a timer steps. */
  readonly #deadlines = new Map<OtcOrderId, number>();

  protected override async strike(now: number): Promise<void> {
    if ([...this.#deadlines.values()].some((at) => at <= now)) await this.options.heart.submit({ type: 'RunOtcTimers' });
  }

  protected override fold(event: Event): void {
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
