/** Tickets for the private stream are got by the page, which holds the session: the worker asks and waits here. */
interface Waiting {
  readonly resolve: (ticket: string) => void;
  readonly reject: (reason: Error) => void;
}

export class TicketDesk {
  readonly #ask: () => void;
  #waiting: Waiting | undefined;

  constructor(ask: () => void) {
    this.#ask = ask;
  }

  take(): Promise<string> {
    this.close();
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    this.#waiting = { resolve, reject };
    this.#ask();
    return promise;
  }

  /** @param ticket `undefined` when the page could not get one. */
  give(ticket: string | undefined): void {
    if (ticket === undefined) this.close();
    else this.#waiting?.resolve(ticket);
    this.#waiting = undefined;
  }

  close(): void {
    this.#waiting?.reject(new Error('no ticket could be had'));
    this.#waiting = undefined;
  }
}
