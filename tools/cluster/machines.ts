/**
 * Three machines on one: network namespaces on a bridge, each with an address of its own, so that one of them can be cut off. Without the rights for
 * that, addresses of the loopback network; then nothing can be cut.
 */
import { spawnSync } from 'node:child_process';

export interface Machine {
  readonly name: string;
  readonly address: string;
  /** The command that runs `command` on this machine, under the user when one is named. */
  command(command: readonly string[], user?: string): readonly [string, ...string[]];
}

export interface Machines {
  readonly all: readonly Machine[];
  /** Where this process is reached by the machines. */
  readonly outside: string;
  /** Undefined where machines share the loopback network. */
  readonly cable: Cable | undefined;
  remove(): void;
}

export interface Cable {
  /** What is sent to and from the machine is lost from here on. */
  cut(machine: Machine): void;
  mend(machine: Machine): void;
}

const BRIDGE = 'orrery0';
const SUBNET = '10.138.0';
const COUNT = 3;
const numbers = Array.from({ length: COUNT }, (_, index) => index + 1);

/** @throws Error when a command of the system fails. */
export function openMachines(): Machines {
  return canMakeNamespaces() ? namespaces() : loopback();
}

const canMakeNamespaces = (): boolean => process.getuid?.() === 0 && spawnSync('ip', ['netns', 'list'], { stdio: 'ignore' }).status === 0;

function run(command: string, ...args: readonly string[]): void {
  const { status, stderr, error } = spawnSync(command, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${error?.message ?? stderr.trim()}`);
}

/** What a supervisor that was killed left behind may be there. */
const tryRun = (command: string, ...args: readonly string[]): void => void spawnSync(command, args, { stdio: 'ignore' });

function removeNamespaces(): void {
  for (const number of numbers) tryRun('ip', 'netns', 'del', namespaceOf(number));
  for (const number of numbers) tryRun('ip', 'link', 'del', outerEnd(number));
  tryRun('ip', 'link', 'del', BRIDGE);
}

const namespaceOf = (number: number): string => `orrery${number}`;
const outerEnd = (number: number): string => `orrery-m${number}`;

function namespaces(): Machines {
  removeNamespaces();
  run('ip', 'link', 'add', BRIDGE, 'type', 'bridge');
  run('ip', 'addr', 'add', `${SUBNET}.1/24`, 'dev', BRIDGE);
  run('ip', 'link', 'set', BRIDGE, 'up');
  for (const number of numbers) {
    const namespace = namespaceOf(number);
    const inside = ['netns', 'exec', namespace, 'ip'];
    run('ip', 'netns', 'add', namespace);
    run('ip', 'link', 'add', outerEnd(number), 'type', 'veth', 'peer', 'name', 'eth0', 'netns', namespace);
    run('ip', 'link', 'set', outerEnd(number), 'master', BRIDGE, 'up');
    run('ip', ...inside, 'addr', 'add', `${SUBNET}.${10 + number}/24`, 'dev', 'eth0');
    run('ip', ...inside, 'link', 'set', 'eth0', 'up');
    run('ip', ...inside, 'link', 'set', 'lo', 'up');
  }
  const numberOf = (machine: Machine): number => Number(machine.name.slice(1));
  return {
    all: numbers.map((number) => ({
      name: `m${number}`,
      address: `${SUBNET}.${10 + number}`,
      command: (command, user) => ['ip', 'netns', 'exec', namespaceOf(number), ...asUser(command, user)],
    })),
    outside: `${SUBNET}.1`,
    cable: {
      cut: (machine) => run('ip', 'link', 'set', outerEnd(numberOf(machine)), 'down'),
      mend: (machine) => run('ip', 'link', 'set', outerEnd(numberOf(machine)), 'up'),
    },
    remove: removeNamespaces,
  };
}

function loopback(): Machines {
  return {
    all: numbers.map((number) => ({
      name: `m${number}`,
      address: `127.0.0.${10 + number}`,
      command: (command, user) => {
        const [program, ...args] = asUser(command, user);
        if (program === undefined) throw new Error('a command has a program');
        return [program, ...args];
      },
    })),
    outside: '127.0.0.1',
    cable: undefined,
    remove: () => undefined,
  };
}

/** PostgreSQL does not run as root. */
const asUser = (command: readonly string[], user: string | undefined): readonly string[] =>
  user === undefined || process.getuid?.() !== 0
    ? command
    : ['setpriv', `--reuid=${user}`, `--regid=${user}`, '--clear-groups', ...command];
