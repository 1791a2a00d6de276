import type { MoneyRecords } from '../money/money-records.ts';
import type { Trading } from '../orders/trading.ts';
import type { Timers } from './timers.ts';

/** The part of the state that timers need. */
export interface Timed extends Trading {
  readonly timers: Timers;
  readonly money: MoneyRecords;
}
