/**
 * Time of the OTC desk as a command: a window to pay that is over, a dispute that opens by itself, a decision that stands. While one of them is ahead the exchange is heard of
 * often enough that its silence is an outage, for which deadlines are moved.
 */
import type { Event } from '@orrery/protocol';
import type { OtcOrderId } from '@orrery/units';
import { OTC_OUTAGE_MS } from '@orrery/rules';
import { HeartTimers } from './heart-timers.ts';

/** Several times within the shortest outage. */
const HEARD_EVERY_MS = OTC_OUTAGE_MS / 4;

export class OtcTimers extends HeartTimers {
  /** Of open orders: when a timer steps. */
  readonly #deadlines = new Map<OtcOrderId, number>();
  #submittedAt = 0;

  protected override async strike(now: number): Promise<void> {
    if (this.#deadlines.size === 0) return;
    const isSilent = Math.abs(now - this.#submittedAt) >= HEARD_EVERY_MS;
    if (!isSilent && ![...this.#deadlines.values()].some((at) => at <= now)) return;
    await this.options.heart.submit({ type: 'RunOtcTimers' });
    this.#submittedAt = now;
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
      case 'OtcDeadlinesMoved':
        for (const [order, at] of this.#deadlines) if (at > event.since) this.#deadlines.set(order, at + event.by);
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
