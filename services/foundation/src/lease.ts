/**
 * The right to do one kind of background work: of all processes on one database one has it at a time. It ends with its term, by the database's clock; its holder
 * stops before that by a clock of its own. What is done under it runs inside `whileHeld`: from there each effect finds the hold that it stands under.
 */
import { AsyncLocalStorage } from 'node:async_hooks';

/** The work goes on in another process, or when the lease is taken again: what failed with it is no trouble. */
export class LeaseLost extends Error {
  constructor(kind: string, cause?: unknown) {
    super(`the lease of ${kind} is lost`, { cause });
    this.name = 'LeaseLost';
  }
}

/** One continuous time in which the lease was held. It does not begin again: what is taken later is another one. */
export interface Hold {
  readonly kind: string;
  /** A fencing number: the next holder of the lease has a greater one. */
  readonly term: number;
  /** In SQL, where a transaction compares it; undefined where the process is alone. */
  readonly holder: string | undefined;
  /** Aborted when the lease is lost or given back. */
  readonly signal: AbortSignal;
  /** Before each effect. @throws LeaseLost */
  check(): void;
}

export interface Lease {
  readonly kind: string;
  /** Undefined while another process acts, or none is known to. */
  hold(): Hold | undefined;
  /** Calls `listener` each time that the lease is taken from now on; the returned function ends that. */
  onTaken(listener: () => void): () => void;
}

export interface LeasePort {
  /** Asks for the lease, now and from now on. Resolves when it is known whether it is held. */
  open(kind: string): Promise<Lease>;
}

const acting = new AsyncLocalStorage<Hold>();

/** Under which hold the caller acts; undefined outside of background work. */
export const currentHold = (): Hold | undefined => acting.getStore();

/** Before an effect that is not SQL: outside of background work it is always allowed. @throws LeaseLost */
export const checkHold = (): void => currentHold()?.check();

/** What begins here acts for nobody's lease. */
export const outsideHolds = <Answer>(work: () => Answer): Answer => acting.exit(work);

/** Does the work if the lease is held, and else nothing. What the loss of the lease cuts off is done by the next holder. */
export async function whileHeld(lease: Lease, work: (hold: Hold) => Promise<void>): Promise<void> {
  const hold = lease.hold();
  if (hold === undefined) return;
  try {
    await acting.run(hold, () => work(hold));
  } catch (error) {
    if (!(error instanceof LeaseLost)) throw error;
  }
}

/** For a process that is alone by construction, such as a simulated one: held, always. */
export function localLease(kind: string): Lease {
  const hold: Hold = { kind, term: 1, holder: undefined, signal: new AbortController().signal, check: () => undefined };
  return { kind, hold: () => hold, onTaken: () => () => undefined };
}

/** For a process that leaves a kind of work to others: never held. */
export const noLease = (kind: string): Lease => ({ kind, hold: () => undefined, onTaken: () => () => undefined });

export const localLeases = (): LeasePort => ({ open: (kind) => Promise.resolve(localLease(kind)) });
