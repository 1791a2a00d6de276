/** Brings what has left one heart to the other one. It keeps nothing: what is to be done is in the history of the hearts. */
import type { Event, WithdrawalHeld } from '@orrery/protocol';
import type { Chance } from '../chance.ts';
import type { ApartHeart } from './apart-heart.ts';
import { CREDIT_PREFIX } from './apart-judge.ts';
import type { LossyNet } from './lossy-net.ts';

/** Defects, each of which the judge must find. */
export type ApartPlant =
  /** What the first heart has not synced is taken for history. */
  | 'creditsUnsynced'
  /** Each try has a key of its own. */
  | 'keyOfTry'
  /** The first heart is settled when the credit was sent, and not when it is known to be synced. */
  | 'settlesFirst';

export interface MoverParts {
  readonly hearts: readonly [ApartHeart, ApartHeart];
  readonly net: LossyNet;
  readonly chance: Chance;
  readonly plant: ApartPlant | undefined;
}

export class Mover {
  readonly #parts: MoverParts;
  #tries = 0;

  constructor(parts: MoverParts) {
    this.#parts = parts;
  }

  /** Looks at one entry of one heart: another mover may look at the same one. */
  act(): void {
    const { hearts, chance } = this.#parts;
    const [from, to] = chance.oneIn(2) ? hearts : [hearts[1], hearts[0]];
    const entry = chance.some(this.#openAt(from));
    if (entry !== undefined) this.#credit(entry, from, to);
  }

  #openAt(from: ApartHeart): readonly WithdrawalHeld[] {
    if (this.#parts.plant !== 'creditsUnsynced') return from.inTransit;
    return [...from.inTransit, ...from.uncertain.filter((event) => event.type === 'WithdrawalHeld')];
  }

  #credit({ withdrawalId, asset, amount, to: address }: WithdrawalHeld, from: ApartHeart, to: ApartHeart): void {
    const { net, plant } = this.#parts;
    this.#tries += 1;
    const key = `${CREDIT_PREFIX}${withdrawalId}${plant === 'keyOfTry' ? `/${this.#tries}` : ''}`;
    const settle = (): void => net.send(() => this.#settle(withdrawalId, from));
    if (plant === 'settlesFirst') settle();
    net.send(() =>
      to.submit({ type: 'CreditDeposit', key, address, asset, amount }, (events) => {
        if (isDone(events)) settle();
      }),
    );
  }

  /** Twice is once. */
  #settle(withdrawalId: string, from: ApartHeart): void {
    const txHash = `${CREDIT_PREFIX}${withdrawalId}`;
    from.submit({ type: 'MarkWithdrawalSent', withdrawalId, txHash });
    from.submit({ type: 'PostWithdrawal', withdrawalId, txHash });
  }
}

const isDone = (events: readonly Event[]): boolean => events.some(({ type }) => type === 'DepositCredited' || type === 'CommandRepeated');
