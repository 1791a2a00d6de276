/** Which pages are ours, and which of elsewhere may call us. */
import { ApiError } from '@orrery/api';
import { atPort } from '@orrery/foundation';

export interface OriginsOptions {
  /** The origins that serve our pages, port 0 for the port that is taken; empty: the loopback host by which the caller reached us. */
  readonly own: readonly string[];
  /** Origins of pages elsewhere that may call as ours do. */
  readonly foreign: readonly string[];
}

export class Origins {
  #own: readonly string[];
  readonly #foreign: readonly string[];

  constructor({ own, foreign }: OriginsOptions) {
    this.#own = own;
    this.#foreign = foreign;
  }

  /** The server listens: port 0 is its port. */
  listensAt({ port }: { readonly port: number }): void {
    this.#own = this.#own.map((origin) => atPort(origin, port));
  }

  /** Programs send no Origin and are no concern of this check. */
  check(origin: string, reachedBy: string): void {
    const isOwn = this.#own.length === 0 ? origin === reachedBy : this.#own.includes(origin);
    if (!isOwn && !this.isForeign(origin)) throw new ApiError('ForeignOrigin');
  }

  /** Whether it is one of the pages elsewhere that may call us. */
  isForeign(origin: string): boolean {
    return this.#foreign.includes(origin);
  }

  /** The origin that serves the page of this call. */
  of(origin: string | undefined, reachedBy: string): string {
    if (origin !== undefined && (this.isForeign(origin) || this.#own.includes(origin))) return origin;
    return this.#own.length === 0 || this.#own.includes(reachedBy) ? reachedBy : (this.#own[0] ?? reachedBy);
  }
}
