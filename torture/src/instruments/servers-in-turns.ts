/** Two servers of PostgreSQL, of which each is the primary in its turn. */
import { DATABASE_USER } from '../../../exchange/src/embedded/postgres/cluster.ts';
import { PostgresPair } from '../../../exchange/src/embedded/postgres/postgres-pair.ts';

export class ServersInTurns {
  readonly #pair: PostgresPair;
  #primary: 'primary' | 'standby' = 'primary';

  private constructor(pair: PostgresPair) {
    this.#pair = pair;
  }

  /** Each acknowledges nothing that it alone has. */
  static async start(): Promise<ServersInTurns> {
    return new ServersInTurns(await PostgresPair.start({ staysSynchronous: true }));
  }

  get place() {
    return { paths: [this.#pair.socketOf('primary'), this.#pair.socketOf('standby')], user: DATABASE_USER, database: 'postgres' };
  }

  get #standby(): 'primary' | 'standby' {
    return this.#primary === 'primary' ? 'standby' : 'primary';
  }

  /** The standby takes its place, and gets a standby of its own. */
  async losePrimary(): Promise<void> {
    const lost = this.#primary;
    await this.#pair.kill(lost);
    this.#primary = this.#standby;
    await this.#pair.promote(this.#primary);
    await this.#pair.rejoin(lost);
  }

  loseStandby(): Promise<void> {
    return this.#pair.kill(this.#standby);
  }

  startStandby(): Promise<void> {
    return this.#pair.restart(this.#standby);
  }

  stop(): Promise<void> {
    return this.#pair.stop();
  }
}
