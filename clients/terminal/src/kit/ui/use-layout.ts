/** Which arrangement of panels the window has room for. */
import { useSyncExternalStore } from 'react';

/**
 * `vast` has a column for the markets too and the depth beside the tables; `grand` has a column for the tape; `wide` and `medium` show book and tape as tabs of one column beside the ticket;
 * `narrow` has the ticket in a drawer; `phone` shows one panel at a time.
 */
export type LayoutName = 'vast' | 'grand' | 'wide' | 'medium' | 'narrow' | 'phone';

const LEAST_WIDTHS = [
  ['vast', 2200],
  ['grand', 1680],
  ['wide', 1280],
  ['medium', 1024],
  ['narrow', 760],
] as const satisfies readonly (readonly [LayoutName, number])[];

const queries = LEAST_WIDTHS.map(([name, width]) => ({ name, media: matchMedia(`(min-width: ${width}px)`) }));

function subscribe(listener: () => void): () => void {
  for (const { media } of queries) media.addEventListener('change', listener);
  return () => {
    for (const { media } of queries) media.removeEventListener('change', listener);
  };
}

const current = (): LayoutName => queries.find(({ media }) => media.matches)?.name ?? 'phone';

export const useLayout = (): LayoutName => useSyncExternalStore(subscribe, current);
