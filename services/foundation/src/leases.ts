/**
 * The leases of one process: taken and renewed together, one statement every few seconds for all kinds. A process that waits for one looks again at the moment
 * at which it ends: nothing is left undone for longer than a term.
 */
import { type Hold, type Lease, LeaseLost, type LeasePort, outsideHolds } from './lease.ts';
import { systemTimer, type Timer } from './timer.ts';

/** By the database's clock. */
const LEASE_TERM_MS = 20_000;
/** Before the database gives a lease away its holder has stopped. */
const LEASE_MARGIN_MS = 5_000;
const RENEW_MS = 4_000;
/** After the end of a lease of another process. */
const LOOK_AFTER_MS = 20;

export interface AskedLease {
  readonly kind: string;
  /** Under which it is held here; 0 when it is not. */
  readonly term: number;
  /** Whether this process asks for the first time. */
  readonly isFirst: boolean;
}

/** Where leases are kept: the database decides, by its clock. */
export interface LeaseStore {
  /** Takes what is free, renews what is held. @returns those that are held by `holder` now, for `forMs` from then on */
  renew(asking: {
    readonly holder: string;
    /** Holders whose names begin with it are replaced at the first time. */
    readonly place: string;
    readonly asked: readonly AskedLease[];
    readonly forMs: number;
  }): Promise<readonly { readonly kind: string; readonly term: number }[]>;
  /** @returns milliseconds until the first of these leases ends, unless it is renewed; undefined where none is held */
  endsIn(kinds: readonly string[]): Promise<number | undefined>;
  release(holder: string): Promise<void>;
}

export interface LeasesParts {
  readonly store: LeaseStore;
  /** Of this process: no other has the same, nor had. */
  readonly holder: string;
  /** The beginning of `holder` that processes have in common of which only the latest is alive, such as those of one data folder. */
  readonly place: string;
  readonly monotonicMs: () => number;
  readonly onTrouble: (error: unknown) => void;
  readonly timer?: Timer;
  readonly terms?: { readonly termMs: number; readonly marginMs: number; readonly renewMs: number };
}

const TERMS = { termMs: LEASE_TERM_MS, marginMs: LEASE_MARGIN_MS, renewMs: RENEW_MS } as const;

export class Leases implements LeasePort {
  readonly #parts: LeasesParts;
  readonly #timer: Timer;
  readonly #terms: { readonly termMs: number; readonly marginMs: number; readonly renewMs: number };
  readonly #kinds = new Map<string, SqlLease>();
  #renewing: Promise<void> = Promise.resolve();
  #cancel: () => void = () => undefined;
  #isStopped = false;
  /** From the last renewal: until a lease ends for which this process waits. */
  #endsInMs: number | undefined;

  constructor(parts: LeasesParts) {
    this.#parts = parts;
    this.#timer = parts.timer ?? systemTimer;
    this.#terms = parts.terms ?? TERMS;
    this.#renewLater();
  }

  async open(kind: string): Promise<Lease> {
    const lease = this.#kinds.get(kind) ?? new SqlLease({ kind, parts: this.#parts, timer: this.#timer });
    this.#kinds.set(kind, lease);
    await this.renew();
    return lease;
  }

