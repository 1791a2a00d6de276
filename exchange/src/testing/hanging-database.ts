/** For tests: a real PostgreSQL behind a door that can hang: it accepts connections and what they send, and never answers. */
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Migration } from 'kysely/migration';
import type { Pool } from 'pg';
import { type Database, migrate, openDatabase } from '../database.ts';
import { startPostgres } from '../embedded/postgres/postgres.ts';

/** The name of the socket of a server at its usual port. */
const SOCKET = '.s.PGSQL.5432';
/** How long an answer is waited for; the program waits for 8 seconds. A busy machine answers in this time. */
const PATIENCE_MS = 3_000;

class Door {
  readonly #server: Server;
  readonly #open = new Set<Socket>();
  #hangs = false;

  constructor(behind: string) {
    this.#server = createServer((outside) => {
      this.#keep(outside);
      if (this.#hangs) return void outside.resume();
      const inside = this.#keep(connect(behind));
      outside.on('data', (bytes) => this.#pass(bytes, inside));
      inside.on('data', (bytes) => this.#pass(bytes, outside));
      outside.on('close', () => inside.destroy());
      inside.on('close', () => outside.destroy());
    });
  }

  async listen(path: string): Promise<void> {
    await new Promise<void>((resolve) => void this.#server.listen(path, resolve));
  }

  hang(): void {
    this.#hangs = true;
  }

  /** Connections that hung are cut: what was asked on them is lost. */
  answer(): void {
    this.#hangs = false;
    for (const socket of this.#open) socket.destroy();
  }

  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => void this.#server.close(() => resolve()));
    for (const socket of this.#open) socket.destroy();
    await closed;
  }

  #pass(bytes: Buffer, to: Socket): void {
    if (!this.#hangs) to.write(bytes);
  }

  #keep(socket: Socket): Socket {
    this.#open.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => this.#open.delete(socket));
    return socket;
  }
}

/** What one writer has: connections of its own to the same tables. */
export interface HangingDatabase<Tables> extends Database<Tables> {
  /** How often a connection was asked for: each time may be a wait of the whole patience. */
  readonly asked: () => number;
}

export interface HangingServer {
  open<Tables>(): Promise<HangingDatabase<Tables>>;
  hang(): void;
  answer(): void;
  /** After the databases that were opened. */
  close(): Promise<void>;
}

export async function hangingServer(migrations: Readonly<Record<string, Migration>>): Promise<HangingServer> {
  const directory = await mkdtemp(join(tmpdir(), 'orrery-hanging-'));
  const server = await startPostgres({ directory: join(directory, 'postgres') });
  const door = new Door(join(server.connection.host, SOCKET));
  await door.listen(join(directory, SOCKET));
  const first = await openDatabase(server.connection, { connections: 2 });
  await migrate(first, migrations);
  await first.close();
  return {
    async open<Tables>() {
      const address = { ...server.connection, host: directory };
      const database = await openDatabase<Tables>(address, { connections: 10, patienceMs: PATIENCE_MS });
      return { ...database, asked: countsConnections(database.counts as Pool) };
    },
    hang: () => door.hang(),
    answer: () => door.answer(),
    async close() {
      await door.close();
      await server.stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

function countsConnections(pool: Pool): () => number {
  let asked = 0;
  const connect = pool.connect.bind(pool) as (...call: unknown[]) => unknown;
  pool.connect = ((...call: unknown[]) => {
    asked += 1;
    return connect(...call);
  }) as typeof pool.connect;
  return () => asked;
}
