/**
 * Tickets by which the signing page, which knows no session, acts for the account whose session was given one, at whichever process it reaches. They are rows, as
 * hashes; how many were given is counted apart, because a used one is not given back.
 */
import { ApiError, type Principal, type WalletTicketUse } from '@orrery/api';
import { type AccountId, accountId } from '@orrery/units';
import type { Kysely, Selectable } from 'kysely';
import { hashToken, newToken } from './opaque-token.ts';
import type { AccountsTables } from './tables.ts';
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
}

export class WalletTickets {
  readonly #db: Kysely<AccountsTables>;
  readonly #now: () => number;
  readonly #tries: WalletTries;

  constructor(parts: { db: Kysely<AccountsTables>; tries: WalletTries; now: () => number }) {
    this.#db = parts.db;
    this.#tries = parts.tries;
    this.#now = parts.now;
  }

  /** @throws ApiError TooManyRequests. */
  async issue({ account, credential }: Pick<Principal, 'account' | 'credential'>, use: WalletTicketUse): Promise<string> {
    const now = this.#now();
    await this.#tries.take(account, use, TICKETS[use]);
    await this.#db
      .deleteFrom('accounts_wallet_ticket')
      .where('issued_at', '<=', now - TICKET_LIFE_MS)
      .execute();
    const ticket = newToken();
    await this.#db
      .insertInto('accounts_wallet_ticket')
      .values({ hash: hashToken(ticket), account, credential, use, issued_at: now })
      .execute();
    return ticket;
  }

  /** The ticket stays good. @throws ApiError InvalidNonce when it is unknown, used, too old or for something else. */
  async look(ticket: string, uses: readonly WalletTicketUse[]): Promise<WalletTicket> {
    const row = await this.#db
      .selectFrom('accounts_wallet_ticket')
      .selectAll()
      .where('hash', '=', hashToken(ticket))
      .where('issued_at', '>', this.#now() - TICKET_LIFE_MS)
      .where('use', 'in', uses)
      .executeTakeFirst();
    return found(row);
  }

  /** Of many who try at once, in any processes, one gets it. @throws as `look`. */
  async take(ticket: string, uses: readonly WalletTicketUse[]): Promise<WalletTicket> {
    const row = await this.#db
      .deleteFrom('accounts_wallet_ticket')
      .where('hash', '=', hashToken(ticket))
      .where('issued_at', '>', this.#now() - TICKET_LIFE_MS)
      .where('use', 'in', uses)
      .returningAll()
      .executeTakeFirst();
    return found(row);
  }
}

function found(row: Selectable<AccountsTables['accounts_wallet_ticket']> | undefined): WalletTicket {
  if (row === undefined) throw new ApiError('InvalidNonce');
  return { account: accountId(row.account), credential: row.credential, use: row.use };
}
