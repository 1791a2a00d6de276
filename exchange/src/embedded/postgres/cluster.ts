/** A cluster is the folder of one PostgreSQL's data: made whole or not at all, and only ever opened by the version that made it. */
import { execFile } from 'node:child_process';
import { chown, mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { childEnvironment } from '@orrery/contracts/child-environment';
import { StartError } from '../../start-error.ts';
import type { Binaries } from './binaries.ts';
import type { ServerUser } from './server-user.ts';
import { namingEnvironment } from './user-name.ts';

const run = promisify(execFile);

export const DATABASE_USER = 'orrery';

/**
 * The server is started inside its folder with the relative data folder "here". So it never walks the path from the root,
 * which may be closed to its user (a checkout below /root) or longer than a socket's name may be.
 */
export const HERE = '/proc/self/cwd';

export async function prepareCluster(options: { cluster: string; binaries: Binaries; user: ServerUser }): Promise<void> {
  const { cluster, binaries, user } = options;
  const version = await readFile(join(cluster, 'PG_VERSION'), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw new StartError(`The database in ${cluster} belongs to another user; start the program as that user or as root.`, {
      cause: error,
    });
  });
  if (version === undefined) return makeCluster(options);
  if (version.trim() !== binaries.major) {
    throw new StartError(
      `The database in ${cluster} was made by PostgreSQL ${version.trim()}, this program brings ${binaries.major}; upgrade it or start with another data folder.`,
    );
  }
  const owner = await stat(cluster);
  if (owner.uid !== user.uid) {
    throw new StartError(`The database in ${cluster} belongs to user ${owner.uid}; start the program as that user or as root.`);
  }
}

async function makeCluster({ cluster, binaries, user }: { cluster: string; binaries: Binaries; user: ServerUser }): Promise<void> {
  const unfinished = `${cluster}.unfinished`;
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(unfinished, { mode: 0o700 });
  await chown(unfinished, user.uid, user.gid);
  const names = `${cluster}.names`;
  await run(
    binaries.initdb,
    [
      '--pgdata',
      HERE,
      '--username',
      DATABASE_USER,
      // Only the owner of the folder reaches the socket in it, and there is no other way in.
      '--auth',
      'trust',
      '--encoding',
      'UTF8',
      '--no-locale',
      '--wal-segsize',
      '4',
      '--no-instructions',
    ],
    { cwd: unfinished, env: { ...childEnvironment(), ...(await namingEnvironment(user, names)) }, uid: user.uid, gid: user.gid },
  ).catch((cause: unknown) => {
    throw new StartError(`The database folder ${cluster} can not be set up: ${reasonOf(cause)}`, { cause });
  });
  await rm(names, { force: true });
  await rename(unfinished, cluster);
  const parent = await open(dirname(cluster));
  try {
    await parent.sync();
  } finally {
    await parent.close();
  }
}

function reasonOf(cause: unknown): string {
  const stderr = typeof cause === 'object' && cause !== null && 'stderr' in cause ? String(cause.stderr) : String(cause);
  return stderr.trim().split('\n').at(-1) ?? stderr;
}
