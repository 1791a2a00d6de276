/**
 * A machine with a worker: under the production leases it does one job after another, an effect outside, a command to the heart, and a row in SQL that is compared
 * with the term. The lease itself is a row of the simulated servers, with the meaning of the production statement.
 */
import { type Hold, type Lease, LeaseLost, Leases, type LeaseStore, localLease, whileHeld } from '@orrery/foundation';
import { StoreLost } from '@orrery/sequencer';
import { HeartError } from '@orrery/protocol';
import { HeartLink } from '../../../exchange/src/link/heart-link.ts';
import { Violation } from '../violation.ts';
import { PREFIX } from './heart-host.ts';
import { Host, type HostParts } from './host.ts';
import { deposit } from './people.ts';
import type { Machine, SimProcess } from './process.ts';
import type { Servers, Tables } from './servers.ts';
import type { Wire } from './wire.ts';

const KIND = 'payouts';
const EVERY_MS = 900;
const ACT_MS = 250;

/** One step of an effect outside, by the true time. */
export interface Act {
  readonly job: number;
  readonly worker: string;
  readonly term: number;
}

export interface WorkerOptions {
  readonly parts: HostParts;
  /** In the order in which they happened, of all workers. */
  readonly acts: Act[];
  /** A planted fault: it acts without holding the lease. */
  readonly needsNoLease: boolean;
  readonly others: readonly WorkerHost[];
}

export class WorkerHost extends Host {
  readonly #options: WorkerOptions;
  #lease: Lease | undefined;
  #isOpen = false;

  constructor(machine: Machine, options: WorkerOptions) {
    super(machine, options.parts);
    this.#options = options;
  }

  /** There is work from now on. */
  open(): void {
    this.#isOpen = true;
  }

  /** There is no more. */
  close(): void {
    this.#isOpen = false;
  }

  /** Whether it may act now, as it believes itself. */
  get holds(): boolean {
    return this.isAlive && !this.isPaused && this.#lease?.hold() !== undefined;
  }

  protected override run(process: SimProcess): void {
    const { nats, chance } = this.parts;
    this.#lease = undefined;
    const wire = this.wireOf(process);
    const link = new HeartLink({
      connection: nats.connect(process, chance.split(`${process.name} nats`)),
      prefix: PREFIX,
      monotonicMs: process.monotonicMs,
      timer: process.timer,
      onTrouble: (error) => this.#trouble(process, error),
    });
    this.#open(process, wire)
      .then((lease) => {
        this.#lease = lease;
        this.#workLater(process, { lease, wire, link });
      })
      .catch((error: unknown) => this.#trouble(process, error));
  }

  #open(process: SimProcess, wire: Wire): Promise<Lease> {
    if (this.#options.needsNoLease) return Promise.resolve(localLease(KIND));
    const leases = new Leases({
      store: leasesOver(wire),
      holder: process.name,
      place: `${this.machine.name}/`,
      monotonicMs: process.monotonicMs,
      timer: process.timer,
      onTrouble: (error) => this.#trouble(process, error),
    });
    return leases.open(KIND);
  }

  #workLater(process: SimProcess, work: Work): void {
    process.after(this.parts.chance.exponential(EVERY_MS), () => {
      if (!this.#isOpen) return this.#workLater(process, work);
      whileHeld(work.lease, (hold) => this.#work(process, work, hold))
        .catch((error: unknown) => this.#trouble(process, error))
        .finally(() => this.#workLater(process, work));
    });
  }

  async #work(process: SimProcess, { wire, link }: Work, hold: Hold): Promise<void> {
    const job = await wire.ask(({ tables }) => tables.jobs.size + 1);
    this.#act(hold, { job, worker: process.name, term: hold.term });
    await new Promise<void>((resolve) => void process.after(ACT_MS, resolve));
    this.#act(hold, { job, worker: process.name, term: hold.term });
    await link.submit(deposit(`job:${job}`, 1));
    hold.check();
    await wire.ask((servers) => servers.write((tables) => finish(tables, job, hold)));
    this.parts.count('jobs');
  }

  /** An effect that no row can fence: the hold is looked at just before. */
  #act(hold: Hold, act: Act): void {
    const { acts, others } = this.#options;
    hold.check();
    acts.push(act);
    const other = others.find((each) => each !== this && each.holds);
    if (other !== undefined)
      this.parts.onViolation(new Violation('lease', `${act.worker} acts under term ${act.term} while ${other.machine.name} may act too`));
  }

  #trouble(process: SimProcess, error: unknown): void {
    if (!process.isAlive) return;
    if (error instanceof StoreLost || error instanceof HeartError || error instanceof LeaseLost) this.parts.count('troubles of workers');
    else this.parts.onViolation(error);
  }
}

interface Work {
  readonly lease: Lease;
  readonly wire: Wire;
  readonly link: HeartLink;
}

/** Under the fence of the term, where there is one. @throws LeaseLost */
function finish({ leases, jobs }: Tables, job: number, hold: Hold): void {
  const row = leases.get(KIND);
  if (hold.holder !== undefined && (row?.holder !== hold.holder || row.term !== hold.term)) throw new LeaseLost(KIND);
  jobs.set(job, { holder: hold.holder ?? 'nobody', times: (jobs.get(job)?.times ?? 0) + 1 });
}

/** As the statement of `lease-table.ts` decides; the time is that at which a statement begins, by the clock of the server. */
function leasesOver(wire: Wire): LeaseStore {
  return {
    renew: ({ holder, place, asked, forMs }) =>
      wire.ask((servers) => {
        const now = servers.nowMs();
        return servers.write(({ leases }) =>
          asked.flatMap(({ kind, term, isFirst }) => {
            const held = leases.get(kind);
            const isOwn = held?.holder === holder;
            const isFree = held === undefined || isOwn || held.expires <= now || (isFirst && held.holder.startsWith(place));
            if (!isFree) return [];
            const next = held === undefined ? term + 1 : isOwn && held.term === term ? held.term : held.term + 1;
            leases.set(kind, { holder, term: next, expires: now + forMs });
            return [{ kind, term: next }];
          }),
        );
      }),
    endsIn: (kinds) =>
      wire.ask((servers) => {
        const ends = kinds.flatMap((kind) => servers.tables.leases.get(kind)?.expires ?? []);
        return ends.length === 0 ? undefined : Math.min(...ends) - servers.nowMs();
      }),
    release: (holder) =>
      wire.ask((servers: Servers) => {
        const now = servers.nowMs();
        return servers.write(({ leases }) => {
          for (const [kind, row] of leases) if (row.holder === holder) leases.set(kind, { ...row, expires: now });
        });
      }),
  };
}
