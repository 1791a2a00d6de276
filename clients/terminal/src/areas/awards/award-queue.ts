/** Awards are shown one after another, each once in the life of the page; rewards of tasks that wait together are shown together. */
import type { AwardNews } from '@orrery/api';

/** An award and whose it is: the wallet in use may be another by the time it is its turn. */
export interface Award {
  readonly news: AwardNews;
  readonly address: string;
}

/** The first, and with it every other reward of a task of the same person. */
function isShownWith(first: Award, other: Award): boolean {
  if (other === first) return true;
  return first.news.kind === 'TASK' && other.news.kind === 'TASK' && other.address === first.address;
}

export class AwardQueue {
  readonly #present: (awards: readonly Award[]) => Promise<void>;
  readonly #taken = new Set<string>();
  #waiting: readonly Award[] = [];
  #isPresenting = false;
  #holders = 0;

  /** @param present is given one award, or several of tasks; it resolves when they have been seen. */
  constructor(present: (awards: readonly Award[]) => Promise<void>) {
    this.#present = present;
  }

  take(awards: readonly Award[]): void {
    for (const award of awards) {
      if (this.#taken.has(award.news.awardId)) continue;
      this.#taken.add(award.news.awardId);
      this.#waiting = [...this.#waiting, award];
    }
    this.#go();
  }

  /** Nothing is shown until it is released: what is given meanwhile is shown together. */
  hold(): () => void {
    this.#holders += 1;
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      this.#holders -= 1;
      this.#go();
    };
  }

  /** Another person is at the page: what was not shown yet is shown when its owner is back. */
  clear(): void {
    for (const { news } of this.#waiting) this.#taken.delete(news.awardId);
    this.#waiting = [];
  }

  #go(): void {
    if (!this.#isPresenting && this.#holders === 0) void this.#run();
  }

  async #run(): Promise<void> {
    this.#isPresenting = true;
    for (let [first] = this.#waiting; first !== undefined && this.#holders === 0; [first] = this.#waiting) {
      const leader = first;
      const together = this.#waiting.filter((award) => isShownWith(leader, award));
      this.#waiting = this.#waiting.filter((award) => !together.includes(award));
      await this.#present(together);
    }
    this.#isPresenting = false;
  }
}
