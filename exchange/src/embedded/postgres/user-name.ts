/**
 * `initdb` asks the system for the name of the user it runs as, and a container may run as a number that has none. Where nss_wrapper is installed, as in our
 * image, it answers in the system's place, as in the image of PostgreSQL itself.
 */
import { readFile, writeFile } from 'node:fs/promises';
import type { ServerUser } from './server-user.ts';

const WRAPPER = 'libnss_wrapper.so';

/** @param aside where a file may be written that names the user. @returns variables of the environment of `initdb`; none for a user with a name. */
export async function namingEnvironment({ uid, gid }: ServerUser, aside: string): Promise<Readonly<Record<string, string>>> {
  if (await isNamed(uid)) return {};
  await writeFile(aside, `orrery:x:${uid}:${gid}:orrery:/:/bin/false\n`, { mode: 0o600 });
  return { LD_PRELOAD: WRAPPER, NSS_WRAPPER_PASSWD: aside, NSS_WRAPPER_GROUP: '/dev/null' };
}

async function isNamed(uid: number): Promise<boolean> {
  const passwd = await readFile('/etc/passwd', 'utf8').catch(() => '');
  return passwd.split('\n').some((line) => line.split(':')[2] === String(uid));
}
