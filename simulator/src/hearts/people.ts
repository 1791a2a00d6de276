/** Those who call a gateway: each command has a name that makes it one command however often it is sent, and is sent again until it is known what became of it. */
import { type Applied, type Command, encodeCommand, HeartError } from '@orrery/protocol';
import { assetId, atoms, type Seq } from '@orrery/units';
import { drawnOrder } from '../../../core/engine/src/testing/drawn-order.ts';
import { addressOf } from '../../../core/engine/src/testing/random-commands.ts';
import type { Chance } from '../chance.ts';
import type { Timeline } from '../timeline.ts';
import type { GatewayHost } from './gateway-host.ts';
import { digestOf } from './witness.ts';

const THINK_MS = 600;
/** A call that is not answered by then is given up, and its outcome unknown: the gateway may have died. */
const PATIENCE_MS = 12_000;
const AGAIN_MS = 700;
const ACCOUNTS = 3;

/** What came of one command, over all its sendings. */
export interface Asked {
  readonly command: Command;
  /** Where it was answered to be in history, by seq, with the digest of what was answered. */
  readonly answered: Map<Seq, string>;
  /** Sendings whose outcome is not known. */
  unknown: number;
  isSettled: boolean;
}

export interface PeopleParts {
  readonly timeline: Timeline;
  readonly chance: Chance;
  readonly gateways: readonly GatewayHost[];
  readonly count: (name: string) => void;
}

type Outcome = Applied | 'refused' | 'unknown';

export class People {
  /** By the bytes of the command, which no other one has. */
  readonly asked = new Map<string, Asked>();
  /** Ends of history that were said to be before something that had been answered. */
  readonly shortEnds: string[] = [];
  /** The newest command that was answered to anybody. */
  newest = 0;
  readonly #parts: PeopleParts;
  readonly #ends: Chance;
  #made = 0;
  #isOver = false;

  constructor(parts: PeopleParts) {
    this.#parts = parts;
    this.#ends = parts.chance.split('ends of history');
  }

  start(hands: number): void {
    for (let hand = 1; hand <= hands; hand += 1) this.#think(this.#parts.chance.split(`hand ${hand}`));
  }

  /** Nothing new is asked for; what is open is asked again until it is known. */
  end(): void {
    this.#isOver = true;
  }

  get open(): number {
    return [...this.asked.values()].filter(({ isSettled }) => !isSettled).length;
  }

  #think(chance: Chance): void {
    this.#parts.timeline.after(chance.exponential(THINK_MS), () => {
      if (this.#isOver) return;
      const command = this.#next(chance);
      const asked: Asked = { command, answered: new Map(), unknown: 0, isSettled: false };
      this.asked.set(nameOf(command), asked);
      this.#send(asked, chance);
    });
  }

  #send(asked: Asked, chance: Chance): void {
    const { timeline, gateways } = this.#parts;
    const gateway = chance.some(gateways.filter(({ replica }) => replica !== undefined));
    if (gateway === undefined) return this.#later(asked, chance);
    const delay = (): number => chance.magnitude(1, 20);
    let isEnded = false;
    const end = (outcome: Outcome): void => {
      if (isEnded) return;
      isEnded = true;
      this.#settle(asked, outcome, chance);
    };
    timeline.after(PATIENCE_MS, () => end('unknown'));
    const answer = (outcome: Outcome): void => void timeline.after(delay(), () => end(outcome));
    timeline.after(delay(), () => {
      if (gateway.replica === undefined) return end('refused');
      gateway.enter(() => {
        const { replica } = gateway;
        if (replica === undefined) return;
        replica.submit(asked.command).then(
          (receipt) => answer({ ...receipt, command: asked.command }),
          (error: unknown) => answer(error instanceof HeartError && !error.outcomeUnknown ? 'refused' : 'unknown'),
        );
      });
    });
  }

  /** Of what a gateway says of the end of history: it covers what was answered before it was asked. */
  #askForEnd(gateway: GatewayHost): void {
    const { newest } = this;
    gateway.enter(() => {
      gateway.replica?.end().then(
        (end) => {
          this.#parts.count('ends of history');
          if (end < newest) this.shortEnds.push(`${newest} was answered before history was said to end with ${end}`);
        },
        () => undefined,
      );
    });
  }

  #settle(asked: Asked, outcome: Outcome, chance: Chance): void {
    this.#parts.count(typeof outcome === 'string' ? `calls ${outcome}` : 'calls answered');
    if (outcome === 'unknown') asked.unknown += 1;
    if (typeof outcome === 'string') return this.#later(asked, chance);
    this.newest = Math.max(this.newest, outcome.seq);
    const other = this.#ends.some(this.#parts.gateways.filter(({ replica }) => replica !== undefined));
    if (other !== undefined && this.#ends.oneIn(3)) this.#askForEnd(other);
    asked.answered.set(outcome.seq, digestOf(outcome));
    // Some ask again although they know it.
    if (chance.oneIn(30) && !this.#isOver) return this.#later(asked, chance);
    asked.isSettled = true;
    this.#think(chance);
  }

  #later(asked: Asked, chance: Chance): void {
    this.#parts.timeline.after(chance.magnitude(AGAIN_MS / 4, AGAIN_MS * 3), () => this.#send(asked, chance));
  }

  /** A deposit or an order that was never asked for before. */
  #next(chance: Chance): Command {
    this.#made += 1;
    const account = chance.between(1, ACCOUNTS);
    const amount = atoms(BigInt(chance.between(1, 1_000)));
    if (chance.oneIn(3)) return deposit(`asked:${this.#made}`, account, amount);
    return drawnOrder(chance, { account, clientOrderId: `asked-${this.#made}` });
  }
}

export const deposit = (key: string, account: number, amount = atoms(1n)): Command => ({
  type: 'CreditDeposit',
  key,
  address: addressOf(account),
  asset: assetId(1),
  amount,
});

export const nameOf = (command: Command): string => Buffer.from(encodeCommand(command)).toString('latin1');
