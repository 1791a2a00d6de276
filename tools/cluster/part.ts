/** A program of the cluster: started on its machine, its lines kept in a file, started again when it ends. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Machine } from './machines.ts';

export interface PartPlan {
  /** Unique, such as `heart-1`; the kind is what stands before the number. */
  readonly name: string;
  readonly machine: Machine;
  readonly command: readonly string[];
  /** Whose rights it has; this process's own without one. */
  readonly user?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly directory: string;
}

/** `--name value` for each. */
export const flagsOf = (values: Readonly<Record<string, string | number>>): readonly string[] =>
  Object.entries(values).flatMap(([name, value]) => [`--${name}`, String(value)]);

/** As systemd would, by the unit in `deploy/systemd`. */
const RESTART_MS = 3_000;
const STOP_MS = 20_000;

export class Part {
  readonly plan: PartPlan;
  readonly logFile: string;
  #child: ChildProcess | undefined;
  #stopping = false;
  readonly #say: (line: string) => void;

  constructor(plan: PartPlan, { logs, say }: { readonly logs: string; readonly say: (line: string) => void }) {
    this.plan = plan;
    this.logFile = join(logs, `${plan.name}.log`);
    this.#say = say;
  }

  get kind(): string {
    return this.plan.name.replace(/-[0-9]+$/, '');
  }

  get pid(): number | undefined {
    return this.#child?.exitCode === null && this.#child.signalCode === null ? this.#child.pid : undefined;
  }

  start(): void {
    const { machine, command, user, env, directory } = this.plan;
    const [program, ...args] = machine.command(command, user);
    const log = openSync(this.logFile, 'a', 0o600);
    const child = spawn(program, args, {
      cwd: directory,
      // A session of its own: Ctrl-C reaches the supervisor, which stops the parts in their order.
      detached: true,
      stdio: ['ignore', log, log],
      env: { PATH: process.env['PATH'] ?? '', HOME: directory, LANG: 'C.UTF-8', ...env },
    });
    closeSync(log);
    this.#child = child;
    child.on('error', (error) => this.#say(`${this.plan.name} could not be started: ${error.message}`));
    child.on('exit', (code, signal) => void this.#ended(code ?? signal ?? 'unknown'));
  }

  /** To every process of the part; a part that is down gets nothing. */
  signal(signal: NodeJS.Signals): void {
    const { pid } = this;
    if (pid === undefined) return;
    try {
      process.kill(-pid, signal);
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
    }
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    const child = this.#child;
    if (child === undefined || this.pid === undefined) return;
    const gone = once(child, 'exit');
    this.signal('SIGCONT');
    // PostgreSQL takes SIGTERM for a wish to wait for its clients, and Patroni passes its own way of stopping on.
    child.kill('SIGTERM');
    if ((await Promise.race([gone, sleep(STOP_MS, 'late', { ref: false })])) === 'late') this.signal('SIGKILL');
    await gone;
  }

  async #ended(how: number | string): Promise<void> {
    if (this.#stopping) return;
    this.#say(`${this.plan.name} ended (${how})`);
    await sleep(RESTART_MS, undefined, { ref: false });
    if (this.#stopping || this.pid !== undefined) return;
    this.#say(`${this.plan.name} is started again`);
    this.start();
  }
}

/** All of them, in the order of their start; they are stopped in the other one. */
export class Parts {
  readonly all: Part[] = [];
  #areStopping = false;
  readonly #logs: string;
  readonly #say: (line: string) => void;

  constructor(logs: string, say: (line: string) => void) {
    this.#logs = logs;
    this.#say = say;
  }

  /** @throws Error when they are being stopped: what is started then would stay behind */
  start(plans: readonly PartPlan[]): void {
    if (this.#areStopping) throw new Error('the cluster is being stopped');
    for (const plan of plans) {
      const part = new Part(plan, { logs: this.#logs, say: this.#say });
      this.all.push(part);
      part.start();
    }
  }

  /** What stands on others goes first; those of one kind go together. */
  async stop(): Promise<void> {
    this.#areStopping = true;
    this.#say('stopping');
    const kinds = Map.groupBy(this.all.toReversed(), ({ kind }) => kind);
    for (const parts of kinds.values()) await Promise.all(parts.map((part) => part.stop()));
  }
}
