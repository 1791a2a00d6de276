/** Under which user the server runs: PostgreSQL refuses to run as root. */
import { readFile, stat } from 'node:fs/promises';

export interface ServerUser {
  readonly uid: number;
  readonly gid: number;
}

/** In order of preference, of the users every Linux has or a PostgreSQL installation makes. */
const UNPRIVILEGED = ['postgres', 'nobody'];

/**
 * Our own user, unless we are root: then the owner of the existing cluster, else an unprivileged user.
 * `initdb` wants a user that the system knows by name, so none is made up.
 */
export async function serverUser(cluster: string): Promise<ServerUser> {
  const ourselves = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };
  if (ourselves.uid !== 0) return ourselves;
  const owner = await stat(cluster).catch(() => undefined);
  if (owner !== undefined && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  return findUnprivileged(await readFile('/etc/passwd', 'utf8'));
}

function findUnprivileged(passwd: string): ServerUser {
  const users = new Map(
    passwd.split('\n').map((line) => {
      const [name = '', , uid, gid] = line.split(':');
      return [name, { uid: Number(uid), gid: Number(gid) }] as const;
    }),
  );
  for (const name of UNPRIVILEGED) {
    const user = users.get(name);
    if (user !== undefined && user.uid > 0) return user;
  }
  throw new Error(`none of the users ${UNPRIVILEGED.join(', ')} is in /etc/passwd, and PostgreSQL does not run as root`);
}
