/** What happens at a time: scheduled cancels of accounts, and the slices of TWAP orders. */
import { millis, type Millis } from '@orrery/units';
import { DueQueue } from './due-queue.ts';
import { Twaps } from './twaps.ts';

export class Timers {
  /** By account. */
  readonly cancels = new DueQueue();
  readonly twaps = new Twaps();
  /** The time up to which they were run, or as far as one command runs. */
  ranAt: Millis = millis(0);

  /** When the next of them is due; undefined when there is none. */
  get dueAt(): Millis | undefined {
    const cancel = this.cancels.next()?.at;
    const slice = this.twaps.due.next()?.at;
    if (cancel === undefined || slice === undefined) return cancel ?? slice;
    return cancel < slice ? cancel : slice;
  }

  /** Whether an earlier command left some of what was due over. */
  get isPending(): boolean {
    const { dueAt } = this;
    return dueAt !== undefined && dueAt <= this.ranAt;
  }
}
