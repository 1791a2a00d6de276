/** One command at work, after its last check: the state it changes, its time, and its events so far. */
import type { Millis } from '@orrery/units';
import type { Event } from '@orrery/protocol';
import type { Trading } from './trading.ts';

export interface CommandScope {
  readonly trading: Trading;
  readonly at: Millis;
  readonly events: Event[];
}
