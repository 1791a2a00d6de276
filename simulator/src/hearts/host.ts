/** A machine that keeps one program running: life after life of it, and what every program here is given. */
import type { Applied } from '@orrery/protocol';
import { HistoryDamaged, ReplayDiffers } from '@orrery/sequencer';
import type { Chance } from '../chance.ts';
import type { Timeline } from '../timeline.ts';
import { Violation } from '../violation.ts';
import type { SimNats } from './nats.ts';
import { type Machine, SimProcess } from './process.ts';
import type { Servers } from './servers.ts';
import { type Cuts, Wire } from './wire.ts';
import type { Witness } from './witness.ts';

export interface HostParts {
  readonly timeline: Timeline;
  readonly chance: Chance;
  readonly servers: Servers;
  readonly nats: SimNats;
  /** Machines that are cut off from the servers of the database. */
  readonly cutFromStore: Cuts;
  readonly witness: Witness;
  readonly count: (name: string) => void;
  readonly note: (line: string) => void;
  readonly onViolation: (error: unknown) => void;
}

export abstract class Host {
  readonly machine: Machine;
  protected readonly parts: HostParts;
  protected process: SimProcess | undefined;
  #lives = 0;

  constructor(machine: Machine, parts: HostParts) {
    this.machine = machine;
    this.parts = { ...parts, chance: parts.chance.split(machine.name) };
  }

  get isAlive(): boolean {
    return this.process?.isAlive === true;
  }

  get isPaused(): boolean {
    return this.process?.isPaused === true;
  }

  start(): void {
    if (this.isAlive) return;
    this.#lives += 1;
    this.process = new SimProcess(this.machine, this.parts.timeline, this.#lives);
    this.run(this.process);
  }

  /** For good. */
  end(): void {
    this.process?.end();
  }

  /** It ends where it stands, and is started again. */
  kill(downMs: number): void {
    this.process?.end();
    this.parts.timeline.after(downMs, () => this.start());
  }

  pause(forMs: number): void {
    const { process } = this;
    if (process === undefined || process.isPaused) return;
    process.pause();
    this.parts.timeline.after(forMs, () => process.continue());
  }

  protected abstract run(process: SimProcess): void;

  protected wireOf(process: SimProcess): Wire {
    const { timeline, chance, servers, cutFromStore } = this.parts;
    return new Wire({ timeline, chance: chance.split(`${process.name} wire`), process, servers, cuts: cutFromStore });
  }

  /** What ends a program here is a heart that was deposed, or a store that gave no answer; never a history that contradicts itself. */
  protected complain(process: SimProcess, error: unknown): void {
    const { note, onViolation } = this.parts;
    note(`${process.name} ends: ${String(error)}`);
    const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
    if (cause instanceof HistoryDamaged || cause instanceof ReplayDiffers)
      onViolation(new Violation('R7', `${process.name} meets two histories: ${cause.message}`, cause));
  }

  protected async listen(process: SimProcess, history: AsyncIterable<readonly Applied[]>): Promise<void> {
    try {
      for await (const batch of history) {
        if (!process.isAlive) return;
        this.parts.witness.hear(batch, process.name);
      }
    } catch (error) {
      if (process.isAlive) this.parts.onViolation(error);
    }
  }
}
