/** What a typed address is to a withdrawal. The exchange decides; the form says it before anything is signed. */
import type { WithdrawAddress } from '@orrery/api';

export type AddressStatus =
  | { readonly name: 'usable'; readonly userId: string | null }
  | { readonly name: 'waiting'; readonly leftMs: number }
  | { readonly name: 'unknown' };

interface Typed {
  /** A whole address. */
  readonly to: string;
  readonly own: string;
  readonly book: readonly WithdrawAddress[];
  /** Unix milliseconds. */
  readonly now: number;
}

export function statusOf({ to, own, book, now }: Typed): AddressStatus {
  const address = to.toLowerCase();
  // The own wallet needs no entry.
  if (address === own.toLowerCase()) return { name: 'usable', userId: null };
  const entry = book.find((each) => each.address.toLowerCase() === address);
  if (entry === undefined) return { name: 'unknown' };
  const leftMs = entry.usableTime - now;
  return leftMs > 0 ? { name: 'waiting', leftMs } : { name: 'usable', userId: entry.userId };
}
