/** The network between one process and the servers of the database: it delays, is cut, and breaks connections whose answer is on its way. */
import { StoreLost } from '@orrery/sequencer';
import type { Chance } from '../chance.ts';
import type { Timeline } from '../timeline.ts';
import type { SimProcess } from './process.ts';
import { ConnectionLost, type Servers } from './servers.ts';

/** As in production: who has no answer by then breaks the connection. */
const ANSWER_MS = 5_000;
/** One answer of this number is lost with its connection. */
const BROKEN = 400;

/** Machines that are cut off from something, in both directions. */
export class Cuts {
  readonly #names = new Map<string, number>();

  has(name: string): boolean {
    return this.#names.has(name);
  }

  /** `later` is given what heals it; a machine that was cut off twice is so until the later one. */
  cut(name: string | undefined, later: (heal: () => void) => void): void {
    if (name === undefined) return;
    const cuts = (this.#names.get(name) ?? 0) + 1;
    this.#names.set(name, cuts);
    later(() => {
      if (this.#names.get(name) === cuts) this.#names.delete(name);
    });
  }

  healAll(): void {
    this.#names.clear();
  }
}

export interface WireParts {
  readonly timeline: Timeline;
  readonly chance: Chance;
  readonly process: SimProcess;
  readonly servers: Servers;
  readonly cuts: Cuts;
}

export class Wire {
  readonly #parts: WireParts;

  constructor(parts: WireParts) {
    this.#parts = parts;
  }

  get process(): SimProcess {
    return this.#parts.process;
  }

  /** @throws StoreLost when there is no answer: then it may have happened. Whatever else the server says it throws as it is */
  ask<Answer>(act: (servers: Servers) => Answer | Promise<Answer>): Promise<Answer> {
    const { timeline, chance, process, servers } = this.#parts;
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    const lost = (why: string): void => reject(new StoreLost(why));
    const cancel = process.after(ANSWER_MS, () => lost('no answer came in time'));
    const [there, back, breaks] = [this.#delay(), this.#delay(), chance.oneIn(BROKEN)];
    const answer = (settle: () => void): void => {
      timeline.after(back, () => {
        if (this.#isCut) return;
        process.enter(() => {
          cancel();
          if (breaks) lost('the connection broke');
          else settle();
        });
      });
    };
    timeline.after(there, () => {
      if (this.#isCut) return;
      Promise.resolve(servers)
        .then(act)
        .then(
          (value) => answer(() => resolve(value)),
          (error: Error) => answer(() => (error instanceof ConnectionLost ? lost(error.message) : reject(error))),
        );
    });
    return promise;
  }

  /** Calls `act` some time after each append, unless that is lost. @returns what ends it */
  listen(act: () => void): () => void {
    const { timeline, process, servers } = this.#parts;
    const heard = (): void => {
      timeline.after(this.#delay(), () => {
        if (!this.#isCut) process.enter(act);
      });
    };
    servers.listeners.add(heard);
    process.onEnd(() => servers.listeners.delete(heard));
    return () => servers.listeners.delete(heard);
  }

  get #isCut(): boolean {
    return this.#parts.cuts.has(this.#parts.process.machine.name);
  }

  #delay(): number {
    return this.#parts.chance.magnitude(0.2, 3);
  }
}
