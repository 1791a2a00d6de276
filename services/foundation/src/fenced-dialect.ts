/**
 * PostgreSQL for a program whose background work stands under leases: what is written under one is committed only while its term is the newest, compared in the
 * same transaction. So a process that was paused writes nothing after another took its place.
 */
import {
  CompiledQuery,
  type DatabaseConnection,
  type Driver,
  type QueryCompiler,
  type QueryResult,
  PostgresDialect,
  type TransactionSettings,
} from 'kysely';
import { currentHold, type Hold, LeaseLost } from './lease.ts';

/** A holder that is paused between the comparison and its commit keeps the row that the next one takes: the server ends it. */
const PAUSED_MS = 5_000;

export class FencedPostgresDialect extends PostgresDialect {
  override createDriver(): Driver {
    return new FencedDriver(super.createDriver());
  }
}

class FencedDriver implements Driver {
  readonly #inner: Driver;
  readonly #connections = new WeakMap<DatabaseConnection, FencedConnection>();

  constructor(inner: Driver) {
    this.#inner = inner;
  }

  init(): Promise<void> {
    return this.#inner.init();
  }

  async acquireConnection(): Promise<DatabaseConnection> {
    const inner = await this.#inner.acquireConnection();
    const connection = this.#connections.get(inner) ?? new FencedConnection(inner);
    this.#connections.set(inner, connection);
    return connection;
  }

  async beginTransaction(connection: DatabaseConnection, settings: TransactionSettings): Promise<void> {
    currentHold()?.check();
    await this.#inner.beginTransaction(innerOf(connection), settings);
    fencedOf(connection).isInTransaction = true;
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    const hold = currentHold();
    if (hold !== undefined) await compare(innerOf(connection), hold);
    fencedOf(connection).isInTransaction = false;
    await this.#inner.commitTransaction(innerOf(connection));
  }

  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    fencedOf(connection).isInTransaction = false;
    await this.#inner.rollbackTransaction(innerOf(connection));
  }

  async savepoint(connection: DatabaseConnection, name: string, compile: QueryCompiler['compileQuery']): Promise<void> {
    await this.#inner.savepoint?.(innerOf(connection), name, compile);
  }

  async rollbackToSavepoint(connection: DatabaseConnection, name: string, compile: QueryCompiler['compileQuery']): Promise<void> {
    await this.#inner.rollbackToSavepoint?.(innerOf(connection), name, compile);
  }

  async releaseSavepoint(connection: DatabaseConnection, name: string, compile: QueryCompiler['compileQuery']): Promise<void> {
    await this.#inner.releaseSavepoint?.(innerOf(connection), name, compile);
  }

  releaseConnection(connection: DatabaseConnection): Promise<void> {
    return this.#inner.releaseConnection(innerOf(connection));
  }

  destroy(): Promise<void> {
    return this.#inner.destroy();
  }
}

class FencedConnection implements DatabaseConnection {
  readonly inner: DatabaseConnection;
  isInTransaction = false;

  constructor(inner: DatabaseConnection) {
    this.inner = inner;
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    const hold = currentHold();
    hold?.check();
    if (hold?.holder === undefined || this.isInTransaction || isRead(query)) return this.inner.executeQuery<Row>(query);
    await this.inner.executeQuery(CompiledQuery.raw('begin'));
    try {
      const result = await this.inner.executeQuery<Row>(query);
      await compare(this.inner, hold);
      await this.inner.executeQuery(CompiledQuery.raw('commit'));
      return result;
    } catch (error) {
      // A connection that does not answer is discarded by the pool, and its transaction with it.
      await this.inner.executeQuery(CompiledQuery.raw('rollback')).catch(() => undefined);
      throw error;
    }
  }

  streamQuery<Row>(query: CompiledQuery, chunkSize: number): AsyncIterableIterator<QueryResult<Row>> {
    return this.inner.streamQuery<Row>(query, chunkSize);
  }
}

/** The last statement before the commit: the row is locked for a moment only. @throws LeaseLost */
async function compare(connection: DatabaseConnection, { kind, holder, term }: Hold): Promise<void> {
  if (holder === undefined) return;
  const { rows } = await connection.executeQuery(
    CompiledQuery.raw(
      `select set_config('idle_in_transaction_session_timeout', '${PAUSED_MS}', true)
      from foundation_lease where kind = $1 and holder = $2 and term = $3 for share`,
      [kind, holder, term],
    ),
  );
  if (rows.length === 0) throw new LeaseLost(kind);
}

/** A statement of plain text, or one with parts that may write, counts as a write. */
const isRead = ({ query, sql }: CompiledQuery): boolean =>
  query.kind === 'SelectQueryNode' ? query.with === undefined : /^\s*select\b/i.test(sql);

function fencedOf(connection: DatabaseConnection): FencedConnection {
  if (!(connection instanceof FencedConnection)) throw new Error('a connection of this driver is fenced');
  return connection;
}

const innerOf = (connection: DatabaseConnection): DatabaseConnection => fencedOf(connection).inner;
