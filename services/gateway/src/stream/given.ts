/** Tickets and listen keys: in memory where this process is alone, else in the database that processes share. */
import type { GatewayTables } from '../limits/tables.ts';
import type { Kysely } from 'kysely';
import type { Authenticator } from '../ports.ts';
import type { MarkStore } from '../signing/shared-marks.ts';
import { type ListenKeys, MemoryListenKeys } from './listen-keys.ts';
import { SharedListenKeys } from './shared-listen-keys.ts';
import { SharedTickets } from './shared-tickets.ts';
import { MemoryTickets, type Tickets } from './tickets.ts';

/** What processes share that serve the same exchange. */
export interface SharedPlace {
  readonly db: Kysely<GatewayTables>;
  /** Of signed calls. */
  readonly marks: MarkStore;
  /** Of listen keys: the same in all of them, and not in the database. */
  readonly secret: Buffer;
}

export interface Given {
  readonly tickets: Tickets;
  readonly listenKeys: ListenKeys;
  close(): void;
}

const SWEEP_MS = 60_000;

/** @param parts.shared undefined: this process is alone */
export function openGiven(parts: { shared: SharedPlace | undefined; authenticator: Authenticator; now: () => number }): Given {
  const { shared, now } = parts;
  if (shared === undefined) return { tickets: new MemoryTickets(now), listenKeys: new MemoryListenKeys(now), close: () => undefined };
  const timer = setInterval(() => void sweepGiven(shared.db, now()), SWEEP_MS).unref();
  const rows = { ...shared, ...parts };
  return { tickets: new SharedTickets(rows), listenKeys: new SharedListenKeys(rows), close: () => clearInterval(timer) };
}

/** What is over by `now`; rows that stay because the database is away are deleted next time. */
export async function sweepGiven(db: Kysely<GatewayTables>, now: number): Promise<void> {
  try {
    for (const table of ['gateway_ticket', 'gateway_listen_key'] as const)
      await db.deleteFrom(table).where('expires_at', '<=', now).execute();
  } catch {
    return;
  }
}
