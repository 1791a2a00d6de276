/** Which pages are ours. */
import { ApiError } from '@orrery/api';

export class Origins {
  readonly #listed: readonly string[];

  /** @param listed the origins that serve our pages; empty: the host by which the caller reached us. */
  constructor(listed: readonly string[]) {
    this.#listed = listed;
  }

  /** Programs send no Origin and are no concern of this check. */
  check(origin: string, reachedBy: string): void {
    if (!this.#isOurs(origin, reachedBy)) throw new ApiError('ForeignOrigin');
  }

  /** The origin that serves the page of this call. */
  of(origin: string | undefined, reachedBy: string): string {
    if (this.#listed.length === 0) return reachedBy;
    return origin !== undefined && this.#listed.includes(origin) ? origin : (this.#listed[0] ?? reachedBy);
  }

  #isOurs(origin: string, reachedBy: string): boolean {
    return this.#listed.length === 0 ? origin === reachedBy : this.#listed.includes(origin);
  }
}
