/** The exchange itself, in roles. */
import { mkdirSync, writeFileSync } from 'node:fs';
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
}

const PORT = 8080;
const METRICS_PORT = 9464;

const PROGRAMS: readonly Placed[] = [
  { name: 'heart-1', role: 'heart', place: 0 },
  { name: 'heart-2', role: 'heart', place: 1 },
  { name: 'gateway-1', role: 'gateway,worker', place: 2 },
];

export interface ProgramOptions {
  readonly directory: string;
  readonly secrets: ClusterSecrets;
  /** Where the pages are served, on this machine. */
  readonly port: number;
  readonly outside: Machine;
}

export const gatewaysOf = ({ all }: Machines): readonly Gateway[] =>
  PROGRAMS.filter(({ role }) => role !== 'heart').flatMap(({ name, place }) => {
    const machine = all[place];
    return machine === undefined ? [] : [{ name, machine, port: PORT }];
  });

/** What Prometheus asks, by name. */
export const measuredOf = ({ all }: Machines): readonly { readonly name: string; readonly target: string }[] =>
  PROGRAMS.map(({ name, place }) => ({ name, target: `${all[place]?.address ?? ''}:${METRICS_PORT}` }));

/** A heart is ready when it leads. Undefined while none does, and of what has no leader. */
export async function leaderOf({ all }: Machines, kind: string): Promise<string | undefined> {
  if (kind !== 'heart') return undefined;
  for (const { name, place } of PROGRAMS.filter((each) => each.role === kind)) {
    const answer = await fetch(`http://${all[place]?.address ?? ''}:${METRICS_PORT}/readyz`, { signal: AbortSignal.timeout(1_000) }).catch(
      () => undefined,
    );
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
  const { name, role, machine, directory, secrets, port, outside } = options;
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
      ORRERY_METRICS_PORT: String(METRICS_PORT),
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
      ORRERY_PAUSER_ADDRESS: chainAccount(secrets, 'pauser').address,
      ORRERY_LISTER_ADDRESS: chainAccount(secrets, 'lister').address,
      ORRERY_LOG: 'info',
    },
  };
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
