import { expect, test } from 'vitest';
import { Closing } from './closing.ts';

const LIMITS = { partMs: 40, allMs: 100, leastMs: 5 };
const never = (): Promise<void> => new Promise(() => undefined);

test('parts are stopped in the reverse order, and one that fails or hangs does not keep those below it', async () => {
  const stopped: string[] = [];
  const troubles: string[] = [];
  const closing = new Closing((part, error) => troubles.push(`${part}: ${String(error)}`), LIMITS);
  closing.add({ name: 'journal', stop: () => void stopped.push('journal') });
  closing.add({ name: 'hangs', stop: never });
  closing.add({
    name: 'fails',
    stop: () => {
      throw new Error('it fails');
    },
  });
  closing.add({ name: 'gateway', stop: () => void stopped.push('gateway') });
  await closing.run();
  expect(stopped).toEqual(['gateway', 'journal']);
  expect(troubles).toEqual(['fails: Error: it fails', 'hangs: Error: it was left behind after 40 ms']);
});

test('however many parts wait for a database that hangs, the stop takes its limit', async () => {
  let isJournalClosed = false;
  let waitedMs = 0;
  const closing = new Closing((_part, error) => (waitedMs += Number(/after (\d+) ms/.exec(String(error))?.[1])), LIMITS);
  closing.add({ name: 'journal', stop: () => void (isJournalClosed = true) });
  for (let nth = 0; nth < 20; nth += 1) closing.add({ name: `writer ${nth}`, stop: never });
  await closing.run();
  expect(isJournalClosed).toBe(true);
  // 100 ms, and 5 for each that is left: far less than 20 times 40.
  expect(waitedMs).toBeLessThanOrEqual(LIMITS.allMs + 20 * LIMITS.leastMs);
});
