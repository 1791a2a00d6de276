/** Whether a second server has what is committed: read at the start and watched, because PostgreSQL says nothing when the last standby is gone. */
import { StartError } from '../start-error.ts';
import { STANDBYS } from './statements.ts';

/** What happens without a standby: the program stops, takes cancels only, or goes on with one copy. */
export type WithoutStandby = 'stop' | 'cancel-only' | 'allow';

const LOOK_MS = 1_000;

export interface StandbyWatchOptions {
  readonly withoutStandby: WithoutStandby;
  readonly onNoStandby: (error: Error) => void;
  readonly log: (line: string) => void;
}

type Ask = (text: string) => Promise<readonly unknown[]>;

export class StandbyWatch {
  /** Undefined when nobody knows: the server does not answer. */
  standbys: number | undefined;
  readonly #options: StandbyWatchOptions;
  readonly #ask: Ask;
  #fault: string | undefined;
  #looking: NodeJS.Timeout | undefined;
  #isLooking = false;

  constructor(options: StandbyWatchOptions, ask: Ask) {
    this.#options = options;
    this.#ask = ask;
  }

  /** @throws StartError when there must be a standby and is none */
  async begin(): Promise<void> {
    await this.#see();
    if (this.#fault !== undefined && this.#options.withoutStandby !== 'allow')
      throw new StartError(
        `${this.#fault}. Set synchronous_standby_names and start a standby, or go on with one copy by ORRERY_JOURNAL_WITHOUT_STANDBY=allow`,
      );
    this.#looking = setInterval(() => this.#lookAgain(), LOOK_MS).unref();
  }

  end(): void {
    clearInterval(this.#looking);
  }

  /** Why no more than cancels are taken. */
  shortage(): string | undefined {
    return this.#options.withoutStandby === 'allow' ? undefined : this.#fault;
  }

  /** A look that is not answered yet is not followed by another. */
  #lookAgain(): void {
    if (this.#isLooking) return;
    this.#isLooking = true;
    this.#see()
      .catch(() => {
        this.standbys = undefined;
      })
      .finally(() => {
        this.#isLooking = false;
      });
  }

  async #see(): Promise<void> {
    const [row] = (await this.#ask(STANDBYS)) as readonly { readonly names: string; readonly standbys: number }[];
    if (row === undefined) return;
    this.standbys = row.names === '' ? 0 : row.standbys;
    const fault = faultOf(row);
    if (fault === this.#fault) return;
    this.#fault = fault;
    const { log, withoutStandby, onNoStandby } = this.#options;
    log(fault === undefined ? 'a standby of PostgreSQL has a copy of the journal' : `${fault}: ${OUTCOME[withoutStandby]}`);
    if (fault !== undefined && withoutStandby === 'stop' && this.#looking !== undefined) onNoStandby(new StartError(fault));
  }
}

const OUTCOME: Readonly<Record<WithoutStandby, string>> = {
  stop: 'the exchange stops',
  'cancel-only': 'only cancels are taken until one has, and nothing is answered',
  allow: 'what is acknowledged is lost with that server',
};

function faultOf({ names, standbys }: { readonly names: string; readonly standbys: number }): string | undefined {
  if (names === '') return 'synchronous_standby_names of the PostgreSQL of the journal is empty, so no second server has a copy of it';
  return standbys > 0 ? undefined : 'no standby of PostgreSQL has a copy of the journal';
}
