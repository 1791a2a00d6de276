/** The exchange itself, in roles. */
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { NODE_FLAGS } from '../node-flags.mjs';
import { repository } from '../step.ts';
import type { Gateway } from './balancer.ts';
import { chainUrl } from './chain.ts';
import { databaseUrl, journalUrl } from './database.ts';
import type { Machine, Machines } from './machines.ts';
import { natsUrl } from './nats.ts';
import type { PartPlan } from './part.ts';
import { chainAccount, type ClusterSecrets } from './secrets.ts';

interface Placed {
  readonly name: string;
  readonly role: string;
  /** Of the machines, from 0. */
  readonly place: number;
  readonly metricsPort: number;
}

const PORT = 8080;

/** One more of each kind than is needed, but for what one process does and another takes over within a minute. */
const PROGRAMS: readonly Placed[] = [
  { name: 'heart-1', role: 'heart', place: 0, metricsPort: 9464 },
  { name: 'heart-2', role: 'heart', place: 1, metricsPort: 9464 },
  { name: 'projector-1', role: 'projector', place: 2, metricsPort: 9464 },
  { name: 'worker-1', role: 'worker,market-maker', place: 1, metricsPort: 9465 },
  { name: 'worker-2', role: 'worker,projector,market-maker', place: 2, metricsPort: 9465 },
  { name: 'gateway-1', role: 'gateway', place: 0, metricsPort: 9466 },
  { name: 'gateway-2', role: 'gateway', place: 1, metricsPort: 9466 },
];

export interface ProgramOptions {
  readonly directory: string;
  readonly secrets: ClusterSecrets;
  /** Where the pages are served, on this machine. */
  readonly port: number;
  readonly outside: Machine;
}

export const gatewaysOf = ({ all }: Machines): readonly Gateway[] =>
  PROGRAMS.filter(({ role }) => role === 'gateway').flatMap(({ name, place }) => {
    const machine = all[place];
    return machine === undefined ? [] : [{ name, machine, port: PORT }];
  });

/** What Prometheus asks, by name. */
export const measuredOf = ({ all }: Machines): readonly { readonly name: string; readonly target: string }[] =>
  PROGRAMS.map(({ name, place, metricsPort }) => ({ name, target: `${all[place]?.address ?? ''}:${metricsPort}` }));

/** A heart is ready when it leads. Undefined while none does, and of what has no leader. */
export async function leaderOf({ all }: Machines, kind: string): Promise<string | undefined> {
  if (kind !== 'heart') return undefined;
  for (const { name, place, metricsPort } of PROGRAMS.filter((each) => each.role === kind)) {
    const address = `http://${all[place]?.address ?? ''}:${metricsPort}/readyz`;
    const answer = await fetch(address, { signal: AbortSignal.timeout(1_000) }).catch(() => undefined);
    if (answer?.ok === true) return name;
  }
  return undefined;
}

export function programPlans(machines: Machines, options: ProgramOptions): readonly PartPlan[] {
  return PROGRAMS.flatMap((placed) => {
    const machine = machines.all[placed.place];
    return machine === undefined ? [] : [programPlan(machines, { ...options, ...placed, machine })];
  });
}

function programPlan(machines: Machines, options: ProgramOptions & Placed & { readonly machine: Machine }): PartPlan {
  const { name, role, metricsPort, machine, directory, secrets, port, outside } = options;
  const own = join(directory, name);
  mkdirSync(own, { recursive: true, mode: 0o700 });
  return {
    name,
    machine,
    directory: repository,
    command: [process.execPath, ...NODE_FLAGS, 'exchange/src/main.ts'],
    env: {
      NODE_ENV: 'production',
      NODE_COMPILE_CACHE: join(repository, '.cache/compiled'),
      ORRERY_ROLE: role,
      ORRERY_DATA: join(own, 'data'),
      ORRERY_HOST: machine.address,
      ORRERY_PORT: String(PORT),
      ORRERY_METRICS_HOST: machine.address,
      ORRERY_METRICS_PORT: String(metricsPort),
      ORRERY_PUBLIC_ORIGINS: `http://127.0.0.1:${port},http://localhost:${port}`,
      ORRERY_PROXY_HOPS: '1',
      ORRERY_RPC_URL: chainUrl(outside),
      ORRERY_CONFIRMATIONS: '1',
      ...secretFiles(own, {
        ORRERY_JOURNAL: journalUrl(machines, secrets.application),
        ORRERY_EVENTS: natsUrl(machines, secrets.nats),
        ORRERY_DATABASE_URL: databaseUrl(machines, secrets.application),
        ORRERY_OPERATOR_KEY: chainAccount(secrets, 'operator').key,
        ORRERY_DEPLOYER_KEY: chainAccount(secrets, 'deployer').key,
      }),
      ORRERY_MASTER_KEY_FILE: masterKeyIn(directory),
      ORRERY_PAUSER_ADDRESS: chainAccount(secrets, 'pauser').address,
      ORRERY_LISTER_ADDRESS: chainAccount(secrets, 'lister').address,
      ORRERY_LOG: 'info',
    },
  };
}

/** The same for every process on the database. @returns the path of the file, which is made where it is missing */
function masterKeyIn(directory: string): string {
  const file = join(directory, 'master.key');
  if (!existsSync(file)) writeFileSync(file, randomBytes(32), { mode: 0o600 });
  return file;
}

/** The environment of a process can be read by others under its user, in a list of processes: secrets go by files. */
function secretFiles(directory: string, secrets: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(secrets).map(([name, value]) => {
      const file = join(directory, name.toLowerCase());
      writeFileSync(file, value, { mode: 0o600 });
      return [`${name}_FILE`, file];
    }),
  );
}
