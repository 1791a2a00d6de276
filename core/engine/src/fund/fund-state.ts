import type { Millis } from '@orrery/units';
import type { Event } from '@orrery/protocol';
import type { Fund } from '../funds/funds.ts';
import type { MoneyState } from '../money/money-state.ts';
import type { OtcState } from '../otc/otc-state.ts';
import type { Timed } from '../timers/timed.ts';

/** The part of the state that funds need. */
export interface FundState extends Timed, MoneyState, OtcState {}

/** A fund at work within one command, after the last check. */
export interface FundScope {
  readonly state: FundState;
  /** The same: what orders need of it. */
  readonly trading: FundState;
  readonly fund: Fund;
  readonly at: Millis;
  readonly events: Event[];
}
