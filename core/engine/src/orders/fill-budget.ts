/** How many resting orders the command at work may still meet. All orders that act within it share them; not part of the state between commands. */
import { FILLS_PER_COMMAND, type RulesVersion } from '@orrery/rules';
import type { Order } from '@orrery/protocol';

const UNBOUNDED = Number.MAX_SAFE_INTEGER;

export class FillBudget {
  readonly #perCommand: number;
  #left: number;

  /** @param perCommand another number than that of the rules only in tests, which meet the bound often */
  constructor(perCommand: number = FILLS_PER_COMMAND) {
    this.#perCommand = perCommand;
    this.#left = perCommand;
  }

  /** A command begins. */
  reset(rules: RulesVersion): void {
    this.#left = rules >= 7 ? this.#perCommand : UNBOUNDED;
  }

  /** How many this order may meet. One that fills whole or not at all cannot be continued: it has a whole budget, whatever acted before it. */
  of({ timeInForce }: Pick<Order, 'timeInForce'>): number {
    return timeInForce === 'FOK' ? Math.max(this.#left, this.#perCommand) : this.#left;
  }

  take(count: number): void {
    this.#left = Math.max(0, this.#left - count);
  }

  get isSpent(): boolean {
    return this.#left === 0;
  }
}
