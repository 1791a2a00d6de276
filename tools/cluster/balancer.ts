/** HAProxy in front of the gateways and of the PostgreSQL server that leads. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Machine, Machines } from './machines.ts';
import type { PartPlan } from './part.ts';
import { PATRONI_PORT, POSTGRES_PORT } from './postgres.ts';

/** The primary, for those who take one host only. */
export const PRIMARY_PORT = 5000;

export interface Gateway {
  readonly name: string;
  readonly machine: Machine;
  readonly port: number;
}

interface BalancerOptions {
  readonly directory: string;
  readonly port: number;
  readonly gateways: readonly Gateway[];
}

export function balancerPlan(machines: Machines, { directory, port, gateways }: BalancerOptions): PartPlan {
  const own = join(directory, 'balancer-1');
  mkdirSync(own, { recursive: true, mode: 0o700 });
  const file = join(own, 'haproxy.cfg');
  writeFileSync(file, settings(machines, { port, gateways }), { mode: 0o600 });
  const here: Machine = { name: 'outside', address: machines.outside, command: ([program, ...args]) => [String(program), ...args] };
  return { name: 'balancer-1', machine: here, directory: own, command: ['haproxy', '-db', '-f', file] };
}

const settings = ({ all, outside }: Machines, { port, gateways }: Omit<BalancerOptions, 'directory'>): string => `global
  maxconn 4096

defaults
  timeout connect 2s
  timeout client 1h
  timeout server 1h
  # A connection that has not sent its request yet goes to another gateway.
  retries 2
  option redispatch

frontend page
  mode http
  bind 127.0.0.1:${port}
  http-request set-header X-Forwarded-For %[src]
  default_backend gateways

backend gateways
  mode http
  balance roundrobin
  option httpchk
  http-check send meth GET uri /readyz ver HTTP/1.1 hdr Host 127.0.0.1:${port}
  default-server check inter 500ms fall 2 rise 1 on-marked-down shutdown-sessions
${gateways.map(({ name, machine, port: own }) => `  server ${name} ${machine.address}:${own}`).join('\n')}

listen primary
  mode tcp
  bind ${outside}:${PRIMARY_PORT}
  option httpchk GET /primary
  http-check expect status 200
  default-server check inter 500ms fall 2 rise 1 on-marked-down shutdown-sessions
${all.map(({ name, address }) => `  server ${name} ${address}:${POSTGRES_PORT} check port ${PATRONI_PORT}`).join('\n')}
`;
