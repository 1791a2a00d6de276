import { useSyncExternalStore } from 'react';

/** A clock as components read it: the time in ms, read again as often as given. */
type UseClock = (everyMs: number) => number;

interface Reading {
  readonly subscribe: (listener: () => void) => () => void;
  readonly now: () => number;
}

/** What is read as often as another is read with it: two countdowns of a page never differ by a second. */
function readingOf(clock: () => number, everyMs: number): Reading {
  const listeners = new Set<() => void>();
  let timer: ReturnType<typeof setInterval> | undefined;
  let now = clock();
  const tick = (): void => {
    now = clock();
    for (const listener of listeners) listener();
  };
  return {
    subscribe: (listener) => {
      listeners.add(listener);
      timer ??= setInterval(tick, everyMs);
      return () => {
        listeners.delete(listener);
        if (listeners.size > 0) return;
        clearInterval(timer);
        timer = undefined;
      };
    },
    now: () => {
      // While nobody listens no timer keeps it up to date. A rendering reads it more than once and must find the same.
      if (timer === undefined && Math.abs(clock() - now) >= everyMs) now = clock();
      return now;
    },
  };
}

export function clockHook(clock: () => number): UseClock {
  const readings = new Map<number, Reading>();
  return (everyMs) => {
    const reading = readings.get(everyMs) ?? readingOf(clock, everyMs);
    readings.set(everyMs, reading);
    return useSyncExternalStore(reading.subscribe, reading.now);
  };
}

/** The clock of the device; what the exchange does goes by `useServerNow`. */
export const useNow = clockHook(() => Date.now());
