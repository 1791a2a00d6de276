/** Connections to the PostgreSQL that takes writes: one appends, one does everything else and notices when the server is gone. */
import { Socket } from 'node:net';
import { Client, DatabaseError, type QueryResult, type QueryResultRow } from 'pg';
import { StoreLost } from '@orrery/sequencer';

const CONNECT_MS = 2_000;
/** For what is answered at once by a server that lives. An append may wait for a standby, without a limit. */
const ANSWER_MS = 5_000;

export const WRITER_NAME = 'orrery journal writer';
const OTHER_NAME = 'orrery journal';

/** Classes of SQLSTATE in which the server is going, is not there yet, or takes no writes any more. */
const GOING = /^(08|57P|53300|25006)/;

/** Classes of SQLSTATE of a warning: its word is in the language of the server. */
const WARNING = /^(01|57)/;

/** Whether the same can be asked again of the next connection: what was asked may have happened. */
export const isLost = (cause: unknown): boolean =>
  cause instanceof StoreLost || !(cause instanceof DatabaseError) || GOING.test(cause.code ?? '');

export class Connection {
  readonly #client: Client;
  readonly #socket: Socket;
  /** The server warned: a commit may not have waited for the standby. */
  hasWarned = false;
  isBroken = false;

  private constructor(client: Client, socket: Socket) {
    this.#client = client;
    this.#socket = socket;
    client.on('error', () => this.destroy());
    client.on('end', () => {
      this.isBroken = true;
    });
    client.on('notice', ({ code = '' }) => {
      if (WARNING.test(code)) this.hasWarned = true;
    });
  }

  static async open(url: string, name: string): Promise<Connection> {
    const socket = new Socket();
    // Without a listener an error before the client listens would end the program.
    socket.on('error', () => undefined);
    const client = new Client({
      connectionString: url,
      application_name: name,
      connectionTimeoutMillis: CONNECT_MS,
      keepAlive: true,
      stream: () => socket,
      // What is asked for is sent at once, and answered in order, each in a transaction of its own.
      pipeline: true,
    });
    const connection = new Connection(client, socket);
    try {
      await client.connect();
      return connection;
    } catch (cause) {
      connection.destroy();
      throw cause;
    }
  }

  /** Waits for the answer without a limit; rejects when the connection breaks. */
  async query<Row extends QueryResultRow>(text: string, values: readonly unknown[] = []): Promise<QueryResult<Row>> {
    if (this.isBroken) throw new StoreLost('the connection is broken');
    return this.#client.query<Row>(text, [...values]);
  }

  /** As `query`, of a statement that is asked often: the server reads and plans it once a connection. */
  async queryPrepared<Row extends QueryResultRow>(name: string, text: string, values: readonly unknown[]): Promise<QueryResult<Row>> {
    if (this.isBroken) throw new StoreLost('the connection is broken');
    return this.#client.query<Row>({ name, text, values: [...values] });
  }

  /** Breaks the connection when there is no answer in time. */
  async ask<Row extends QueryResultRow>(text: string, values: readonly unknown[] = []): Promise<QueryResult<Row>> {
    const late = setTimeout(() => this.destroy(), ANSWER_MS);
    try {
      return await this.query<Row>(text, values);
    } finally {
      clearTimeout(late);
    }
  }

  onNotification(ring: () => void): void {
    this.#client.on('notification', ring);
  }

  /** What waits for an answer is rejected. */
  destroy(): void {
    this.isBroken = true;
    this.#socket.destroy();
  }
}

/** Both connections to one server: when it is gone for one, it is for the other. */
export interface Session {
  readonly writer: Connection;
  readonly other: Connection;
}

/** @returns the first of the servers that takes writes. @throws StoreLost when none does */
export async function openSession(urls: readonly string[], onNotification: () => void): Promise<Session> {
  const reasons: string[] = [];
  for (const url of urls) {
    try {
      return await sessionAt(url, onNotification);
    } catch (cause) {
      if (!isLost(cause) && !(cause instanceof DatabaseError)) throw cause;
      reasons.push(cause instanceof Error ? cause.message : String(cause));
    }
  }
  throw new StoreLost(`no server takes writes: ${reasons.join('; ')}`);
}

async function sessionAt(url: string, onNotification: () => void): Promise<Session> {
  const writer = await Connection.open(url, WRITER_NAME);
  try {
    const { rows } = await writer.ask<{ readonly reads: boolean }>(
      `select pg_is_in_recovery() or current_setting('transaction_read_only')::boolean as reads`,
    );
    if (rows[0]?.reads !== false) throw new StoreLost('it is a standby');
    // Whatever the role or the database say.
    await writer.ask(
      `select set_config('synchronous_commit', case current_setting('synchronous_commit') when 'remote_apply' then 'remote_apply' else 'on' end, false),
        set_config('client_min_messages', 'warning', false)`,
    );
    const other = await Connection.open(url, OTHER_NAME);
    other.onNotification(onNotification);
    await other.ask(`set synchronous_commit = off`);
    await other.ask(`listen orrery_journal`);
    return { writer, other };
  } catch (cause) {
    writer.destroy();
    throw cause;
  }
}
