/**
 * Whether the exchange can be reached, learned from the calls that are made anyway. While it cannot, nobody else has to try:
 * one question is repeated, later each time, until it is answered.
 */
export type ReachPhase = 'unknown' | 'reached' | 'lost' | 'maintenance';

export interface ReachState {
  readonly phase: ReachPhase;
  /** When this phase began, unix milliseconds. */
  readonly since: number;
}

/** How a call ended: answered by the exchange, by a host that says it is out of service, or by nobody. */
export type CallEnd = 'answered' | 'outOfService' | 'silence';

export interface ReachPorts {
  readonly now: () => number;
  readonly sleep: (millis: number) => Promise<void>;
  /** One small call. Never rejects. */
  readonly probe: () => Promise<CallEnd>;
}

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 8_000;

const PHASE_OF = { answered: 'reached', outOfService: 'maintenance', silence: 'lost' } as const satisfies Record<CallEnd, ReachPhase>;

export const isAway = ({ phase }: ReachState): boolean => phase === 'lost' || phase === 'maintenance';

export class Reach {
  readonly #ports: ReachPorts;
  readonly #listeners = new Set<() => void>();
  #state: ReachState;
  #isProbing = false;

  constructor(ports: ReachPorts) {
    this.#ports = ports;
    this.#state = { phase: 'unknown', since: ports.now() };
  }

  readonly get = (): ReachState => this.#state;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Every call reports its end here. */
  ended(end: CallEnd): void {
    const phase = PHASE_OF[end];
    if (phase === this.#state.phase) return;
    const wasAway = isAway(this.#state);
    // An outage that turns into maintenance began when the outage did.
    const since = wasAway && end !== 'answered' ? this.#state.since : this.#ports.now();
    this.#state = { phase, since };
    for (const listener of this.#listeners) listener();
    if (isAway(this.#state) && !this.#isProbing) void this.#probe();
  }

  /** Asks now, for someone whom silence elsewhere makes doubt. */
  async check(): Promise<CallEnd> {
    const end = await this.#ports.probe();
    this.ended(end);
    return end;
  }

  /** Resolves when the exchange can be reached, at once when nothing says that it cannot. */
  whenReached(): Promise<void> {
    return this.#when(() => !isAway(this.#state));
  }

  /** Resolves when somebody answers, a host that is out of service too: it has the files of the page. */
  whenAnswered(): Promise<void> {
    return this.#when(() => this.#state.phase !== 'lost');
  }

  async #when(isSo: () => boolean): Promise<void> {
    if (isSo()) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const leave = this.subscribe(() => isSo() && resolve());
    await promise;
    leave();
  }

  async #probe(): Promise<void> {
    this.#isProbing = true;
    for (let wait = FIRST_WAIT_MS; isAway(this.#state); wait = Math.min(2 * wait, LONGEST_WAIT_MS)) {
      await this.#ports.sleep(wait);
      if (isAway(this.#state)) this.ended(await this.#ports.probe());
    }
    this.#isProbing = false;
  }
}
