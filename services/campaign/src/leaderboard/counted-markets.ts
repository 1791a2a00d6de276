/** Which markets count for rewards: the one place where trades are left out for what they are in, no matter who trades. */
import type { AccountDirectory } from '@orrery/foundation';
import type { MarketId } from '@orrery/units';

/** Everybody may have it for nothing, and it cannot be paid out: contracts settled in it are for practice. */
const PRACTICE = 'PRACTICE';

/** Whether trades in a market count on boards and for clusters. */
export function isCounted(market: MarketId, members: Pick<AccountDirectory, 'contract' | 'asset'>): boolean {
  const contract = members.contract(market);
  return contract === undefined || contract.settle !== members.asset(PRACTICE)?.asset;
}
