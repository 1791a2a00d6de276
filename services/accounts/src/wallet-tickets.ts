/**
 * Tickets by which the signing page, which knows no session, acts for the account whose session was given one. They are in memory, because they are short; how
 * many were given is in SQL, because a restart gives none back.
 */
import { ApiError, type Principal, type WalletTicketUse } from '@orrery/api';
import type { AccountId } from '@orrery/units';
import { hashToken, newToken } from './opaque-token.ts';
import type { WalletTries } from './wallet-tries.ts';

/** A person chooses a passphrase meanwhile. */
export const TICKET_LIFE_MS = 10 * 60_000;
/** Of one account; recoveries are few, because each lets a passphrase be tried. */
export const TICKETS = {
  create: { most: 10, perMs: 3_600_000 },
  sign: { most: 10, perMs: 60_000 },
  recover: { most: 5, perMs: 24 * 3_600_000 },
  export: { most: 5, perMs: 24 * 3_600_000 },
} as const satisfies Record<WalletTicketUse, { most: number; perMs: number }>;

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
  readonly #tries: WalletTries;

  constructor(parts: { tries: WalletTries; now: () => number }) {
    this.#tries = parts.tries;
    this.#now = parts.now;
  }

  /** @throws ApiError TooManyRequests. */
  async issue({ account, credential }: Pick<Principal, 'account' | 'credential'>, use: WalletTicketUse): Promise<string> {
    const now = this.#now();
    await this.#tries.take(account, use, TICKETS[use]);
    for (const [hash, { issuedAt }] of this.#tickets) if (issuedAt <= now - TICKET_LIFE_MS) this.#tickets.delete(hash);
    const ticket = newToken();
    const issued = { account, credential, use, issuedAt: now };
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
