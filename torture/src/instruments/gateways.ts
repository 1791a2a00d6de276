/** An exchange whose gateways are processes of their own, as many as wanted, on one heart, one database and one chain. */
import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { ENDS_WITH_PARENT, type Program, startProgram } from '../../../exchange/e2e/program.ts';
import { settingsOfRole, settingsOnChain } from '../../../exchange/e2e/shared-journal.ts';
import type { TraderKey } from '../program/serve-traders.ts';
import { closeEach, ended } from './ended.ts';
import { closeEngines, type Engines, openEngines } from './engines.ts';

const TRADERS = fileURLToPath(new URL('../program/serve-traders.ts', import.meta.url));
/** Nothing of the chain is measured here. */
const MINE_EVERY_MS = 500;
/** Until there is a heart that leads, the contracts are on the chain, and every trader has money. */
const TRADERS_MS = 180_000;

type Workers = ChildProcessByStdio<Writable, Readable, null>;

/** The worker and the projector in one process, which makes as many traders as ORRERY_TRADERS says. */
export function startWorkers(dataDirectory: string, settings: Readonly<Record<string, string>>): Workers {
  const env = { ...process.env, ...settings, ORRERY_PORT: '0', ORRERY_DATA: dataDirectory, ORRERY_LOG: 'error' };
  return spawn(process.execPath, [...ENDS_WITH_PARENT, TRADERS], { stdio: ['pipe', 'pipe', 'inherit'], env });
}

/** The workers are ended when they are not there within `TRADERS_MS`. */
export async function tradersOf(workers: Workers): Promise<readonly TraderKey[]> {
  const late = setTimeout(() => workers.kill('SIGKILL'), TRADERS_MS);
  try {
    for await (const line of createInterface({ input: workers.stdout })) return JSON.parse(line) as readonly TraderKey[];
  } finally {
    clearTimeout(late);
  }
  throw new Error('the workers ended before their traders were there');
}

interface Parts extends Engines {
  readonly folder: string;
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
    return new Gateways({ folder, ...(await openEngines({ mineEveryMs: MINE_EVERY_MS })) });
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
    const [workers, heart] = [this.#workers, this.#heart];
    await closeEach([
      () => Promise.all(this.all.map((gateway) => ended(gateway.process))),
      () => workers !== undefined && ended(workers),
      () => heart !== undefined && ended(heart.process),
      () => closeEngines(this.#parts),
    ]);
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
