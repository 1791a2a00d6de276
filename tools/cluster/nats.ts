/** Three NATS servers in one cluster: a message sent to one reaches those who listen at another. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Machines } from './machines.ts';
import type { PartPlan } from './part.ts';

const CLIENT_PORT = 4222;
const ROUTE_PORT = 6222;
const USER = 'orrery';

export function natsPlans(
  { all }: Machines,
  { directory, password }: { readonly directory: string; readonly password: string },
): readonly PartPlan[] {
  const routes = all.map(({ address }) => `nats://${USER}:${password}@${address}:${ROUTE_PORT}`);
  return all.map((machine, index) => {
    const name = `nats-${index + 1}`;
    const own = join(directory, name);
    mkdirSync(own, { recursive: true, mode: 0o700 });
    const file = join(own, 'nats.conf');
    const authorization = { user: USER, password };
    const settings = {
      listen: `${machine.address}:${CLIENT_PORT}`,
      server_name: machine.name,
      authorization,
      ping_interval: '2s',
      ping_max: 2,
      cluster: { name: 'orrery', listen: `${machine.address}:${ROUTE_PORT}`, authorization, routes, no_advertise: true },
    };
    writeFileSync(file, JSON.stringify(settings, undefined, 2), { mode: 0o600 });
    return { name, machine, directory: own, command: ['nats-server', '-c', file] };
  });
}

/** For ORRERY_EVENTS. */
export const natsUrl = ({ all }: Machines, password: string): string =>
  all.map(({ address }) => `nats://${USER}:${password}@${address}:${CLIENT_PORT}`).join(',');
