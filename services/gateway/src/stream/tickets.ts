/** One-time tickets: how a private stream is opened without its token ever standing in an address. */
import { randomBytes } from 'node:crypto';
import { TICKET_LIFE_MS, type Principal } from '@orrery/api';

interface Ticket {
  readonly principal: Principal;
  readonly expiresAt: number;
}

const TICKET_BYTES = 24;

export interface Tickets {
  issue(principal: Principal): Promise<string>;
  /** @returns to whom it was given; undefined at the second use, after its time, and when the session or key it was given to is over */
  use(token: string): Promise<Principal | undefined>;
  /** A ticket is worth no more than the session or key that it was given to. */
  revoke(credential: string): void;
}

export const newTicket = (): string => randomBytes(TICKET_BYTES).toString('base64url');

/** Of a process that is alone. */
export class MemoryTickets implements Tickets {
  readonly #tickets = new Map<string, Ticket>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  async issue(principal: Principal): Promise<string> {
    this.#forgetExpired();
    const token = newTicket();
    this.#tickets.set(token, { principal, expiresAt: this.#now() + TICKET_LIFE_MS });
    return token;
  }

  async use(token: string): Promise<Principal | undefined> {
    const ticket = this.#tickets.get(token);
    this.#tickets.delete(token);
    return ticket !== undefined && ticket.expiresAt > this.#now() ? ticket.principal : undefined;
  }

  revoke(credential: string): void {
    for (const [token, { principal }] of this.#tickets) if (principal.credential === credential) this.#tickets.delete(token);
  }

  /** Tickets stand in the order in which they expire. */
  #forgetExpired(): void {
    const now = this.#now();
    for (const [token, { expiresAt }] of this.#tickets) {
      if (expiresAt > now) return;
      this.#tickets.delete(token);
    }
  }
}
