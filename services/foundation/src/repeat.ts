/** Work that is done at its times by one process at a time, and never twice at a time. */
import { Cron } from 'croner';
import { type Lease, whileHeld } from './lease.ts';

export interface Repetition {
  /** Waits for what is being done. */
  stop(): Promise<void>;
}

export interface RepeatParts {
  /** Milliseconds between two beginnings, or a pattern of croner in UTC: with six parts seconds come first. */
  readonly every: number | string;
  /** Undefined for what each process does for itself. */
  readonly lease: Lease | undefined;
  /** Does all that is due, also what was missed: it is called as well when the lease is taken. A time at which it is still at work is left out. */
  readonly work: () => Promise<void>;
  readonly onTrouble: (error: unknown) => void;
  /** Whether it begins now too; else at its first time, or when the lease is taken. */
  readonly atOnce?: boolean;
}

export function repeat({ every, lease, work, onTrouble, atOnce = false }: RepeatParts): Repetition {
  let running: Promise<void> | undefined;
  const run = (): void => {
    running ??= (lease === undefined ? work() : whileHeld(lease, work)).catch(onTrouble).finally(() => (running = undefined));
  };
  const stopTimes = timesOf(every, run);
  const forget = lease?.onTaken(run);
  if (atOnce) run();
  return {
    async stop() {
      stopTimes();
      forget?.();
      await running;
    },
  };
}

function timesOf(every: number | string, run: () => void): () => void {
  if (typeof every === 'number') {
    const timer = setInterval(run, every).unref();
    return () => clearInterval(timer);
  }
  const time = new Cron(every, { timezone: 'UTC', unref: true }, run);
  return () => time.stop();
}
