/** One-time tickets of processes that share a database: a ticket that one has given opens a stream at any, once. In SQL as hashes. */
import { hash } from 'node:crypto';
import { TICKET_LIFE_MS, type Principal } from '@orrery/api';
import { accountId } from '@orrery/units';
import type { Kysely } from 'kysely';
import type { GatewayTables } from '../limits/tables.ts';
import type { Authenticator } from '../ports.ts';
import { newTicket, type Tickets } from './tickets.ts';

export interface SharedParts {
  readonly db: Kysely<GatewayTables>;
  readonly authenticator: Authenticator;
  readonly now: () => number;
}

export class SharedTickets implements Tickets {
  readonly #parts: SharedParts;

  constructor(parts: SharedParts) {
    this.#parts = parts;
  }

  async issue({ account, via, credential, permission }: Principal): Promise<string> {
    const { db, now } = this.#parts;
    const token = newTicket();
    const expiresAt = now() + TICKET_LIFE_MS;
    await db
      .insertInto('gateway_ticket')
      .values({ hash: hashOf(token), account, via, credential, permission, expires_at: expiresAt })
      .execute();
    return token;
  }

  /** Taken out whatever comes of it: of several at once, one gets it. */
  async use(token: string): Promise<Principal | undefined> {
    const { db, authenticator, now } = this.#parts;
    const row = await db.deleteFrom('gateway_ticket').where('hash', '=', hashOf(token)).returningAll().executeTakeFirst();
    if (row === undefined || row.expires_at <= now()) return undefined;
    const { permission } = row;
    const holder = await holderOf(row, authenticator);
    return holder !== undefined && permission === 'READ' ? { ...holder, permission, moneyRights: [] } : holder;
  }

  /** Whose session or key is over is found out at the use. */
  revoke(): void {}
}

export const hashOf = (token: string): string => hash('sha256', token, 'hex');

/** Who that is by now, in whichever process the session was opened. */
export async function holderOf(
  { account, via, credential }: { readonly account: number; readonly via: Principal['via']; readonly credential: string },
  authenticator: Authenticator,
): Promise<Principal | undefined> {
  const found = await authenticator.holder?.({ account: accountId(account), via, credential });
  return typeof found === 'string' ? undefined : found;
}
