/** A primary with one synchronous standby on this machine: what is committed is on both. For tests and benchmarks of what happens when one of them is lost. */
import { execFile } from 'node:child_process';
import { chmod, chown, mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { DATABASE_USER } from './cluster.ts';
import { type RunningPostgres, startPostgres } from './postgres.ts';

const run = promisify(execFile);
const STANDBY_MS = 120_000;
const POLL_MS = 20;

/** What each was at the start. */
type Name = 'primary' | 'standby';

export interface PairOptions {
  /** The standby too acknowledges nothing without a second server, once it is promoted: then nothing is taken until the other one comes back. */
  readonly staysSynchronous?: boolean;
}

const SYNCHRONOUS = 'synchronous_standby_names=ANY 1 (*)';
const KEPT_WAL = 'wal_keep_size=256MB';

export class PostgresPair {
  readonly #directory: string;
  readonly #servers: Record<Name, RunningPostgres>;
  readonly #settings: Readonly<Record<Name, readonly string[]>>;

  private constructor(
    directory: string,
    { servers, settings }: { servers: Record<Name, RunningPostgres>; settings: Record<Name, readonly string[]> },
  ) {
    this.#directory = directory;
    this.#servers = servers;
    this.#settings = settings;
  }

  /** Resolves when the standby confirms what the primary commits. */
  static async start({ staysSynchronous = false }: PairOptions = {}): Promise<PostgresPair> {
    const directory = await mkdtemp(join(tmpdir(), 'orrery-pair-'));
    // The standby reaches the socket in the folder of the primary under the server's user.
    await chmod(directory, 0o711);
    const [first, second] = [join(directory, 'primary'), join(directory, 'standby')];
    await (await startPostgres({ directory: first })).stop();
    await makeStandby(first, second);
    await chmod(first, 0o711);
    await chmod(second, 0o711);
    const sourceOf = (other: string): string =>
      `primary_conninfo=host=${join(other, 'cluster')} user=${DATABASE_USER} application_name=standby`;
    const settings = {
      primary: [SYNCHRONOUS, KEPT_WAL, sourceOf(second)],
      standby: [...(staysSynchronous ? [SYNCHRONOUS, KEPT_WAL] : []), sourceOf(first)],
    };
    const primary = await startPostgres({ directory: first, settings: settings.primary });
    const standby = await startPostgres({ directory: second, settings: settings.standby }).catch(async (error: unknown) => {
      await primary.stop();
      throw error;
    });
    const pair = new PostgresPair(directory, { servers: { primary, standby }, settings });
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

  /** Of its socket, through all that happens to it. */
  socketOf(name: Name): string {
    return join(this.#directory, name, 'cluster', '.s.PGSQL.5432');
  }

  /** By kill -9; nothing starts it again. */
  async kill(name: Name): Promise<void> {
    const server = this.#servers[name];
    process.kill(server.pid(), 'SIGKILL');
    await server.stop();
  }

  /** The standby takes writes from then on; unless the pair stays synchronous, it waits for no other server. */
  async promote(name: Name = 'standby'): Promise<void> {
    await this.#ask(name, `select pg_promote()`);
  }

  /** A standby that was killed goes on as it was. */
  async restart(name: Name): Promise<void> {
    this.#servers[name] = await startPostgres({ directory: join(this.#directory, name), settings: this.#settings[name] });
  }

  /** A primary that was killed comes back as the standby of the other one, from a copy of what that has now. */
  async rejoin(name: Name): Promise<void> {
    const [directory, other] = [join(this.#directory, name), name === 'primary' ? 'standby' : 'primary'] as const;
    const target = join(directory, 'cluster');
    await rm(target, { recursive: true, force: true });
    const client = new Client({ connectionString: this.url(other) });
    await client.connect();
    try {
      await client.query(`select pg_backup_start('rejoin', true)`);
      await copyOfRunning(join(this.#directory, other, 'cluster'), target);
      const { rows } = await client.query<{ labelfile: string }>(`select labelfile from pg_backup_stop(false)`);
      const label = join(target, 'backup_label');
      await writeFile(label, rows[0]?.labelfile ?? '');
      // The server runs as who owns the folder.
      const { uid, gid } = await stat(target);
      await chown(label, uid, gid);
    } finally {
      await client.end();
    }
    for (const file of ['postmaster.pid', 'postmaster.opts']) await rm(join(target, file), { force: true });
    await writeFile(join(target, 'standby.signal'), '');
    await this.restart(name);
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

/** Files that end while they are copied are no part of what a server starts from. */
async function copyOfRunning(from: string, to: string): Promise<void> {
  try {
    await run('cp', ['-a', from, to]);
  } catch (error) {
    const lines = String((error as { stderr?: unknown }).stderr)
      .trim()
      .split('\n');
    if (!lines.every((line) => line.endsWith('No such file or directory'))) throw error;
  }
}

/** A copy of a cluster that stands still, which goes on by what the other writes. */
async function makeStandby(from: string, to: string): Promise<void> {
  await mkdir(to, { mode: 0o711 });
  const target = join(to, 'cluster');
  await run('cp', ['-a', join(from, 'cluster'), target]);
  await writeFile(join(target, 'standby.signal'), '');
}
