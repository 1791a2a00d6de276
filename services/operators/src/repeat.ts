/** Work that is done again and again, never twice at a time. */
export interface Repetition {
  /** Waits for what is being done. */
  stop(): Promise<void>;
}

export function repeat(options: { everyMs: number; work: () => Promise<void>; onTrouble: (error: unknown) => void }): Repetition {
  let running: Promise<void> | undefined;
  const timer = setInterval(() => {
    running ??= options
      .work()
      .catch(options.onTrouble)
      .finally(() => (running = undefined));
  }, options.everyMs);
  return {
    async stop() {
      clearInterval(timer);
      await running;
    },
  };
}
