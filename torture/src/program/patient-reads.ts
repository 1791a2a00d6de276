/** Reads of gateways that may be behind, busy or away for a while: what they say at last is what counts. */
import { setTimeout as pause } from 'node:timers/promises';
import { CallError, ConnectionError } from '@orrery/sdk';
import { until } from '../../../exchange/e2e/until.ts';

/** Until a gateway answers, and until what was done last is in history; milliseconds. A slow machine with many processes on it is late. */
export const CATCH_UP_MS = 120_000;
const AGAIN_MS = 100;
const LOOK_AGAIN_MS = 250;
const TOO_MANY = 429;
const BROKEN = 500;

/** Says nothing of what was asked for: there was no answer, or one that refuses every call for now. */
export const isForNow = (error: unknown): error is CallError | ConnectionError =>
  error instanceof ConnectionError || (error instanceof CallError && (error.status === TOO_MANY || error.status >= BROKEN));

const pauseAfter = (error: CallError | ConnectionError): Promise<void> =>
  pause((error instanceof CallError ? error.retryAfterMs : undefined) ?? AGAIN_MS);

/** Reads again until there is an answer. @throws the last failure when there is none within `withinMs`, and a refusal at once */
export async function patiently<Answer>(read: () => Promise<Answer>, { withinMs = CATCH_UP_MS } = {}): Promise<Answer> {
  for (const deadline = performance.now() + withinMs; ;) {
    try {
      return await read();
    } catch (error) {
      if (!isForNow(error) || performance.now() > deadline) throw error;
      await pauseAfter(error);
    }
  }
}

export interface Page<Item> {
  readonly items: readonly Item[];
  /** On all pages. */
  readonly total: number;
}

/** @param read a page, of which the first is 1 */
export async function allPages<Item>(read: (page: number) => Promise<Page<Item>>): Promise<readonly Item[]> {
  const all: Item[] = [];
  for (let page = 1; ; page += 1) {
    const { items, total } = await patiently(() => read(page));
    all.push(...items);
    if (items.length === 0 || all.length >= total) return all;
  }
}

/** Compares again until they agree. @throws when they do not within `CATCH_UP_MS` */
export async function becomes(what: string, look: () => Promise<boolean>): Promise<void> {
  const lookNow = async (): Promise<boolean> => {
    try {
      return await look();
    } catch (error) {
      if (!isForNow(error)) throw error;
      await pauseAfter(error);
      return false;
    }
  };
  await until(`${what} are those of history`, lookNow, { withinMs: CATCH_UP_MS });
}

/** Compares again until nothing is wrong. @returns what is wrong still after `withinMs` */
export async function lasting(look: () => Promise<readonly string[]>, { withinMs = CATCH_UP_MS } = {}): Promise<readonly string[]> {
  for (const deadline = performance.now() + withinMs; ; await pause(LOOK_AGAIN_MS)) {
    const wrong = await look();
    if (wrong.length === 0 || performance.now() > deadline) return wrong;
  }
}
