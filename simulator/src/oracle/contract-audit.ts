/** What must hold of the facts of contracts, command by command: funding (P2), liquidation (P5, P6) and deleveraging (P7). */
import type { Event, FundingPaid } from '@orrery/protocol';
import type { MarketId, Millis } from '@orrery/units';
import { Violation } from '../violation.ts';

export class ContractAudit {
  /** Funding that was settled, by contract and interval. */
  readonly #settled = new Set<string>();
  /** Of the interval of each contract that was settled last. */
  readonly #payments = new Map<MarketId, Payments>();
  #liquidator = 0;

  follow(seq: number, events: readonly Event[]): void {
    let deleveraged = 0;
    for (const event of events) {
      switch (event.type) {
        case 'FundingSettled':
          this.#settle(seq, event);
          break;
        case 'FundingPaid':
          this.#pay(seq, event);
          break;
        case 'LiquidatorSet':
          this.#liquidator = event.account;
          break;
        case 'DeficitShared':
          if (event.paid > event.gain) throw new Violation('P6', `command ${seq} takes ${event.paid} of a gain of ${event.gain}`);
          break;
        case 'PositionDeleveraged':
          deleveraged += event.size;
          break;
        case 'LiquidationStep':
          checkStep(seq, event, deleveraged, event.account === this.#liquidator);
          deleveraged = 0;
          break;
        default:
          break;
      }
    }
  }

  /** Those who are touched pay at once, the others when the sweep reaches them: all before the next interval is settled. */
  #settle(seq: number, { market, interval }: Extract<Event, { type: 'FundingSettled' }>): void {
    const key = `${market} ${interval}`;
    if (this.#settled.has(key)) throw new Violation('P2', `command ${seq} settles interval ${interval} of contract ${market} again`);
    this.#settled.add(key);
    const sum = this.#payments.get(market)?.sum ?? 0n;
    if (sum > 0n) throw new Violation('P2', `command ${seq}: more funding of contract ${market} was received than was paid, by ${sum}`);
    this.#payments.set(market, { interval, sum: 0n, paid: new Set() });
  }

  #pay(seq: number, { account, market, positionSide, interval, amount }: FundingPaid): void {
    const payments = this.#payments.get(market);
    const key = `${account} ${positionSide}`;
    if (payments?.interval !== interval) throw new Violation('P2', `command ${seq} pays for interval ${interval} of contract ${market}`);
    if (payments.paid.has(key)) throw new Violation('P2', `command ${seq}: account ${account} pays for interval ${interval} again`);
    payments.paid.add(key);
    payments.sum += amount;
  }
}

/** For one interval of a contract. */
interface Payments {
  readonly interval: Millis;
  /** What positions received, less what they paid. */
  sum: bigint;
  /** By account and side. */
  readonly paid: Set<string>;
}

/** What the liquidator does not sell in time is deleveraged, however safe it is. A deleveraging may leave uncovered what no gain could pay. */
function checkStep(seq: number, step: Extract<Event, { type: 'LiquidationStep' }>, deleveraged: number, isLiquidator: boolean): void {
  const { account, stage, equity, maintenance, size, uncovered } = step;
  if (equity >= maintenance && !(isLiquidator && stage === 'adl'))
    throw new Violation('P5', `command ${seq} liquidates account ${account}, which has ${equity} of ${maintenance}`);
  if (uncovered !== 0n && stage !== 'adl') throw new Violation('P6', `command ${seq} leaves ${uncovered} of account ${account} uncovered`);
  if (stage === 'adl' && deleveraged !== size) throw new Violation('P7', `command ${seq} deleverages ${deleveraged} lots, not ${size}`);
}
