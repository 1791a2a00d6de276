/** How often what an account has in contracts is read again: by itself, and when its stream or a call says that it changed. Pure. */
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

/** Positions are moved to the mark prices of the stream; what depends on several of them, as a liquidation price, is read again. */
export function positionsPollMsOf(following: Following, positions: readonly unknown[] | undefined): number {
  if (!isFollowed(following)) return ALONE_MS;
  return positions?.length === 0 ? FOLLOWED_MS : MARKED_MS;
}

/** Much happens at once: it is read again once. */
const GATHER_MS = 100;
/** What changes all the time is read this often. */
const READING_MS = 2_000;
/** Of one name, as many readings follow one another without a pause. */
const READINGS_AT_ONCE = 3;

interface Name {
  isWaiting: boolean;
  /** Each reading takes `READING_MS`: until when those so far last. */
  lasts: number;
}

/**
 * When what became old is read again. The exchange gives an account 20 readings a second, and the page of a contract has ten of them: an account
 * that trades without a pause, by a program or by one large order, must not spend them all on what changes again at once.
 */
export class Readings {
  readonly #names = new Map<string, Name>();

  /** How long to wait with reading what is old since `now`. Undefined when a reading is waiting: it is enough for this too. */
  due(key: string, now: number): number | undefined {
    const name = this.#names.get(key) ?? { isWaiting: false, lasts: 0 };
    this.#names.set(key, name);
    if (name.isWaiting) return undefined;
    const at = Math.max(now + GATHER_MS, name.lasts - (READINGS_AT_ONCE - 1) * READING_MS);
    name.isWaiting = true;
    name.lasts = Math.max(name.lasts, at) + READING_MS;
    return at - now;
  }

  /** It is read: what becomes old from here on is old again. */
  begin(key: string): void {
    const name = this.#names.get(key);
    if (name !== undefined) name.isWaiting = false;
  }
}
