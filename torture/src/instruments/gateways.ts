/** An exchange whose gateways are processes of their own, as many as wanted, on one heart, one database and one chain. */
import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { ENDS_WITH_PARENT, type Program, startProgram } from '../../../exchange/e2e/program.ts';
import { settingsOfRole, settingsOnChain, sharedServer, type SharedServer } from '../../../exchange/e2e/shared-journal.ts';
import { TestChain } from '../../../exchange/e2e/test-chain.ts';
import { NatsServer } from '../../../exchange/src/testing/nats-server.ts';
import type { TraderKey } from '../program/serve-traders.ts';

const TRADERS = fileURLToPath(new URL('../program/serve-traders.ts', import.meta.url));
/** Nothing of the chain is measured here. */
const MINE_EVERY_MS = 500;

type Workers = ChildProcessByStdio<Writable, Readable, null>;

/** The worker and the projector in one process, which makes as many traders as ORRERY_TRADERS says. */
export function startWorkers(dataDirectory: string, settings: Readonly<Record<string, string>>): Workers {
  const env = { ...process.env, ...settings, ORRERY_PORT: '0', ORRERY_DATA: dataDirectory, ORRERY_LOG: 'error' };
  return spawn(process.execPath, [...ENDS_WITH_PARENT, TRADERS], { stdio: ['pipe', 'pipe', 'inherit'], env });
}

export async function tradersOf({ stdout }: Workers): Promise<readonly TraderKey[]> {
  for await (const line of createInterface({ input: stdout })) return JSON.parse(line) as readonly TraderKey[];
  throw new Error('the workers ended before their traders were there');
}

export async function endWorkers(workers: Workers): Promise<void> {
  if (workers.exitCode !== null) return;
  const gone = once(workers, 'exit');
  workers.kill('SIGTERM');
  await gone;
}

interface Parts {
  readonly folder: string;
  readonly nats: NatsServer;
  readonly server: SharedServer;
  readonly chain: TestChain;
}

export class Gateways {
  readonly all: Program[] = [];
  readonly #parts: Parts;
  #heart: Program | undefined;
  #workers: Workers | undefined;

  private constructor(parts: Parts) {
    this.#parts = parts;
  }

  static async open(folder: string): Promise<Gateways> {
    const [nats, server, chain] = await Promise.all([NatsServer.start(), sharedServer(), TestChain.open({ mineEveryMs: MINE_EVERY_MS })]);
    return new Gateways({ folder, nats, server, chain });
  }

  /** The heart, and the workers with these traders. */
  async begin(traders: number): Promise<readonly TraderKey[]> {
    this.#heart = await startProgram({ dataDirectory: join(this.#parts.folder, 'heart'), env: this.#settings('heart') });
    this.#workers = startWorkers(join(this.#parts.folder, 'workers'), {
      ...this.#settings('worker,projector'),
      ORRERY_TRADERS: String(traders),
    });
    return tradersOf(this.#workers);
  }

  async add(): Promise<Program> {
    const dataDirectory = join(this.#parts.folder, `gateway-${this.all.length + 1}`);
    const gateway = await startProgram({ dataDirectory, env: this.#settings('gateway') });
    this.all.push(gateway);
    return gateway;
  }

  async close(): Promise<void> {
    await Promise.all(this.all.map((gateway) => gateway.stop()));
    if (this.#workers !== undefined) await endWorkers(this.#workers);
    await this.#heart?.stop();
    const { nats, chain, server } = this.#parts;
    await nats.kill();
    await chain.close();
    await server.stop();
  }

  #settings(role: string): Readonly<Record<string, string>> {
    const { nats, server, chain, folder } = this.#parts;
    return {
      ...settingsOfRole(role, nats),
      ...server.journal,
      ...server.database,
      ...settingsOnChain(chain),
      ORRERY_MASTER_KEY_FILE: join(folder, 'master.key'),
    };
  }
}
