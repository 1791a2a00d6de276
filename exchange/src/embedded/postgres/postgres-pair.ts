/** A primary with one synchronous standby on this machine: what is committed is on both. For tests and benchmarks of what happens when one of them is lost. */
import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { type RunningPostgres, startPostgres } from './postgres.ts';

const run = promisify(execFile);
const STANDBY_MS = 30_000;
const POLL_MS = 20;

type Name = 'primary' | 'standby';

export class PostgresPair {
  readonly #directory: string;
  readonly #servers: Record<Name, RunningPostgres>;

  private constructor(directory: string, servers: Record<Name, RunningPostgres>) {
    this.#directory = directory;
    this.#servers = servers;
  }

  /** Resolves when the standby confirms what the primary commits. */
  static async start(): Promise<PostgresPair> {
    const directory = await mkdtemp(join(tmpdir(), 'orrery-pair-'));
    // The standby reaches the socket in the folder of the primary under the server's user.
    await chmod(directory, 0o711);
    const [first, second] = [join(directory, 'primary'), join(directory, 'standby')];
    await (await startPostgres({ directory: first })).stop();
    await makeStandby(first, second);
    await chmod(first, 0o711);
    const primary = await startPostgres({ directory: first, settings: ['synchronous_standby_names=ANY 1 (*)', 'wal_keep_size=256MB'] });
    const source = `primary_conninfo=host=${join(first, 'cluster')} user=${primary.connection.user} application_name=standby`;
    const standby = await startPostgres({ directory: second, settings: [source] }).catch(async (error: unknown) => {
      await primary.stop();
      throw error;
    });
    const pair = new PostgresPair(directory, { primary, standby });
    await pair.#streams().catch(async (error: unknown) => {
      await pair.stop();
      throw error;
    });
    return pair;
  }

  /** For any process of this machine. */
  url(name: Name): string {
    const { host, user, database } = this.#servers[name].connection;
    return `postgres://${user}@/${database}?host=${encodeURIComponent(host)}`;
  }

  /** By kill -9; nothing starts it again. */
  async kill(name: Name): Promise<void> {
    const server = this.#servers[name];
    process.kill(server.pid(), 'SIGKILL');
    await server.stop();
  }

  /** The standby takes writes from then on, and waits for no other server. */
  async promote(): Promise<void> {
    await this.#ask('standby', `select pg_promote()`);
  }

  async stop(): Promise<void> {
    // The standby last: the primary waits for it when it stops.
    await this.#servers.primary.stop();
    await this.#servers.standby.stop();
    await rm(this.#directory, { recursive: true, force: true });
  }

  async #streams(): Promise<void> {
    const deadline = performance.now() + STANDBY_MS;
    const streaming = `select from pg_stat_replication where sync_state = 'quorum' and state = 'streaming'`;
    while ((await this.#ask('primary', streaming)) === 0) {
      if (performance.now() > deadline) throw new Error(`the standby does not follow within ${STANDBY_MS} ms`);
      await pause(POLL_MS);
    }
  }

  async #ask(name: Name, text: string): Promise<number> {
    const client = new Client({ connectionString: this.url(name) });
    await client.connect();
    try {
      return (await client.query(text)).rowCount ?? 0;
    } finally {
      await client.end();
    }
  }
}

/** A copy of a cluster that stands still, which goes on by what the other writes. */
async function makeStandby(from: string, to: string): Promise<void> {
  await mkdir(to, { mode: 0o711 });
  const target = join(to, 'cluster');
  await run('cp', ['-a', join(from, 'cluster'), target]);
  await writeFile(join(target, 'standby.signal'), '');
}
