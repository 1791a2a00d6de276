/**
 * `npm run cluster`: a small production on one machine, in the foreground. Three PostgreSQL servers under Patroni with etcd, three NATS servers, two hearts,
 * two gateways behind HAProxy, two workers, a projector, a chain, and Prometheus; each "machine" is a network namespace. `npm run cluster -- kill heart` causes a fault in the
 * cluster that runs, and says what was seen of it from outside.
 */
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { asked, wholeNumber } from './asked.ts';
import { balancerPlan } from './cluster/balancer.ts';
import { chainPlan } from './cluster/chain.ts';
import { ask, checkAlone, holdMachine, takeRequests } from './cluster/control.ts';
import { ensureDatabases, takesWrites, waitForPrimary } from './cluster/database.ts';
import { cause, FAULTS, type Fault, type Probe } from './cluster/faults.ts';
import { type Machine, type Machines, openMachines } from './cluster/machines.ts';
import { natsPlans } from './cluster/nats.ts';
import { ensurePackages } from './cluster/packages.ts';
import { Parts } from './cluster/part.ts';
import { etcdPlans, postgresPlans } from './cluster/postgres.ts';
import { gatewaysOf, leaderOf, measuredOf, programPlans } from './cluster/programs.ts';
import { PROMETHEUS_PORT, prometheusPlan } from './cluster/prometheus.ts';
import { CHAIN_ACCOUNT_COUNT, type ClusterSecrets, secretsIn } from './cluster/secrets.ts';

const USAGE = `npm run cluster [-- --data DIRECTORY] [--port PORT]
npm run cluster -- kill ${FAULTS.join('|')} [--data DIRECTORY]`;

/** Other users have to reach it: PostgreSQL does not run as root. */
const DEFAULT_DIRECTORY = '/var/tmp/orrery-cluster';

const wanted = asked(USAGE, () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { data: { type: 'string', default: DEFAULT_DIRECTORY }, port: { type: 'string', default: '8080' } },
  });
  const [verb, fault, ...rest] = positionals;
  if (verb !== undefined && verb !== 'kill') throw new Error(`there is no ${verb}`);
  if (rest.length > 0) throw new Error(`${rest.join(' ')} is one word too many`);
  return {
    directory: resolve(values.data),
    port: wholeNumber('--port', values.port, { least: 1 }),
    fault: verb === undefined ? undefined : faultOf(fault),
  };
});

function faultOf(text: string | undefined): Fault {
  const fault = FAULTS.find((known) => known === text);
  if (fault === undefined) throw new Error(`kill one of ${FAULTS.join(', ')}`);
  return fault;
}

const PROBE_MS = 1_000;
const say = (line: string): void => void process.stderr.write(`cluster: ${line}\n`);
// A terminal that is gone keeps nobody from stopping the parts.
process.stderr.on('error', () => undefined);

if (wanted.fault === undefined) await run(wanted);
else
  await ask(wanted.directory, wanted.fault).catch((error: unknown) => {
    say(error instanceof Error ? error.message : String(error));
    process.exitCode = 1;
  });

interface Place {
  readonly directory: string;
  /** Of the pages. */
  readonly port: number;
}

async function run({ directory, port }: Place): Promise<void> {
  ensurePackages(say);
  const logs = join(directory, 'logs');
  mkdirSync(logs, { recursive: true, mode: 0o755 });
  await checkAlone(directory);
  await holdMachine();
  const machines = openMachines();
  const parts = new Parts(logs, say);
  const page = `http://127.0.0.1:${port}`;
  let stopping: Promise<void> | undefined;
  const stop = (): Promise<void> => (stopping ??= parts.stop().finally(() => machines.remove()));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void stop().then(() => process.exit(0)));
  try {
    const secrets = secretsIn(directory);
    const probes = probesOf(machines, { page, password: secrets.application });
    await takeRequests(directory, ({ line, say: answer }) =>
      cause(faultOf(line), { machines, parts: parts.all, probes, say: answer, leaderOf: (kind) => leaderOf(machines, kind) }),
    );
    say(`three machines: ${machines.all.map(({ name, address }) => `${name} ${address}`).join(', ')}; logs in ${logs}`);
    await begin(machines, { directory, port, parts, secrets });
    for (const { plan } of parts.all) say(`${plan.name} on ${plan.machine.name}`);
    say(`the exchange, once its programs are ready: ${page}`);
    say(`Prometheus: http://127.0.0.1:${PROMETHEUS_PORT}`);
    say(`a fault: npm run cluster -- kill ${FAULTS.join('|')}`);
  } catch (error) {
    await stop();
    throw error;
  }
}

interface Beginning extends Place {
  readonly parts: Parts;
  readonly secrets: ClusterSecrets;
}

/** What others stand on comes first. */
async function begin(machines: Machines, { directory, port, parts, secrets }: Beginning): Promise<void> {
  const outside: Machine = { name: 'outside', address: machines.outside, command: ([program, ...args]) => [String(program), ...args] };
  parts.start([...etcdPlans(machines, directory), ...postgresPlans(machines, { directory, secrets })]);
  parts.start(natsPlans(machines, { directory, password: secrets.nats }));
  parts.start([
    chainPlan(outside, { directory, mnemonic: secrets.mnemonic, accounts: CHAIN_ACCOUNT_COUNT }),
    balancerPlan(machines, { directory, port, gateways: gatewaysOf(machines) }),
  ]);
  await waitForPrimary(machines);
  await ensureDatabases(machines, secrets);
  parts.start(programPlans(machines, { directory, secrets, port, outside }));
  parts.start([prometheusPlan(outside, { directory, measured: measuredOf(machines) })]);
}

function probesOf(machines: Machines, { page, password }: { readonly page: string; readonly password: string }): readonly Probe[] {
  const ready = (): Promise<Response> => fetch(`${page}/readyz`, { signal: AbortSignal.timeout(PROBE_MS) });
  return [
    { name: 'the page', works: async () => (await ready()).ok },
    { name: 'a heart that leads', works: async () => (await (await ready()).text()).includes('journal: ready') },
    { name: 'writes of PostgreSQL', works: () => takesWrites(machines, password) },
  ];
}
