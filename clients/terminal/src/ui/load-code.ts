/**
 * Code that is loaded when it is needed, over a network that may be away just then. A browser may keep the failure of a module for the life of
 * the page, so nothing is asked for while the exchange is known to be away; a failure that came before that was known is tried again.
 */
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 8_000;
const TRIES_MAX = 6;

export interface LoadCodeOptions {
  readonly sleep?: (millis: number) => Promise<void>;
  /** Decides after a failure whether waiting makes sense: otherwise one more try is the last. Without it, it does. */
  readonly mayHelp?: () => Promise<boolean>;
}

const inBrowser = (millis: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, millis));

let gate = (): Promise<void> => Promise.resolve();

/** @param wait resolves when code can be asked for. */
export const gateCode = (wait: () => Promise<void>): void => void (gate = wait);

/** @throws the last failure. */
export async function loadCode<Module>(
  load: () => Promise<Module>,
  { sleep = inBrowser, mayHelp = () => Promise.resolve(true) }: LoadCodeOptions = {},
): Promise<Module> {
  for (let tries = 1, wait = FIRST_WAIT_MS; tries < TRIES_MAX; tries += 1, wait = Math.min(2 * wait, LONGEST_WAIT_MS)) {
    try {
      await gate();
      return await load();
    } catch {
      // The network may have come back just then: where waiting cannot help, the last try is made with it.
      if (!(await mayHelp())) return load();
      await sleep(wait);
    }
  }
  await gate();
  return load();
}
