/** Runs soon after it is asked, and again when what was asked has settled. What is asked meanwhile begins once more after that: never faster. */
export interface Paced {
  readonly ask: () => void;
  readonly stop: () => void;
}

/** @param afterMs when it runs after the first question, rising */
export function paced(run: () => void, afterMs: readonly number[]): Paced {
  let timers: readonly ReturnType<typeof setTimeout>[] = [];
  let isAsked = false;
  const begin = (): void => {
    timers = afterMs.map((millis, at) => setTimeout(() => (at === afterMs.length - 1 ? end() : run()), millis));
  };
  const end = (): void => {
    run();
    timers = [];
    if (isAsked) begin();
    isAsked = false;
  };
  return {
    ask() {
      if (timers.length === 0) begin();
      else isAsked = true;
    },
    stop() {
      for (const timer of timers) clearTimeout(timer);
      [timers, isAsked] = [[], false];
    },
  };
}
