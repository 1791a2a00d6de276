/** The recorded snapshots of the account, and what it traded and paid meanwhile. */
import type { CallData } from '@orrery/api';
import { ask } from '../../platform/data/calls.ts';
import { useData, useReading } from '../../platform/data/use-data.ts';
import type { Snapshot } from './performance.ts';
import { type Loaded } from '../../kit/ui/loaded.ts';

export const ranges = ['1d', '7d', '30d', '90d'] as const;
export type Range = (typeof ranges)[number];
export const scopes = ['all', 'spot', 'futures'] as const;
export type Scope = (typeof scopes)[number];
export type Summary = CallData['portfolioSummary'];

/** A snapshot is recorded once an hour; what happens to the account is read at once: see `useFreshPortfolio`. */
const POLL_MS = 60_000;

/** Recorded at full hours or days, and the account as it is now at the end. */
export function useHistory(range: Range, scope: Scope): Loaded<readonly Snapshot[]> {
  return useReading({
    key: ['portfolioHistory', range, scope],
    load: async (): Promise<readonly Snapshot[]> => {
      const { points, latest } = await ask('portfolioHistory', { query: { range, scope } });
      return latest === null || latest.time <= (points.at(-1)?.time ?? 0) ? points : [...points, latest];
    },
    of: 'account',
    pollMs: POLL_MS,
  });
}

export function useSummary(range: Range, scope: Scope): Summary | undefined {
  return useData({ name: 'portfolioSummary', input: { query: { range, scope } }, of: 'account', pollMs: POLL_MS }).value;
}
