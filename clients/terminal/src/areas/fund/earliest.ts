/** The first valuation that may execute a request. */
import type { FundDetail } from '@orrery/api';

/** @param now unix milliseconds @returns unix milliseconds */
export const earliestOf = ({ valuationMs, cutoffMs }: Pick<FundDetail, 'valuationMs' | 'cutoffMs'>, now: number): number =>
  Math.ceil((now + cutoffMs) / valuationMs) * valuationMs;
