/** Code that is loaded when it is needed, over a network that may be away just then: it is asked for again, later each time. */
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 8_000;

export interface LoadCodeOptions {
  readonly sleep?: (millis: number) => Promise<void>;
  /** Decides after a failure whether waiting makes sense: otherwise one more try is the last. Without it there is always another. */
  readonly mayHelp?: () => Promise<boolean>;
}

const inBrowser = (millis: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, millis));

/** @throws the last failure, once `mayHelp` says no. */
export async function loadCode<Module>(
  load: () => Promise<Module>,
  { sleep = inBrowser, mayHelp = () => Promise.resolve(true) }: LoadCodeOptions = {},
): Promise<Module> {
  for (let wait = FIRST_WAIT_MS; ; wait = Math.min(2 * wait, LONGEST_WAIT_MS)) {
    try {
      return await load();
    } catch {
      // The network may have come back just then: where waiting cannot help, the last try is made with it.
      if (!(await mayHelp())) return load();
      await sleep(wait);
    }
  }
}
