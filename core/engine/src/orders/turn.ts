/** One command at work, after its last check: the state it changes, its time, and the facts it has told so far. */
import type { Millis } from '@orrery/units';
import type { Event } from '@orrery/protocol';
import type { Exchange } from '../exchange.ts';

export interface Turn {
  readonly exchange: Exchange;
  readonly at: Millis;
  readonly events: Event[];
}
