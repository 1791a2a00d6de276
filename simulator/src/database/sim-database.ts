/**
 * A database under the simulator's clock: the production SQL, carried out by the SQLite that comes with Node, in memory, and the ways in
 * which a database server fails: it is away, it says that a commit failed, it says so of one that succeeded, it forgets the last commits.
 */
import {
  CompiledQuery,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type DatabaseConnection,
  type Driver,
  type QueryResult,
} from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Chance } from '../chance.ts';
import type { Life } from '../life.ts';
import { openSqlite, type Sqlite } from './sqlite.ts';

export class DatabaseLost extends Error {
  override readonly name = 'DatabaseLost';
}

export class SimDatabase {
  readonly #sqlite: Sqlite;
  readonly #chance: Chance;
  readonly #waiting: (() => void)[] = [];
  #isTaken = false;
  #isInTransaction = false;
  /** Wait for the end of the open transaction: uncommitted rows must not survive a crash. */
  readonly #betweenTransactions: (() => void)[] = [];
  /** Counts losses: a connection from before one is broken. */
  #losses = 0;
  isDown = false;
  /** The next commit fails, or succeeds and says that it failed. */
  nextCommit: 'fails' | 'isDoneAndFails' | undefined;
  /** A planted fault: now and then written bills are not there. */
  losesBills = false;

  private constructor(sqlite: Sqlite, chance: Chance) {
    this.#sqlite = sqlite;
    this.#chance = chance;
  }

  /** With the tables of these migrations. */
  static async open(migrations: readonly Readonly<Record<string, Migration>>[], chance: Chance): Promise<SimDatabase> {
    const database = new SimDatabase(openSqlite(), chance);
    const immediate: Driver = database.#driver(undefined);
    const sql = kyselyOn(immediate);
    for (const each of migrations) for (const migration of Object.values(each)) await migration.up(sql);
    return database;
  }

  /** As the program of this life sees it. Without one every query is done at once, and nothing fails. */
  connect<Tables>(life: Life | undefined): Kysely<Tables> {
    return kyselyOn<Tables>(this.#driver(life));
  }

  /** Every connection breaks: what was not committed is undone. */
  lose(): void {
    this.#losses += 1;
    if (this.#isInTransaction) this.#sqlite.run('rollback', []);
    this.#endTransaction();
    this.#isTaken = false;
    for (const wake of this.#waiting.splice(0)) wake();
  }

  /** What is committed now, or with the end of the transaction under way, to go back to when the server dies before it was synced. */
  remember(): () => void {
    let restore: (() => void) | undefined;
    const copy = (): void => {
      restore = this.#sqlite.copy();
    };
    if (this.#isInTransaction) this.#betweenTransactions.push(copy);
    else copy();
    return () => {
      this.lose();
      restore?.();
    };
  }

  /** Every row of every table, each table in an order of its own. */
  everything(): Readonly<Record<string, readonly string[]>> {
    return Object.fromEntries(
      this.#sqlite.tables().map((table) => [
        table,
        this.#sqlite
          .run(`select * from ${table}`, [])
          .rows.map((row) => JSON.stringify(row))
          .sort(),
      ]),
    );
  }

  #endTransaction(): void {
    this.#isInTransaction = false;
    for (const copy of this.#betweenTransactions.splice(0)) copy();
  }

  #driver(life: Life | undefined): Driver {
    const connections = new WeakMap<DatabaseConnection, Session>();
    const sessionOf = (connection: DatabaseConnection): Session => {
      const session = connections.get(connection);
      if (session === undefined) throw new Error('a connection of another database');
      return session;
    };
    const execute = (connection: DatabaseConnection, text: string): Promise<unknown> => connection.executeQuery(CompiledQuery.raw(text));
    return {
      init: async () => undefined,
      destroy: async () => undefined,
      acquireConnection: async () => {
        const session = await this.#take(life);
        const connection: DatabaseConnection = {
          executeQuery: <Row>(query: CompiledQuery) => this.#execute<Row>(session, query),
          streamQuery: () => {
            throw new Error('nothing is streamed');
          },
        };
        connections.set(connection, session);
        return connection;
      },
      beginTransaction: async (connection) => void (await execute(connection, 'begin')),
      commitTransaction: async (connection) => void (await execute(connection, 'commit')),
      rollbackTransaction: async (connection) => {
        if (this.#isInTransaction && sessionOf(connection).losses === this.#losses) await execute(connection, 'rollback');
      },
      releaseConnection: async (connection) => this.#release(sessionOf(connection)),
    };
  }

  async #take(life: Life | undefined): Promise<Session> {
    while (this.#isTaken) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    if (life?.isAlive === false) {
      this.#waiting.shift()?.();
      return new Promise(() => undefined);
    }
    this.#isTaken = true;
    return { life, losses: this.#losses };
  }

  #release({ losses }: Session): void {
    if (losses !== this.#losses) return;
    this.#isTaken = false;
    this.#waiting.shift()?.();
  }

  async #execute<Row>({ life, losses }: Session, { sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    if (life !== undefined) {
      await life.sleep(this.#chance.magnitude(0.2, 3));
      if (this.isDown || losses !== this.#losses) throw new DatabaseLost('the database is away');
    }
    if (sql === 'commit' && life !== undefined) this.#commitFault();
    if (this.losesBills && sql.startsWith('insert into "projector_bill"') && this.#chance.oneIn(20)) return { rows: [] };
    if (sql === 'begin') this.#isInTransaction = true;
    const { rows, changes } = this.#sqlite.run(sql, parameters);
    if (sql === 'commit' || sql === 'rollback') this.#endTransaction();
    return { rows: rows as Row[], numAffectedRows: BigInt(changes) };
  }

  #commitFault(): void {
    const fault = this.nextCommit;
    if (fault === undefined) return;
    this.nextCommit = undefined;
    this.#sqlite.run(fault === 'fails' ? 'rollback' : 'commit', []);
    this.#endTransaction();
    this.lose();
    throw new DatabaseLost('the connection broke while the database committed');
  }
}

interface Session {
  readonly life: Life | undefined;
  readonly losses: number;
}

const kyselyOn = <Tables>(driver: Driver): Kysely<Tables> =>
  new Kysely<Tables>({
    dialect: {
      createDriver: () => driver,
      createAdapter: () => new PostgresAdapter(),
      createQueryCompiler: () => new PostgresQueryCompiler(),
      createIntrospector: (db) => new PostgresIntrospector(db),
    },
  });
