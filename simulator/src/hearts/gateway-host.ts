/** A machine with what a gateway stands on: the way to the heart that leads, a copy of the journal and a replica of the engine on it. */
import { MirrorFollower, Replica } from '@orrery/sequencer';
import { HeardEnd } from '../../../exchange/src/link/heard-end.ts';
import { HeartLink } from '../../../exchange/src/link/heart-link.ts';
import { Platter } from '../disk/platter.ts';
import { diskOf, ENGINES, PREFIX } from './heart-host.ts';
import { Host } from './host.ts';
import type { SimProcess } from './process.ts';
import { SimStore } from './sim-store.ts';

const DIRECTORY = '/gateway';
const RESTART_MS = 1_000;

export class GatewayHost extends Host {
  readonly #platter = new Platter();
  #replica: Replica | undefined;

  /** While it runs and has followed history. */
  get replica(): Replica | undefined {
    return this.isAlive ? this.#replica : undefined;
  }

  /** Something reaches the program, as a call does. */
  enter(act: () => void): void {
    this.process?.enter(act);
  }

  protected override run(process: SimProcess): void {
    this.#replica = undefined;
    this.#open(process).then(
      (replica) => {
        if (!process.isAlive) return;
        this.#replica = replica;
        void this.listen(process, replica.subscribe(replica.seq));
      },
      (error: unknown) => this.#fail(process, error),
    );
  }

  async #open(process: SimProcess): Promise<Replica> {
    const { nats, chance, note } = this.parts;
    const disk = diskOf(process, this.#platter, chance.split(process.name));
    const log = (line: string): void => note(`${process.name}: ${line}`);
    const { timer, monotonicMs } = process;
    const link = new HeartLink({
      connection: nats.connect(process, chance.split(`${process.name} nats`)),
      prefix: PREFIX,
      end: new HeardEnd(),
      monotonicMs,
      timer,
      onTrouble: (error) => log(String(error)),
    });
    const end = await MirrorFollower.open({
      store: new SimStore(this.wireOf(process)),
      disk,
      directory: DIRECTORY,
      timer,
      log,
      onFailed: (error) => this.#fail(process, error),
    });
    await link.found;
    return Replica.open({
      directory: DIRECTORY,
      disk,
      engines: ENGINES,
      end,
      link,
      monotonicMs,
      timer,
      log,
      onFatal: (error) => this.#fail(process, error),
    });
  }

  #fail(process: SimProcess, error: unknown): void {
    if (!process.isAlive) return;
    this.complain(process, error);
    this.kill(RESTART_MS);
  }
}
