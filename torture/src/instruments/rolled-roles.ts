/** An exchange of processes of all roles, of which each may be replaced by one of another build: the same folder, port and settings, and another program. */
import { type ChildProcess, execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { join } from 'node:path';
import { type Program, startProgram } from '../../../exchange/e2e/program.ts';
import { settingsOfRole, settingsOnChain } from '../../../exchange/e2e/shared-journal.ts';
import { until } from '../../../exchange/e2e/until.ts';
import { closeEach, ended } from './ended.ts';
import { closeEngines, type Engines, openEngines } from './engines.ts';
import { lastingPort } from './lasting-port.ts';

const MINE_EVERY_MS = 100;
const POLL_MS = 20;
const FOLLOWS = 'following the journal';

/** A checkout with its modules and its built terminal. */
export interface Build {
  readonly checkout: string;
  /** The commit that is checked out there. */
  readonly commit: string;
}

const OURS = fileURLToPath(new URL('../../..', import.meta.url));

export function buildIn(checkout = OURS): Build {
  const [revision, changed] = [
    ['rev-parse', '--short=8', 'HEAD'],
    ['status', '--porcelain', '--untracked-files=no'],
  ].map((words) => gitIn(checkout, words));
  return { checkout, commit: `${revision ?? 'unknown'}${changed === undefined || changed === '' ? '' : ' with changes'}` };
}

function gitIn(checkout: string, words: readonly string[]): string | undefined {
  try {
    return execFileSync('git', ['-C', checkout, ...words], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    return undefined;
  }
}

interface Running {
  readonly child: ChildProcess;
  /** Resolves when it is ready, which a heart is once it leads. */
  readonly ready: Promise<Program>;
  hasSaid: string;
}

/** One place in which a process runs, of one build after the other. */
export class Place {
  readonly name: string;
  readonly folder: string;
  readonly #role: string;
  readonly #settings: Readonly<Record<string, string>>;
  readonly #metricsPort: number;
  #running: Running | undefined;
  build: Build | undefined;

  constructor(name: string, { role, folder, settings, metricsPort }: PlaceOptions) {
    this.name = name;
    this.folder = join(folder, name);
    this.#role = role;
    this.#settings = settings;
    this.#metricsPort = metricsPort;
  }

  /** Resolves when it is ready, as `/readyz` says it; a heart that follows, when it does. */
  async start(build: Build): Promise<void> {
    this.build = build;
    let child: ChildProcess | undefined;
    let running: Running | undefined;
    let early = '';
    const ready = startProgram({
      dataDirectory: this.folder,
      checkout: build.checkout,
      env: this.#settings,
      onSpawn: (spawned) => (child = spawned),
      onOutput: (text) => {
        if (running === undefined) early += text;
        else running.hasSaid = (running.hasSaid + text).slice(-20_000);
      },
    });
    if (child === undefined) throw new Error('a process that starts is there at once');
    running = { child, ready, hasSaid: early };
    this.#running = running;
    let failure: unknown;
    // A heart that follows is ended before it was ready: that is no failure of its start.
    ready.catch((error: unknown) => (failure = error));
    await until(
      `${this.name} is ready`,
      async () => {
        if (failure !== undefined) throw failure;
        return this.isFollowing || (await this.isReady());
      },
      { everyMs: POLL_MS },
    );
  }

  get isFollowing(): boolean {
    const said = this.#running?.hasSaid ?? '';
    return this.#role === 'heart' && said.includes(FOLLOWS) && !said.includes('leading the journal');
  }

  async isReady(): Promise<boolean> {
    try {
      const { status } = await fetch(`http://127.0.0.1:${this.#metricsPort}/readyz`, { signal: AbortSignal.timeout(2_000) });
      return status === 200;
    } catch {
      return false;
    }
  }

  /** SIGTERM, or another signal. @returns its exit code; null when it did not end in time. */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
    const child = this.#running?.child;
    return child === undefined ? null : ended(child, signal);
  }
}

interface PlaceOptions {
  readonly role: string;
  readonly folder: string;
  readonly settings: Readonly<Record<string, string>>;
  readonly metricsPort: number;
}

interface Parts extends Engines {
  readonly folder: string;
}

export class RolledRoles {
  readonly gateways: readonly (Place & { readonly url: string })[];
  readonly workers: Place;
  readonly hearts: readonly Place[];
  readonly #parts: Parts;

  private constructor(parts: Parts, places: Pick<RolledRoles, 'gateways' | 'workers' | 'hearts'>) {
    this.#parts = parts;
    this.gateways = places.gateways;
    this.workers = places.workers;
    this.hearts = places.hearts;
  }

  /** Nothing runs yet but what they stand on. */
  static async open(folder: string): Promise<RolledRoles> {
    // The places run nothing yet: whatever fails here leaves only the engines.
    const engines = await openEngines({ mineEveryMs: MINE_EVERY_MS });
    try {
      return await RolledRoles.#on({ folder, ...engines });
    } catch (error) {
      await closeEngines(engines);
      throw error;
    }
  }

  static async #on(parts: Parts): Promise<RolledRoles> {
    const { folder } = parts;
    const place = async (name: string, role: string): Promise<Place & { readonly url: string }> => {
      const [port, metricsPort] = [await lastingPort(), await lastingPort()];
      const ports = { ORRERY_PORT: String(port), ORRERY_METRICS_PORT: String(metricsPort) };
      const options = { role, folder, settings: { ...settingsOf(parts, role), ...ports }, metricsPort };
      return Object.assign(new Place(name, options), { url: `http://127.0.0.1:${port}` });
    };
    const hearts = [await place('heart-1', 'heart'), await place('heart-2', 'heart')];
    const workers = await place('workers', 'worker,projector');
    const gateways = [await place('gateway-1', 'gateway'), await place('gateway-2', 'gateway')];
    return new RolledRoles(parts, { gateways, workers, hearts });
  }

  get all(): readonly Place[] {
    return [...this.hearts, this.workers, ...this.gateways];
  }

  async start(build: Build): Promise<void> {
    for (const heart of this.hearts) await heart.start(build);
    // The first gateway or worker puts the contracts on the chain, the others wait for it.
    await Promise.all([this.workers, ...this.gateways].map((place) => place.start(build)));
  }

  /** The hearts last. */
  async stop(): Promise<void> {
    for (const place of [...this.gateways, this.workers, ...(await this.heartsInOrder())]) await place.stop();
  }

  /** The one that follows first. */
  heartsInOrder(): Promise<readonly Place[]> {
    return until('one of the hearts leads', async () => {
      const leads = await Promise.all(this.hearts.map((heart) => heart.isReady()));
      if (leads.filter(Boolean).length !== 1) return undefined;
      return this.hearts.toSorted((one, other) => Number(leads[this.hearts.indexOf(one)]) - Number(leads[this.hearts.indexOf(other)]));
    });
  }

  close(): Promise<void> {
    return closeEach([() => Promise.all(this.all.map((place) => place.stop('SIGKILL'))), () => closeEngines(this.#parts)]);
  }
}

const settingsOf = ({ nats, server, chain, folder }: Parts, role: string): Readonly<Record<string, string>> => ({
  ...settingsOfRole(role, nats),
  ...server.journal,
  ...server.database,
  ...settingsOnChain(chain),
  ORRERY_MASTER_KEY_FILE: join(folder, 'master.key'),
});
