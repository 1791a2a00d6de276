/**
 * Code that is loaded when it is needed, over a network that may be away just then. A browser may keep the failure of a module for the life of
 * the page, so nothing is asked for while the exchange is known to be away; a failure that came before that was known is tried again.
 */
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 8_000;
const TRIES_MAX = 6;

/** The code is not where this page looks for it, mostly because a newer terminal was installed: only a reload brings it. */
export class MissingCode extends Error {
  constructor(cause: unknown) {
    // In the words of the browser, by which the router knows that a page's code is missing.
    super(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}

export interface CodeGate {
  /** Resolves when code can be asked for. */
  readonly whenOpen: () => Promise<void>;
  /** After a failure: whether the exchange answers, so that waiting for it cannot help. */
  readonly isAnswering: () => Promise<boolean>;
}

let gate: CodeGate = { whenOpen: () => Promise.resolve(), isAnswering: () => Promise.resolve(false) };

export const gateCode = (next: CodeGate): void => void (gate = next);

const inBrowser = (millis: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, millis));

/** @throws MissingCode with the last failure. */
export async function loadCode<Module>(load: () => Promise<Module>, sleep: (millis: number) => Promise<void> = inBrowser): Promise<Module> {
  for (let tries = 1, wait = FIRST_WAIT_MS; ; tries += 1, wait = Math.min(2 * wait, LONGEST_WAIT_MS)) {
    await gate.whenOpen();
    try {
      return await load();
    } catch (error) {
      if (tries === TRIES_MAX) throw new MissingCode(error);
      // The network may have come back just then: where waiting cannot help, the last try is made with it.
      if (await gate.isAnswering()) tries = TRIES_MAX - 1;
      else await sleep(wait);
    }
  }
}
