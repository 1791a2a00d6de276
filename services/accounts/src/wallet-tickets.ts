/** Tickets by which the signing page, which knows no session, acts for the account whose session was given one. In memory: they are short. */
import { ApiError, type Principal, type WalletTicketUse } from '@orrery/api';
import type { AccountId } from '@orrery/units';
import { hashToken, newToken } from './opaque-token.ts';

/** A person chooses a passphrase meanwhile. */
export const TICKET_LIFE_MS = 10 * 60_000;
/** Of one account; recoveries are few, because each gives out what a passphrase is guessed with. */
export const TICKETS = {
  create: { most: 10, perMs: 3_600_000 },
  sign: { most: 10, perMs: 60_000 },
  recover: { most: 5, perMs: 24 * 3_600_000 },
  export: { most: 5, perMs: 24 * 3_600_000 },
} as const satisfies Record<WalletTicketUse, { most: number; perMs: number }>;
const LONGEST_MS = 24 * 3_600_000;

export interface WalletTicket {
  readonly account: AccountId;
  /** Of the session that was given it. */
  readonly credential: string;
  readonly use: WalletTicketUse;
  readonly issuedAt: number;
}

export class WalletTickets {
  readonly #now: () => number;
  readonly #tickets = new Map<string, WalletTicket>();
  /** Every ticket of the longest period, to count them by. */
  #issued: readonly WalletTicket[] = [];

  constructor(now: () => number) {
    this.#now = now;
  }

  /** @throws ApiError TooManyRequests. */
  issue({ account, credential }: Pick<Principal, 'account' | 'credential'>, use: WalletTicketUse): string {
    const now = this.#now();
    const { most, perMs } = TICKETS[use];
    this.#issued = this.#issued.filter(({ issuedAt }) => issuedAt > now - LONGEST_MS);
    const lately = this.#issued.filter((one) => one.account === account && one.use === use && one.issuedAt > now - perMs);
    const oldest = lately.at(-most);
    if (oldest !== undefined)
      throw new ApiError('TooManyRequests', { retryAfterSeconds: Math.ceil((oldest.issuedAt + perMs - now) / 1_000) });
    for (const [hash, { issuedAt }] of this.#tickets) if (issuedAt <= now - TICKET_LIFE_MS) this.#tickets.delete(hash);
    const ticket = newToken();
    const issued = { account, credential, use, issuedAt: now };
    this.#issued = [...this.#issued, issued];
    this.#tickets.set(hashToken(ticket), issued);
    return ticket;
  }

  /** The ticket stays good. @throws ApiError InvalidNonce when it is unknown, used, too old or for something else. */
  look(ticket: string, uses: readonly WalletTicketUse[]): WalletTicket {
    const found = this.#tickets.get(hashToken(ticket));
    if (found === undefined || found.issuedAt <= this.#now() - TICKET_LIFE_MS || !uses.includes(found.use))
      throw new ApiError('InvalidNonce');
    return found;
  }

  /** Of many who try at once, one gets it. @throws as `look`. */
  take(ticket: string, uses: readonly WalletTicketUse[]): WalletTicket {
    const found = this.look(ticket, uses);
    this.#tickets.delete(hashToken(ticket));
    return found;
  }
}
