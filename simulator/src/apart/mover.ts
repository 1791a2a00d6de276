/** Brings what has left one heart to the other one. It keeps nothing: what is to be done is in the history of the hearts. */
import type { Event, WithdrawalHeld } from '@orrery/protocol';
import type { Address } from '@orrery/units';
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
  /** The last person gets what everybody moves. */
  | 'wrongPerson'
  /** The money comes back to the heart that it has left. */
  | 'sameHeart'
  /** What is slow is given back, whether or not it has arrived. */
  | 'refunds'
  /** The first heart is settled when the credit was sent, and not when it is known to be synced. */
  | 'settlesFirst';

export interface MoverParts {
  readonly hearts: readonly [ApartHeart, ApartHeart];
  readonly net: LossyNet;
  /** Of the last person. */
  readonly stranger: Address;
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
    const { net, plant, chance, stranger } = this.#parts;
    this.#tries += 1;
    const key = `${CREDIT_PREFIX}${withdrawalId}${plant === 'keyOfTry' ? `/${this.#tries}` : ''}`;
    const settle = (): void => net.send(() => this.#settle(withdrawalId, from));
    if (plant === 'settlesFirst') settle();
    if (plant === 'refunds' && chance.oneIn(4)) net.send(() => from.submit({ type: 'RefundWithdrawal', withdrawalId }));
    const heart = plant === 'sameHeart' ? from : to;
    const person = plant === 'wrongPerson' ? stranger : address;
    net.send(() =>
      heart.submit({ type: 'CreditDeposit', key, address: person, asset, amount }, (events) => {
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
