/** Three PostgreSQL servers: etcd holds who leads, Patroni acts on it, and a commit waits for one standby. */
import { chmodSync, chownSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { spawnSync } from 'node:child_process';
import type { Machine, Machines } from './machines.ts';
import { POSTGRES_PROGRAMS } from './packages.ts';
import { flagsOf, type PartPlan } from './part.ts';

export const POSTGRES_PORT = 5432;
export const PATRONI_PORT = 8008;
const ETCD_PORT = 2379;
const ETCD_PEER_PORT = 2380;
const USER = 'postgres';
const SCOPE = 'orrery';

export interface PostgresSecrets {
  readonly superuser: string;
  readonly replication: string;
}

export function etcdPlans({ all }: Machines, directory: string): readonly PartPlan[] {
  const peers = all.map(({ name, address }) => `${name}=http://${address}:${ETCD_PEER_PORT}`).join(',');
  return all.map((machine, index) => {
    const own = folder(directory, `etcd-${index + 1}`);
    const client = `http://${machine.address}:${ETCD_PORT}`;
    const peer = `http://${machine.address}:${ETCD_PEER_PORT}`;
    return {
      name: `etcd-${index + 1}`,
      machine,
      directory: own,
      command: [
        'etcd',
        ...flagsOf({ name: machine.name, 'data-dir': join(own, 'data'), 'initial-cluster': peers, 'initial-cluster-token': SCOPE }),
        ...flagsOf({ 'listen-client-urls': client, 'advertise-client-urls': client }),
        ...flagsOf({ 'listen-peer-urls': peer, 'initial-advertise-peer-urls': peer }),
        ...flagsOf({ 'heartbeat-interval': 100, 'election-timeout': 1_000, 'log-level': 'warn' }),
      ],
    };
  });
}

export function postgresPlans(
  machines: Machines,
  options: { readonly directory: string; readonly secrets: PostgresSecrets },
): readonly PartPlan[] {
  return machines.all.map((machine, index) => {
    const name = `postgres-${index + 1}`;
    const own = folder(options.directory, name, USER);
    const file = join(own, 'patroni.json');
    // JSON is YAML.
    writeFileSync(file, JSON.stringify(patroniSettings(machines, { machine, own, secrets: options.secrets }), undefined, 2), {
      mode: 0o600,
    });
    giveTo(file, USER);
    return { name, machine, user: USER, directory: own, command: ['patroni', file], env: { PATH: `${POSTGRES_PROGRAMS}:/usr/bin:/bin` } };
  });
}

interface Member {
  readonly machine: Machine;
  readonly own: string;
  readonly secrets: PostgresSecrets;
}

function patroniSettings({ all, outside }: Machines, { machine, own, secrets }: Member): object {
  const hosts = [...all.map(({ address }) => address), outside];
  return {
    scope: SCOPE,
    name: machine.name,
    restapi: { listen: `${machine.address}:${PATRONI_PORT}`, connect_address: `${machine.address}:${PATRONI_PORT}` },
    etcd3: { hosts: all.map(({ address }) => `${address}:${ETCD_PORT}`) },
    bootstrap: {
      dcs: {
        // The least that Patroni allows: a machine that is lost is replaced after this long, a server that ends at once.
        ttl: 20,
        loop_wait: 1,
        retry_timeout: 3,
        master_start_timeout: 0,
        maximum_lag_on_failover: 1_048_576,
        // The set of synchronous standbys is Patroni's: only one of them is promoted, so that no commit that was acknowledged is lost.
        synchronous_mode: true,
        // And a server that was just promoted waits for one: without this it takes commits alone, which are lost when the one before it leads again.
        synchronous_mode_strict: true,
        postgresql: {
          use_pg_rewind: true,
          parameters: { max_connections: 300, wal_keep_size: '256MB', synchronous_commit: 'on', shared_buffers: '128MB' },
        },
      },
      initdb: [{ encoding: 'UTF8' }, { locale: 'C.UTF-8' }, 'data-checksums'],
    },
    postgresql: {
      listen: `${machine.address}:${POSTGRES_PORT}`,
      connect_address: `${machine.address}:${POSTGRES_PORT}`,
      data_dir: join(own, 'data'),
      bin_dir: POSTGRES_PROGRAMS,
      pgpass: join(own, 'pgpass'),
      authentication: {
        superuser: { username: USER, password: secrets.superuser },
        replication: { username: 'replicator', password: secrets.replication },
        rewind: { username: USER, password: secrets.superuser },
      },
      // A standby that reaches the new primary before its slot is there asks again after this long, 5 s without it: until then nothing is acknowledged.
      parameters: { unix_socket_directories: own, wal_retrieve_retry_interval: '200ms' },
      pg_hba: [
        `local all ${USER} scram-sha-256`,
        ...hosts.flatMap((host) => [`host all all ${host}/32 scram-sha-256`, `host replication replicator ${host}/32 scram-sha-256`]),
        // Machines of the loopback network reach one another from here.
        'host all all 127.0.0.1/32 scram-sha-256',
        'host replication replicator 127.0.0.1/32 scram-sha-256',
      ],
    },
    tags: {},
  };
}

/** The members as Patroni sees them. */
export interface ClusterMember {
  readonly name: string;
  readonly role: string;
  readonly state: string;
}

/** From the first machine that answers; none while no one does. */
export async function membersOf({ all }: Machines): Promise<readonly ClusterMember[]> {
  for (const { address } of all) {
    try {
      const answer = await fetch(`http://${address}:${PATRONI_PORT}/cluster`, { signal: AbortSignal.timeout(1_000) });
      const { members } = (await answer.json()) as { readonly members: readonly ClusterMember[] };
      return members;
    } catch {
      // The next one is asked.
    }
  }
  return [];
}

function folder(parent: string, name: string, user?: string): string {
  const path = join(parent, name);
  mkdirSync(path, { recursive: true, mode: 0o700 });
  chmodSync(path, 0o700);
  if (user !== undefined) giveTo(path, user);
  return path;
}

function giveTo(path: string, user: string): void {
  if (process.getuid?.() !== 0) return;
  const id = (flag: string): number => Number(spawnSync('id', [flag, user], { encoding: 'utf8' }).stdout);
  chownSync(path, id('-u'), id('-g'));
}
