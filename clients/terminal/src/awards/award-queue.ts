/** Awards are shown one after another, each once in the life of the page. */
import type { AwardNews } from '@orrery/api';

/** An award and whose it is: the wallet in use may be another by the time it is its turn. */
export interface Award {
  readonly news: AwardNews;
  readonly address: string;
}

export class AwardQueue {
  readonly #present: (award: Award) => Promise<void>;
  readonly #taken = new Set<string>();
  #waiting: Award[] = [];
  #isPresenting = false;

  /** @param present resolves when the award has been seen. */
  constructor(present: (award: Award) => Promise<void>) {
    this.#present = present;
  }

  take(awards: readonly Award[]): void {
    for (const award of awards) {
      if (this.#taken.has(award.news.awardId)) continue;
      this.#taken.add(award.news.awardId);
      this.#waiting.push(award);
    }
    if (!this.#isPresenting) void this.#run();
  }

  /** Another person is at the page: what was not shown yet is shown when its owner is back. */
  clear(): void {
    for (const { news } of this.#waiting) this.#taken.delete(news.awardId);
    this.#waiting = [];
  }

  async #run(): Promise<void> {
    this.#isPresenting = true;
    for (let award = this.#waiting.shift(); award !== undefined; award = this.#waiting.shift()) await this.#present(award);
    this.#isPresenting = false;
  }
}
