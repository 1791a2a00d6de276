/** How often what an account has in contracts is read again, beside what its stream says of it. Pure. */
import type { MarginAccount } from '@orrery/api';
import type { FeedStatus } from '../../data/streams/streams.ts';

/** Without the stream. */
const ALONE_MS = 2_000;
/** Figures of margin move with the mark prices, of which the stream of the account says nothing. */
const MARKED_MS = 5_000;
const FOLLOWED_MS = 15_000;

export interface Following {
  /** The stream of the account has sent all that there is. */
  readonly isReady: boolean;
  readonly phase: FeedStatus['phase'] | undefined;
}

export const isFollowed = ({ isReady, phase }: Following): boolean => isReady && phase === 'live';

/** Of what changes only when something happens to the account. */
export const pollMsOf = (following: Following): number => (isFollowed(following) ? FOLLOWED_MS : ALONE_MS);

/** Of what moves with the mark prices too, while a position is open. */
export function markedPollMsOf(
  following: Following,
  accounts: readonly Pick<MarginAccount, 'maintenanceMargin' | 'isolatedMargin'>[],
): number {
  if (!isFollowed(following)) return ALONE_MS;
  const isHeld = accounts.some((one) => Number(one.maintenanceMargin ?? 1) > 0 || Number(one.isolatedMargin) > 0);
  return isHeld ? MARKED_MS : FOLLOWED_MS;
}
