import type { CommandRejected, Event, OrderRepeated } from '@orrery/protocol';
import type { Listed } from '../instruments/listed-market.ts';

/** What came of an order. */
export interface OrderOutcome {
  readonly events: Event[];
  /** Where it was executed; undefined when nothing was. */
  readonly market: Listed | undefined;
}

export const unchanged = (answer: CommandRejected | OrderRepeated): OrderOutcome => ({ events: [answer], market: undefined });
