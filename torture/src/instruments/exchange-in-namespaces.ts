/**
 * An exchange of many processes: hearts on the journal of a primary and its standby, a worker, a projector and two gateways. Each heart has a network
 * namespace of its own where that is possible; all else is on the machine, which the hearts reach over one bridge.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import type { AddressInfo, Server } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { ENDS_WITH_PARENT, type Program, startProgram } from '../../../exchange/e2e/program.ts';
import { settingsOfRole, settingsOnChain } from '../../../exchange/e2e/shared-journal.ts';
import type { TraderKey } from '../program/serve-traders.ts';
import { CutNetwork } from './cut-network.ts';
import { closeEach, ended } from './ended.ts';
import { closeEngines, type Engines, openEngines } from './engines.ts';
import { startWorkers, tradersOf } from './gateways.ts';
import { relay } from '../program/relay.ts';
import { RoleHeart } from './role-heart.ts';
import { ServersInTurns } from './servers-in-turns.ts';

const RELAYS = fileURLToPath(new URL('../program/serve-relays.ts', import.meta.url));
const HEARTS = ['first', 'second'];
const GATEWAYS = 2;
const LOOPBACK = '127.0.0.1';
/** Nothing of the chain is measured here. */
const MINE_EVERY_MS = 500;
const READY_MS = 120_000;

interface Parts extends Engines {
  readonly postgres: ServersInTurns;
  /** Undefined where namespaces are not possible. */
  readonly network: CutNetwork | undefined;
}

/** Where the stores and NATS are reached. */
interface Way {
  readonly host: string;
  readonly stores: readonly number[];
  readonly nats: number;
}

export class ExchangeInNamespaces {
  readonly hearts: RoleHeart[] = [];
  readonly gateways: Program[] = [];
  readonly engines: Parts;
  readonly #folder: string;
  #servers: readonly Server[] = [];
  #relays: ChildProcess | undefined;
  #workers: ReturnType<typeof startWorkers> | undefined;

  private constructor(folder: string, engines: Parts) {
    this.#folder = folder;
    this.engines = engines;
  }

  static async open(folder: string): Promise<ExchangeInNamespaces> {
    const network = CutNetwork.isPossible() ? await CutNetwork.open(HEARTS) : undefined;
    let engines: Engines | undefined;
    try {
      engines = await openEngines({ mineEveryMs: MINE_EVERY_MS });
      return new ExchangeInNamespaces(folder, { ...engines, postgres: await ServersInTurns.start(), network });
    } catch (error) {
      const opened = engines;
      await closeEach([() => opened !== undefined && closeEngines(opened), () => network?.close()]);
      throw error;
    }
  }

  /** @returns the keys of traders with money */
  async begin(traders: number): Promise<readonly TraderKey[]> {
    const { postgres, nats, network } = this.engines;
    const { paths } = postgres.place;
    const near = await Promise.all(paths.map((path) => relay({ host: LOOPBACK, port: 0 }, { path })));
    const door = join(this.#folder, 'nats.sock');
    this.#servers = [...near, await relay({ path: door }, { host: LOOPBACK, port: nats.port })];
    const stores = near.map((each) => (each.address() as AddressInfo).port);
    const far = await this.#openRelays([...paths, door]);
    for (const name of HEARTS) {
      const options = { dataDirectory: join(this.#folder, name), env: this.#settings('heart', far), under: network?.under(name) ?? [] };
      this.hearts.push(new RoleHeart(name, options));
    }
    for (const heart of this.hearts) heart.start(0);
    const here: Way = { host: LOOPBACK, stores, nats: nats.port };
    this.#workers = startWorkers(join(this.#folder, 'workers'), {
      ...this.#settings('worker,projector', here),
      ORRERY_TRADERS: String(traders),
    });
    const keys = await tradersOf(this.#workers);
    for (let number = 1; number <= GATEWAYS; number += 1) {
      const dataDirectory = join(this.#folder, `gateway-${number}`);
      this.gateways.push(await startProgram({ dataDirectory, env: this.#settings('gateway', here), withinMs: READY_MS }));
    }
    return keys;
  }

  async close(): Promise<void> {
    const { postgres, network } = this.engines;
    const workers = this.#workers;
    await closeEach([
      () => Promise.all(this.gateways.map((gateway) => ended(gateway.process))),
      () => workers !== undefined && ended(workers),
      () => Promise.all(this.hearts.map((heart) => heart.close())),
      () => this.#relays?.kill('SIGKILL'),
      () => this.#servers.forEach((each) => void each.close()),
      () => network?.close(),
      () => closeEngines(this.engines),
      () => postgres.stop(),
    ]);
  }

  /** From where the hearts are. */
  async #openRelays(paths: readonly string[]): Promise<Way> {
    const { network } = this.engines;
    const host = network?.address ?? LOOPBACK;
    const [program = '', ...words] = [...(network?.under() ?? []), process.execPath, ...ENDS_WITH_PARENT, RELAYS, host, ...paths];
    const child = spawn(program, words, { stdio: ['pipe', 'pipe', 'inherit'] });
    this.#relays = child;
    for await (const line of createInterface({ input: child.stdout })) {
      const ports = JSON.parse(line) as number[];
      return { host, stores: ports.slice(0, -1), nats: ports.at(-1) ?? 0 };
    }
    throw new Error('the relays ended before they listened');
  }

  #settings(role: string, { host, stores, nats: port }: Way): Readonly<Record<string, string>> {
    const { nats, server, chain, postgres } = this.engines;
    const { user, database } = postgres.place;
    return {
      ...settingsOfRole(role, nats),
      ...server.database,
      ...settingsOnChain(chain),
      ORRERY_JOURNAL: `postgres://${user}@${stores.map((each) => `${host}:${each}`).join(',')}/${database}?target_session_attrs=read-write`,
      ORRERY_EVENTS: `nats://${host}:${port}`,
      ORRERY_MASTER_KEY_FILE: join(this.#folder, 'master.key'),
    };
  }
}
