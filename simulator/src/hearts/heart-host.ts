/** A machine with a heart: the production heart on the shared journal, which follows until it leads, and is started again when it ends. */
import { createEngine, decodeState } from '@orrery/engine';
import { openReplicated, type Sequencer, type SequencerLimits } from '@orrery/sequencer';
import { seq } from '@orrery/units';
import { HeartServer } from '../../../exchange/src/link/heart-server.ts';
import { DiskFaults } from '../disk/disk-faults.ts';
import { Platter } from '../disk/platter.ts';
import { SimDisk } from '../disk/sim-disk.ts';
import { Violation } from '../violation.ts';
import { Host } from './host.ts';
import type { SimProcess } from './process.ts';
import { SimStore } from './sim-store.ts';

export const ENGINES = { createEngine, decodeState };
export const PREFIX = 'orrery.sim';
const RESTART_MS = 1_000;

export const LIMITS: SequencerLimits = {
  segmentBytes: 32_768,
  reserveBytes: 32_768,
  hashEvery: 40,
  snapshotEvery: 200,
  encodedBytesPerCommand: Infinity,
  pendingCommands: 64,
  recentCommands: 256,
  recentCommandsKept: 32,
  minFreeRatio: 0.1,
  dayOfJournalBytes: 1e9,
};

export class HeartHost extends Host {
  readonly #platter = new Platter();
  #heart: Sequencer | undefined;

  /** While it believes that it leads. */
  get heart(): Sequencer | undefined {
    return this.process?.isAlive === true ? this.#heart : undefined;
  }

  protected override run(process: SimProcess): void {
    const { timeline, chance, count, note } = this.parts;
    this.#heart = undefined;
    const disk = diskOf(process, this.#platter, chance.split(process.name));
    let server: HeartServer | undefined;
    openReplicated({
      store: new SimStore(this.wireOf(process)),
      directory: '/heart',
      disk,
      engines: ENGINES,
      clock: { wallMs: this.machine.wallMs, monotonicMs: () => timeline.now },
      timer: process.timer,
      limits: LIMITS,
      lockFolder: async () => ({ release: async () => undefined }),
      log: (line) => note(`${process.name}: ${line}`),
      onLeading: (epoch) => {
        count('epochs');
        note(`${process.name} leads in epoch ${epoch}`);
      },
      onDurable: () => {
        if (!process.isAlive || this.#heart === undefined) return;
        this.#mustBeItsOwn(this.#heart);
        server?.beat();
      },
      onFatal: (error) => this.#fail(process, error),
    }).then(
      (heart) => {
        if (!process.isAlive) return;
        this.#heart = heart;
        server = this.#serve(process, heart);
        void this.listen(process, heart.subscribe(seq(heart.status().seq)));
      },
      (error: unknown) => this.#fail(process, error),
    );
  }

  #serve(process: SimProcess, heart: Sequencer): HeartServer {
    const { nats, chance, note } = this.parts;
    const connection = nats.connect(process, chance.split(`${process.name} nats`));
    const onTrouble = (error: unknown): void => note(`${process.name}: ${String(error)}`);
    return new HeartServer({ heart, connection, prefix: PREFIX, epoch: heart.epoch, timer: process.timer, onTrouble });
  }

  /** What a heart answers and publishes was taken by the store in its own epoch: nothing of a heart that was deposed is, whatever it believes. */
  #mustBeItsOwn(heart: Sequencer): void {
    const { servers, onViolation } = this.parts;
    const { seq: durable } = heart.status();
    const frame = servers.newest.frames.findLast(({ firstSeq }) => firstSeq <= durable);
    if (frame?.epoch === heart.epoch && servers.takenIn.get(frame) === heart.epoch) return;
    onViolation(
      new Violation('R2', `the heart of epoch ${heart.epoch} answers command ${durable}, and was deposed before the store had it`),
    );
  }

  /** A process manager starts it again. */
  #fail(process: SimProcess, error: unknown): void {
    if (!process.isAlive) return;
    this.complain(process, error);
    this.kill(RESTART_MS);
  }
}

/** Its folder outlives the process, and is a copy: nothing of it has to be synced. */
export function diskOf(process: SimProcess, platter: Platter, chance: ConstructorParameters<typeof DiskFaults>[1]): SimDisk {
  return new SimDisk({ platter, life: process.life, faults: new DiskFaults(process, chance) });
}
