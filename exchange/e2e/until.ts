/** Asks again until there is an answer; gives up loudly. */
import { setTimeout as pause } from 'node:timers/promises';

/** A slow machine with several programs on it answers late. */
const DEADLINE_MS = 120_000;
const PAUSE_MS = 100;

export async function until<Answer>(
  what: string,
  ask: () => Promise<Answer | undefined | false>,
  { withinMs = DEADLINE_MS, everyMs = PAUSE_MS }: { readonly withinMs?: number; readonly everyMs?: number } = {},
): Promise<Answer> {
  const deadline = performance.now() + withinMs;
  while (performance.now() < deadline) {
    const answer = await ask();
    if (answer !== undefined && answer !== false) return answer;
    await pause(everyMs);
  }
  throw new Error(`waited in vain until ${what}`);
}
