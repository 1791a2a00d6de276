/** A PostgreSQL of our own inside the data folder: no port, nothing to install, ended with the program. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, open } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { childEnvironment } from '@orrery/contracts/child-environment';
import { Client } from 'pg';
import { type Binaries, findBinaries } from './binaries.ts';
import { DATABASE_USER, HERE, prepareCluster } from './cluster.ts';
import { type FolderLock, lockFolder } from './folder-lock.ts';
import { endOrphans } from './orphan.ts';
import { type ServerUser, serverUser } from './server-user.ts';
import { StartError } from '../../start-error.ts';

const READY_MS = 30_000;
const POLL_MS = 10;
const RESTART_PAUSE_MS = 500;
const FAST_SHUTDOWN_MS = 10_000;

const SETTINGS = [
  'listen_addresses=',
  'unix_socket_directories=.',
  'unix_socket_permissions=0700',
  'max_connections=60',
  'shared_buffers=64MB',
  'max_wal_size=256MB',
  'min_wal_size=32MB',
  'io_method=sync',
  'jit=off',
  'timezone=UTC',
  'log_checkpoints=off',
  'logging_collector=off',
];

export interface RunningPostgres {
  readonly connection: { readonly host: string; readonly user: string; readonly database: string };
  /** The server's process; changes when it had to be started again. */
  pid(): number;
  stop(): Promise<void>;
}

/**
 * To the server of a cluster, which any process may reach that can open its folder. A path through our own open folder has no length limit to hit and no closed
 * parent to pass.
 * @param descriptor of the open folder of the cluster, in this process
 */
export const connectionIn = (descriptor: number): RunningPostgres['connection'] => ({
  host: `/proc/${process.pid}/fd/${descriptor}`,
  user: DATABASE_USER,
  database: 'postgres',
});

export interface PostgresOptions {
  readonly directory: string;
  /** Beside the usual ones, as `name=value`. */
  readonly settings?: readonly string[];
}

/**
 * Ends what a killed program left behind, makes the cluster on the first start, and starts the server again if it dies.
 * @throws StartError with one sentence for the person who runs the program.
 */
export async function startPostgres(options: PostgresOptions): Promise<RunningPostgres> {
  const directory = resolve(options.directory);
  await mkdir(directory, { recursive: true, mode: 0o700 }).catch((cause: NodeJS.ErrnoException) => {
    throw new StartError(`The database folder ${directory} can not be made: ${cause.code ?? cause.message}.`, { cause });
  });
  const lock = await lockFolder(directory);
  try {
    const cluster = join(directory, 'cluster');
    const user = await serverUser(cluster);
    const binaries = await findBinaries(user);
    await prepareCluster({ cluster, binaries, user }).catch(explainUnwritable(directory));
    await endOrphans(cluster);
    const settings = [...SETTINGS, ...(options.settings ?? [])];
    const server = await Server.start({ cluster, log: join(directory, 'server.log'), binaries, user, lock, settings });
    return { connection: server.connection, pid: () => server.pid(), stop: () => server.stop() };
  } catch (error) {
    await lock.release();
    throw error;
  }
}

function explainUnwritable(directory: string): (cause: NodeJS.ErrnoException) => never {
  return (cause) => {
    if (!['EACCES', 'EPERM', 'EROFS', 'ENOSPC'].includes(cause.code ?? '')) throw cause;
    throw new StartError(`The database folder ${directory} can not be written: ${cause.code}.`, { cause });
  };
}

interface Place {
  readonly cluster: string;
  readonly log: string;
  readonly binaries: Binaries;
  readonly user: ServerUser;
  readonly lock: FolderLock;
  readonly settings: readonly string[];
}

class Server {
  readonly connection: RunningPostgres['connection'];
  readonly #place: Place;
  readonly #folder: { close(): Promise<void> };
  #process: ChildProcess;
  #stopping = false;
  #restarting: Promise<void> = Promise.resolve();

  static async start(place: Place): Promise<Server> {
    const folder = await open(place.cluster);
    const server = new Server({ place, folder, connection: connectionIn(folder.fd), process: await launch(place) });
    try {
      await server.#ready();
    } catch (error) {
      await server.#end();
      throw error;
    }
    server.#watch();
    return server;
  }

  constructor(parts: {
    place: Place;
    folder: { close(): Promise<void> };
    connection: RunningPostgres['connection'];
    process: ChildProcess;
  }) {
    this.connection = parts.connection;
    this.#place = parts.place;
    this.#folder = parts.folder;
    this.#process = parts.process;
  }

  pid(): number {
    return this.#process.pid ?? 0;
  }

  async stop(): Promise<void> {
    if (this.#stopping) return;
    this.#stopping = true;
    await this.#restarting;
    await this.#end();
    await this.#place.lock.release();
  }

  async #ready(): Promise<void> {
    const deadline = Date.now() + READY_MS;
    for (;;) {
      if (this.#process.exitCode !== null || this.#process.signalCode !== null) {
        throw new StartError(`The database in ${this.#place.cluster} does not start; the reason is at the end of ${this.#place.log}.`);
      }
      if (this.#stopping || (await answers(this.connection))) return;
      if (Date.now() > deadline) {
        throw new StartError(`The database in ${this.#place.cluster} did not answer within ${READY_MS / 1000} s; see ${this.#place.log}.`);
      }
      await pause(POLL_MS);
    }
  }

  /** Trading does not wait for SQL: a server that dies is brought back under its clients, whose pools connect again. */
  #watch(): void {
    this.#process.once('exit', () => {
      if (!this.#stopping) this.#restarting = this.#restart();
    });
  }

  async #restart(): Promise<void> {
    while (!this.#stopping) {
      await pause(RESTART_PAUSE_MS);
      try {
        await endOrphans(this.#place.cluster);
        this.#process = await launch(this.#place);
        await this.#ready();
        this.#watch();
        return;
      } catch {
        // The server's own log says why; the next try comes after the pause.
      }
    }
  }

  async #end(): Promise<void> {
    const child = this.#process;
    for (const signal of ['SIGINT', 'SIGQUIT', 'SIGKILL'] as const) {
      if (child.exitCode !== null || child.signalCode !== null) break;
      const exited = once(child, 'exit');
      child.kill(signal);
      await Promise.race([exited, pause(FAST_SHUTDOWN_MS, undefined, { ref: false })]);
    }
    await this.#folder.close();
  }
}

/** Detached, so that Ctrl-C reaches our program alone and the server is stopped after its last client. */
async function launch({ cluster, log, binaries, user, settings }: Place): Promise<ChildProcess> {
  const output = await open(log, 'a', 0o600);
  try {
    const child = spawn(binaries.postgres, ['-D', HERE, ...settings.flatMap((setting) => ['-c', setting])], {
      cwd: cluster,
      env: childEnvironment(),
      uid: user.uid,
      gid: user.gid,
      detached: true,
      stdio: ['ignore', output.fd, output.fd],
    });
    await once(child, 'spawn');
    endWithProgram(child);
    return child;
  } finally {
    await output.close();
  }
}

/** However the program ends by itself: a fatal error and an uncaught exception stop it before anything is stopped in its turn. */
function endWithProgram(child: ChildProcess): void {
  // A fast shutdown, which needs nobody to wait for it.
  const end = (): void => void child.kill('SIGINT');
  process.on('exit', end);
  child.once('exit', () => process.off('exit', end));
}

export async function answers(connection: RunningPostgres['connection']): Promise<boolean> {
  const client = new Client({ ...connection, connectionTimeoutMillis: 1000 });
  try {
    await client.connect();
    await client.query('select 1');
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}
