/** How far one is from the next rank above. */
import { subtractDecimals } from '../../kit/format/decimal.ts';
import type { Page } from '../../kit/ui/pager.tsx';

export const PODIUM = 3;
const PAGE_SIZE = 10;

/** The page of the ranking on which a rank stands; ranks count from 1. */
export const pageOfRank = (rank: number): Page => ({ page: Math.floor((rank - 1) / PAGE_SIZE) + 1, pageSize: PAGE_SIZE });

export interface Place {
  readonly rank: number;
  /** Decimal text. */
  readonly value: string;
}

/** What is missing to the value of the rank above, and which rank that is; nothing for the first and while the rank above is not known. */
export function gapAbove(own: Place, ranking: readonly Place[]): { readonly rank: number; readonly missing: string } | undefined {
  const above = ranking.find(({ rank }) => rank === own.rank - 1);
  if (above === undefined) return undefined;
  const missing = subtractDecimals(above.value, own.value);
  // The two were read at different moments: who has passed the one above is level with it until the ranks are read again.
  return { rank: above.rank, missing: missing.startsWith('-') ? '0' : missing };
}
