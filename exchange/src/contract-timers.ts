/** Time of contracts as commands: funding at each full interval, and what accounts have set to a time. */
import type { Command, Event } from '@orrery/protocol';
import { millis, type AccountId, type MarketId, type Millis } from '@orrery/units';
import { fundingLateMs } from '@orrery/rules';
import { HeartTimers } from './heart-timers.ts';

/** Between two attempts while there is no valid price. */
const FUNDING_RETRY_MS = 30_000;
/** A TWAP that is over was not always seen to end: after its minutes it is waited for no longer than this. */
const TWAP_GRACE_MS = 60_000;
const MINUTE_MS = 60_000;

interface Funding {
  readonly intervalMs: number;
  /** The end of the newest interval that is dealt with: settled, or too late. */
  done: number;
  askedAt: number;
}

export class ContractTimers extends HeartTimers {
  readonly #fundings = new Map<MarketId, Funding>();
  readonly #cancels = new Map<AccountId, Millis>();
  /** Until when each is looked after, unix milliseconds. */
  readonly #twaps = new Map<number, number>();

  protected override async strike(now: number): Promise<void> {
    for (const [market, funding] of this.#fundings) await this.#settle(market, funding, now);
    if (this.#isTimerDue(now)) await this.#submit({ type: 'RunTimers' });
  }

  protected override fold(event: Event): void {
    switch (event.type) {
      case 'ContractRegistered':
        this.#fundings.set(event.market, { intervalMs: event.fundingIntervalMs, done: 0, askedAt: 0 });
        break;
      case 'FundingSettled': {
        const funding = this.#fundings.get(event.market);
        if (funding !== undefined) funding.done = Math.max(funding.done, event.interval);
        break;
      }
      case 'CancelScheduled':
        if (event.at === 0) this.#cancels.delete(event.account);
        else this.#cancels.set(event.account, event.at);
        break;
      case 'TwapAccepted':
        this.#twaps.set(event.twapId, this.options.now() + event.minutes * MINUTE_MS + TWAP_GRACE_MS);
        break;
      case 'TwapClosed':
        this.#twaps.delete(event.twapId);
        break;
      default:
        break;
    }
  }

  async #settle(market: MarketId, funding: Funding, now: number): Promise<void> {
    const interval = now - (now % funding.intervalMs);
    if (interval <= funding.done) return;
    if (now - interval > fundingLateMs({ fundingIntervalMs: funding.intervalMs })) {
      funding.done = interval;
      return;
    }
    if (now - funding.askedAt < FUNDING_RETRY_MS) return;
    funding.askedAt = now;
    const reason = await this.#submit({ type: 'SettleFunding', market, interval: millis(interval) });
    if (reason === undefined) funding.done = interval;
  }

  #isTimerDue(now: number): boolean {
    for (const [twapId, until] of this.#twaps) if (until < now) this.#twaps.delete(twapId);
    return this.#twaps.size > 0 || [...this.#cancels.values()].some((at) => at <= now);
  }

  /** @returns why it was refused */
  async #submit(command: Command): Promise<string | undefined> {
    const { events } = await this.options.heart.submit(command);
    return events.find((event) => event.type === 'CommandRejected')?.reason;
  }
}
