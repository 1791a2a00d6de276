/** Work that is done at its times, never twice at a time. */
import { Cron } from 'croner';

export interface Repetition {
  /** Waits for what is being done. */
  stop(): Promise<void>;
}

/** @param options.pattern of croner: seconds come first */
export function repeat(options: { pattern: string; work: () => Promise<void>; onTrouble: (error: unknown) => void }): Repetition {
  const { pattern, work, onTrouble } = options;
  let latest: Promise<void> = Promise.resolve();
  const time = new Cron(pattern, { timezone: 'UTC', protect: true, catch: onTrouble }, () => (latest = work()));
  return {
    async stop() {
      time.stop();
      // Its failure is reported where it ran.
      await latest.catch(() => undefined);
    },
  };
}