  /** Those that this process asks for, and which of them it holds. */
  held(): readonly { readonly kind: string; readonly isHeld: boolean }[] {
    return [...this.#kinds.values()].map((lease) => ({ kind: lease.kind, isHeld: lease.hold() !== undefined }));
  }

  /** Also runs automatically. A database that does not answer is reported, and leaves what is held until its end. */
  renew(): Promise<void> {
    const renewed = this.#renewing.then(() => outsideHolds(() => this.#renew()));
    this.#renewing = renewed;
    return renewed;
  }

  /** Gives all of them back at once. The work must have stopped. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#cancel();
    await this.#renewing;
    const isAny = this.held().some(({ isHeld }) => isHeld);
    for (const lease of this.#kinds.values()) lease.end();
    if (isAny) await this.#parts.store.release(this.#parts.holder);
  }

  async #renew(): Promise<void> {
    if (this.#isStopped || this.#kinds.size === 0) return;
    const { store, holder, place, monotonicMs, onTrouble } = this.#parts;
    const { termMs, marginMs } = this.#terms;
    // Before the database decides: the term ends no earlier than `termMs` from here.
    const until = monotonicMs() + termMs - marginMs;
    const leases = [...this.#kinds.values()];
    try {
      const taken = await store.renew({ holder, place, asked: leases.map((lease) => lease.asked()), forMs: termMs });
      const terms = new Map(taken.map(({ kind, term }) => [kind, term]));
      for (const lease of leases) lease.settle(terms.get(lease.kind), until);
      const waiting = leases.map(({ kind }) => kind).filter((kind) => !terms.has(kind));
      this.#endsInMs = waiting.length === 0 ? undefined : await store.endsIn(waiting);
    } catch (error) {
      onTrouble(error);
    }
  }

  #renewLater(afterMs = this.#terms.renewMs): void {
    this.#cancel = this.#timer(() => {
      void this.renew().then(() => {
        if (!this.#isStopped) this.#renewLater(this.#nextMs());
      });
    }, afterMs);
  }

  #nextMs(): number {
    return Math.max(LOOK_AFTER_MS, Math.min(this.#terms.renewMs, (this.#endsInMs ?? Infinity) + LOOK_AFTER_MS));
  }
}

interface SqlLeaseParts {
  readonly kind: string;
  readonly parts: LeasesParts;
  readonly timer: Timer;
}

class SqlLease implements Lease {
  readonly kind: string;
  readonly #parts: LeasesParts;
  readonly #timer: Timer;
  readonly #listeners = new Set<() => void>();
  #isFirst = true;
  #hold: SqlHold | undefined;

  constructor({ kind, parts, timer }: SqlLeaseParts) {
    this.kind = kind;
    this.#parts = parts;
    this.#timer = timer;
  }

  hold(): Hold | undefined {
    return this.#hold?.isOver() === false ? this.#hold : undefined;
  }

  onTaken(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  asked(): AskedLease {
    return { kind: this.kind, term: this.hold()?.term ?? 0, isFirst: this.#isFirst };
  }

  /** @param term under which it is held; undefined when another has it */
  settle(term: number | undefined, until: number): void {
    this.#isFirst = false;
    const held = this.hold();
    if (held !== undefined && held === this.#hold && held.term === term) {
      this.#hold.extend(until);
      return;
    }
    this.end();
    if (term === undefined || this.#parts.monotonicMs() >= until) return;
    const { holder, monotonicMs } = this.#parts;
    this.#hold = new SqlHold({ kind: this.kind, term, holder, until, monotonicMs, timer: this.#timer });
    for (const listener of this.#listeners) listener();
  }

  end(): void {
    this.#hold?.end();
    this.#hold = undefined;
  }
}

interface SqlHoldParts {
  readonly kind: string;
  readonly term: number;
  readonly holder: string;
  /** By the monotonic clock of the process, in milliseconds. */
  readonly until: number;
  readonly monotonicMs: () => number;
  readonly timer: Timer;
}

class SqlHold implements Hold {
  readonly kind: string;
  readonly term: number;
  readonly holder: string;
  readonly #ending = new AbortController();
  readonly #monotonicMs: () => number;
  readonly #timer: Timer;
  #until: number;
  #cancel: () => void = () => undefined;

  constructor({ kind, term, holder, until, monotonicMs, timer }: SqlHoldParts) {
    this.kind = kind;
    this.term = term;
    this.holder = holder;
    this.#until = until;
    this.#monotonicMs = monotonicMs;
    this.#timer = timer;
    this.#watch();
  }

  get signal(): AbortSignal {
    return this.#ending.signal;
  }

  /** Looks at the clock: a process that was paused has no timer that fired. */
  isOver(): boolean {
    if (this.#monotonicMs() >= this.#until) this.end();
    return this.signal.aborted;
  }

  check(): void {
    if (this.isOver()) throw new LeaseLost(this.kind);
  }

  extend(until: number): void {
    this.#until = Math.max(this.#until, until);
  }

  end(): void {
    this.#cancel();
    this.#ending.abort(new LeaseLost(this.kind));
  }

  #watch(): void {
    this.#cancel = this.#timer(
      () => {
        if (!this.isOver()) this.#watch();
      },
      Math.max(1, this.#until - this.#monotonicMs()),
    );
  }
}
