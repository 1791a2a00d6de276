/** What must hold of the facts of contracts, command by command: funding (P2), liquidation (P5, P6) and deleveraging (P7). */
import type { Event } from '@orrery/protocol';
import { Violation } from '../violation.ts';

export class ContractAudit {
  /** Funding that was settled, by contract and interval. */
  readonly #settled = new Set<string>();

  follow(seq: number, events: readonly Event[]): void {
    let deleveraged = 0;
    for (const event of events) {
      switch (event.type) {
        case 'FundingSettled':
          this.#settle(seq, event, events);
          break;
        case 'PositionDeleveraged':
          deleveraged += event.size;
          break;
        case 'LiquidationStep':
          checkStep(seq, event, deleveraged);
          deleveraged = 0;
          break;
        default:
          break;
      }
    }
  }

  #settle(seq: number, { market, interval }: Extract<Event, { type: 'FundingSettled' }>, events: readonly Event[]): void {
    const key = `${market} ${interval}`;
    if (this.#settled.has(key)) throw new Violation('P2', `command ${seq} settles interval ${interval} of contract ${market} again`);
    this.#settled.add(key);
    let sum = 0n;
    for (const event of events) if (event.type === 'FundingPaid') sum += event.amount;
    if (sum > 0n) throw new Violation('P2', `command ${seq}: more funding is received than is paid, by ${sum}`);
  }
}

function checkStep(seq: number, step: Extract<Event, { type: 'LiquidationStep' }>, deleveraged: number): void {
  const { account, stage, equity, maintenance, size, uncovered } = step;
  if (equity >= maintenance)
    throw new Violation('P5', `command ${seq} liquidates account ${account}, which has ${equity} of ${maintenance}`);
  if (uncovered !== 0n) throw new Violation('P6', `command ${seq} leaves ${uncovered} of account ${account} uncovered`);
  if (stage === 'adl' && deleveraged !== size) throw new Violation('P7', `command ${seq} deleverages ${deleveraged} lots, not ${size}`);
}
