/** Subscriptions of a fund that are paused, which a capacity of 0 is, and that are opened again. */
import type { FundRow } from './tables.ts';

export type Paused = Pick<FundRow, 'capacity' | 'open_capacity' | 'paused_at' | 'reopened_at'>;

export const neverPaused = (capacity: string): Paused => ({ capacity, open_capacity: capacity, paused_at: null, reopened_at: 0 });

/** Once the capacity is another one. */
export function pauseAfter(before: Paused, { capacity, at }: { readonly capacity: string; readonly at: number }): Paused {
  if (capacity === '0') return { ...before, capacity, paused_at: before.paused_at ?? at };
  return { ...neverPaused(capacity), reopened_at: before.paused_at === null ? before.reopened_at : at };
}
