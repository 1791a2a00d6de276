/** What `npm run cluster -- kill …` does, and what is seen of it from outside. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Machines } from './machines.ts';
import type { Part } from './part.ts';
import { membersOf } from './postgres.ts';

export const FAULTS = ['heart', 'gateway', 'worker', 'projector', 'primary', 'nats', 'network'] as const;
export type Fault = (typeof FAULTS)[number];

/** Asked again and again from outside while a fault is there. */
export interface Probe {
  readonly name: string;
  /** Rejects, or resolves with false, while it does not work. */
  readonly works: () => Promise<boolean>;
}

export interface FaultOptions {
  readonly machines: Machines;
  readonly parts: readonly Part[];
  readonly probes: readonly Probe[];
  readonly say: (line: string) => void;
  /** The part that leads among several of a kind; undefined: none does. */
  readonly leaderOf: (kind: string) => Promise<string | undefined>;
}

const CUT_MS = 20_000;
const WATCH_MS = 40_000;
const PROBE_MS = 50;

/** Resolves when everything works again, or after 40 seconds. */
export async function cause(fault: Fault, options: FaultOptions): Promise<void> {
  const { say } = options;
  if (fault === 'network') return cutNetwork(options);
  const victim = await victimOf(fault, options);
  if (victim === undefined) {
    say(`there is no ${fault} to kill`);
    return;
  }
  // Patroni lives: it sees at once that its server is gone. Where both are killed, the others wait for the end of its term, 20 s.
  if (fault === 'primary') process.kill(postmasterOf(victim), 'SIGKILL');
  else victim.signal('SIGKILL');
  // Once it is done: what is asked for after this line is asked for after the fault.
  say(`kill -9 ${victim.plan.name} on ${victim.plan.machine.name}`);
  await watch(options);
}

async function victimOf(fault: Exclude<Fault, 'network'>, { machines, parts, leaderOf }: FaultOptions): Promise<Part | undefined> {
  if (fault === 'primary') {
    const leader = (await membersOf(machines)).find(({ role }) => role === 'leader');
    return parts.find((part) => part.kind === 'postgres' && part.plan.machine.name === leader?.name);
  }
  const leader = await leaderOf(fault);
  return (
    parts.find(({ plan, pid }) => plan.name === leader && pid !== undefined) ??
    parts.find(({ kind, pid }) => kind === fault && pid !== undefined)
  );
}

/** The machine of the primary: what leads there is lost with it. */
async function cutNetwork(options: FaultOptions): Promise<void> {
  const { machines, say } = options;
  const leader = (await membersOf(machines)).find(({ role }) => role === 'leader');
  const machine = machines.all.find(({ name }) => name === leader?.name) ?? machines.all[0];
  if (machines.cable === undefined || machine === undefined) {
    say('machines share the loopback network here: run it as root to cut one off');
    return;
  }
  machines.cable.cut(machine);
  say(`${machine.name} is cut off for ${CUT_MS / 1_000} s`);
  const seen = watch(options);
  await sleep(CUT_MS);
  machines.cable.mend(machine);
  say(`${machine.name} is back`);
  await seen;
}

const postmasterOf = ({ plan }: Part): number =>
  Number(readFileSync(join(plan.directory, 'data', 'postmaster.pid'), 'utf8').split('\n')[0]);

interface Outage {
  readonly name: string;
  failedAt?: number;
  worksAt?: number;
}

async function watch({ probes, say, machines }: FaultOptions): Promise<void> {
  const began = performance.now();
  const outages = await Promise.all(probes.map((probe) => observe(probe, began)));
  for (const { name, failedAt, worksAt } of outages) {
    if (failedAt === undefined) say(`${name}: answered all the time`);
    else if (worksAt === undefined) say(`${name}: has not come back within ${WATCH_MS / 1_000} s`);
    else say(`${name}: away for ${seconds(worksAt - failedAt)}, from ${seconds(failedAt - began)} after the fault`);
  }
  const members = await membersOf(machines);
  say(`PostgreSQL: ${members.map(({ name, role, state }) => `${name} ${role} ${state}`).join(', ')}`);
}

const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;

/** Ends ten seconds after it works again, or after the fault when it never failed. */
async function observe({ name, works }: Probe, began: number): Promise<Outage> {
  const outage: Outage = { name };
  const QUIET_MS = 10_000;
  for (;;) {
    const isUp = await works().catch(() => false);
    const now = performance.now();
    if (!isUp) {
      outage.failedAt ??= now;
      delete outage.worksAt;
    } else if (outage.failedAt !== undefined) outage.worksAt ??= now;
    const calmSince = outage.failedAt === undefined ? began : outage.worksAt;
    if (now - began > WATCH_MS || (calmSince !== undefined && now - calmSince > QUIET_MS)) return outage;
    await sleep(PROBE_MS);
  }
}
