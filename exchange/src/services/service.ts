/** What a service is to the program: one descriptor of its own, and one entry in the list of services that gives it its ports. */
import { type Mounted, mountTables, type RouteTables, type TableHandlers } from '@orrery/api';
import type { Changes, LeasePort, Peers } from '@orrery/foundation';
import { assert } from '@orrery/units';
import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { DatabaseAddress } from '../database.ts';
import type { DurableSeq } from '../history/durable-seq.ts';
import type { ProgramHeart } from '../program-heart.ts';
import type { RatePort } from '../rate-port.ts';
import type { RunningChain } from '../start-chain.ts';
import type { Surroundings } from '../surroundings.ts';

/** The one database. `Tables` are those that the migrations of the service create. */
interface GroundDatabase {
  readonly address: DatabaseAddress;
  of<Tables>(): Kysely<Tables>;
  /** What other processes change in it; undefined with the embedded one, which is this process's alone. */
  readonly changes: Changes | undefined;
  /** By connections of their own, for keys that are read while a transaction is open: it would wait for itself. */
  keysOf<Tables>(): Kysely<Tables>;
  /** By connections of their own, for lists that anybody may page through: signing in waits for none of them. */
  readsOf<Tables>(): Kysely<Tables>;
}

/** What every service can be given. */
export interface Ground {
  readonly surroundings: Surroundings;
  readonly heart: ProgramHeart;
  readonly durableSeq: DurableSeq;
  readonly database: GroundDatabase;
  /** Under which background work is done. */
  readonly leases: LeasePort;
  readonly chain: RunningChain;
  /** The other processes with accounts on the same database, where there may be any. */
  readonly peers?: Peers | undefined;
  /** What a dollar costs in yuan. */
  readonly cnyRate: Pick<RatePort, 'now'>;
}

interface Running<Tables extends RouteTables> {
  readonly handlers: TableHandlers<Tables>;
  stop(): Promise<void>;
}

/** Exported by the service. Its migrations have run before `open` is called. */
export interface Service<Tables extends RouteTables, Ports, Opened extends Running<Tables>> {
  /** In the program's log, and the beginning of the names of its migrations. */
  readonly name: string;
  readonly routes: Tables;
  readonly migrations: Readonly<Record<string, Migration>>;
  open(ports: Ports): Opened | Promise<Opened>;
}

/** A service in the list of the program. */
export interface ServiceEntry {
  readonly name: string;
  readonly migrations: Readonly<Record<string, Migration>>;
  /** Opens it with the ports that the ground and the services before it give. */
  start(ground: Ground, started: StartedServices): Promise<void>;
}

interface ServiceName<Opened> {
  readonly name: string;
  open(ports: never): Opened | Promise<Opened>;
}

/** The services that run, in the order of their start. */
export class StartedServices {
  readonly #opened = new Map<string, unknown>();
  readonly #calls: Mounted[] = [];

  /** The calls of all of them. */
  get calls(): readonly Mounted[] {
    return this.#calls;
  }

  /** A service earlier in the list. */
  of<Opened>(service: ServiceName<Opened>): Opened {
    assert(this.#opened.has(service.name), `the service ${service.name} is started before it is used`);
    return this.#opened.get(service.name) as Opened;
  }

  add<Tables extends RouteTables, Opened extends Running<Tables>>(service: Service<Tables, never, Opened>, opened: Opened): void {
    assert(!this.#opened.has(service.name), `the service ${service.name} is started once`);
    this.#opened.set(service.name, opened);
    this.#calls.push(...mountTables(service.routes, opened.handlers));
  }
}

/**
 * @param portsOf what the service needs, from the ground and the services before it
 * @param afterwards is called once, with the service open
 */
export function serve<Tables extends RouteTables, Ports, Opened extends Running<Tables>>(
  service: Service<Tables, Ports, Opened>,
  portsOf: (ground: Ground, started: StartedServices) => Ports,
  afterwards: (opened: Opened, ground: Ground) => void = () => undefined,
): ServiceEntry {
  return {
    name: service.name,
    migrations: service.migrations,
    async start(ground, started) {
      const opened = await service.open(portsOf(ground, started));
      ground.surroundings.closing.add({ name: `the service ${service.name}`, stop: () => opened.stop() });
      started.add(service, opened);
      afterwards(opened, ground);
    },
  };
}
