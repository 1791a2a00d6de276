/** Several hearts on one journal, each in a process of its own behind wires of its own. */
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { ReadyHeartOptions } from '../heart/ready-heart.ts';
import { TcpProxy } from './tcp-proxy.ts';

const PROGRAM = fileURLToPath(new URL('../heart/ready-heart.ts', import.meta.url));

export interface Surroundings {
  readonly folder: string;
  /** The sockets of the servers of PostgreSQL, of which one takes writes. */
  readonly postgres: { readonly paths: readonly string[]; readonly user: string; readonly database: string };
  readonly natsPort: number;
  readonly prefix: string;
}

export class ReadyHeart {
  readonly name: string;
  /** Of the epoch in which it leads; undefined while it follows or is down. */
  epoch: number | undefined;
  isFollowing = false;
  readonly #surroundings: Surroundings;
  readonly #toStores: readonly TcpProxy[];
  readonly #toNats: TcpProxy;
  #child: ChildProcess | undefined;
  complaints: string[] = [];

  private constructor(name: string, wires: { toStores: readonly TcpProxy[]; toNats: TcpProxy }, surroundings: Surroundings) {
    this.name = name;
    this.#toStores = wires.toStores;
    this.#toNats = wires.toNats;
    this.#surroundings = surroundings;
  }

  static async open(name: string, surroundings: Surroundings): Promise<ReadyHeart> {
    const toStores = await Promise.all(surroundings.postgres.paths.map((path) => TcpProxy.open({ path })));
    const toNats = await TcpProxy.open({ host: '127.0.0.1', port: surroundings.natsPort });
    return new ReadyHeart(name, { toStores, toNats }, surroundings);
  }

  get isUp(): boolean {
    return this.#child !== undefined && this.#child.exitCode === null && this.#child.signalCode === null;
  }

  start(clockOffMs: number): void {
    const { folder, postgres, prefix } = this.#surroundings;
    const options: ReadyHeartOptions = {
      directory: join(folder, this.name),
      journals: this.#toStores.map(({ port }) => `postgres://${postgres.user}@127.0.0.1:${port}/${postgres.database}`),
      events: `nats://127.0.0.1:${this.#toNats.port}`,
      prefix,
      clockOffMs,
    };
    const child = spawn(process.execPath, [PROGRAM, JSON.stringify(options)], { stdio: ['ignore', 'pipe', 'pipe'] });
    this.#child = child;
    this.epoch = undefined;
    this.isFollowing = false;
    child.stderr.on('data', (piece: Buffer) => this.complaints.push(piece.toString()));
    createInterface({ input: child.stdout }).on('line', (line) => this.#hear(child, line));
    child.on('exit', () => {
      if (this.#child === child) this.epoch = undefined;
    });
  }

  signal(signal: NodeJS.Signals): void {
    this.#child?.kill(signal);
  }

  /** Nothing passes between this heart and the others any more, until `join`. */
  cut(): void {
    for (const wire of this.#wires) wire.setFault({ kind: 'silent' });
  }

  join(): void {
    for (const wire of this.#wires) wire.heal();
  }

  async close(): Promise<void> {
    const child = this.#child;
    if (child !== undefined && this.isUp) {
      const gone = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGKILL');
      await gone;
    }
    for (const wire of this.#wires) await wire.close();
  }

  get #wires(): readonly TcpProxy[] {
    return [...this.#toStores, this.#toNats];
  }

  #hear(child: ChildProcess, line: string): void {
    if (child !== this.#child) return;
    const [what, ...rest] = line.split(' ');
    if (what === 'following') this.isFollowing = true;
    if (what === 'ended') this.complaints.push(rest.join(' '));
    if (what !== 'leading') return;
    this.isFollowing = false;
    this.epoch = Number(rest[0]);
  }
}
