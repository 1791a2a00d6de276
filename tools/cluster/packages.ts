/** The programs of others that the cluster is made of, from the packages of Debian. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/** The package, and a file that it brings. Debian starts none of them from here on: see `policy`. */
const PACKAGES: readonly (readonly [name: string, file: string])[] = [
  ['etcd-server', '/usr/bin/etcd'],
  ['patroni', '/usr/bin/patroni'],
  ['python3-etcd', '/usr/lib/python3/dist-packages/etcd/__init__.py'],
  ['postgresql-15', '/usr/lib/postgresql/15/bin/postgres'],
  ['nats-server', '/usr/sbin/nats-server'],
  ['haproxy', '/usr/sbin/haproxy'],
  ['prometheus', '/usr/bin/prometheus'],
  ['iproute2', '/usr/sbin/ip'],
];

export const POSTGRES_PROGRAMS = '/usr/lib/postgresql/15/bin';

export const missingPackages = (): readonly string[] => PACKAGES.filter(([, file]) => !existsSync(file)).map(([name]) => name);

/** @throws Error that names what is still missing. */
export function ensurePackages(say: (line: string) => void): void {
  const missing = missingPackages();
  if (missing.length === 0) return;
  say(`installing ${missing.join(', ')}`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
  const options = { stdio: ['ignore', 2, 2] as const, env };
  spawnSync('apt-get', ['update', '-qq'], { ...options, stdio: [...options.stdio] });
  spawnSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...missing], { ...options, stdio: [...options.stdio] });
  const still = missingPackages();
  if (still.length > 0) throw new Error(`install these packages first: ${still.join(' ')}`);
}
