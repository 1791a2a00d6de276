/** Messages that come late, in another order, twice, or never. */
import type { Chance } from '../chance.ts';
import type { Meters } from '../meters.ts';

export class LossyNet {
  readonly #chance: Chance;
  readonly #meters: Meters;
  #underway: (() => void)[] = [];
  /** Nothing is lost any more. */
  isCalm = false;

  constructor(chance: Chance, meters: Meters) {
    this.#chance = chance;
    this.#meters = meters;
  }

  get isIdle(): boolean {
    return this.#underway.length === 0;
  }

  send(deliver: () => void): void {
    if (!this.isCalm && this.#chance.oneIn(8)) {
      this.#meters.count('message lost');
      return;
    }
    this.#underway.push(deliver);
    if (this.#chance.oneIn(8)) {
      this.#meters.count('message twice');
      this.#underway.push(deliver);
    }
  }

  /** One of those underway, by chance. */
  deliverOne(): void {
    const at = this.#chance.below(Math.max(1, this.#underway.length));
    this.#underway.splice(at, 1)[0]?.();
  }
}
