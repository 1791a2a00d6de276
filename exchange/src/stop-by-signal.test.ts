import { expect, test, vi } from 'vitest';
import { Closing } from './closing.ts';
import { StopBySignal } from './stop-by-signal.ts';

const hangs = (said: string[]): Promise<void> => {
  said.push('the database hangs');
  return new Promise(() => undefined);
};
const HOUR_MS = 3_600_000;

interface Program {
  readonly stop: StopBySignal;
  readonly said: string[];
  readonly ended: number[];
}

/** Its journal, the database above it, and the gateway above that. */
function program(database: (said: string[]) => Promise<void> | void, deadlineMs: number, sameSignalMs = 0): Program {
  const said: string[] = [];
  const ended: number[] = [];
  const closing = new Closing((part, error) => said.push(`${part}: ${String(error)}`), { partMs: HOUR_MS, allMs: HOUR_MS, leastMs: 1 });
  closing.add({ name: 'the journal', stop: () => void said.push('the journal is closed') });
  closing.add({ name: 'the database', stop: () => database(said) });
  closing.add({ name: 'the gateway', stop: () => void said.push('the gateway is closed') });
  const stop = new StopBySignal({
    closing,
    say: (line) => said.push(line),
    starting: () => Promise.resolve(),
    exit: (code) => ended.push(code),
    deadlineMs,
    sameSignalMs,
  });
  return { stop, said, ended };
}

test('one signal takes the parts down in their order, and the process ends well', async () => {
  const { stop, said, ended } = program(() => undefined, HOUR_MS);
  expect(stop.isStopping).toBe(false);
  await stop.signal();
  expect(stop.isStopping).toBe(true);
  expect(said).toEqual(['stopping', 'the gateway is closed', 'the journal is closed']);
  expect(ended).toEqual([0]);
});

test('a part that hangs beyond the deadline is named, and the process ends with a failure', async () => {
  const { stop, said, ended } = program(hangs, 20);
  void stop.signal();
  await vi.waitFor(() => expect(ended).toEqual([1]));
  expect(said).toEqual([
    'stopping',
    'the gateway is closed',
    'the database hangs',
    'the database did not stop within 0.02 s: ending without it',
  ]);
});

test('a second signal leaves the part behind that hangs, and the journal is closed all the same', async () => {
  const { stop, said, ended } = program(hangs, HOUR_MS);
  const stopped = stop.signal();
  await vi.waitFor(() => expect(said).toContain('the database hangs'));
  await stop.signal();
  await stopped;
  expect(said).toEqual([
    'stopping',
    'the gateway is closed',
    'the database hangs',
    'stopping sooner, without waiting for the database',
    'the database: Error: it was left behind after 1 ms',
    'the journal is closed',
  ]);
  expect(ended).toEqual([0]);
});

test('one Ctrl-C, which reaches the program twice, is one wish', async () => {
  const { stop, said, ended } = program(hangs, 50, HOUR_MS);
  void stop.signal();
  await stop.signal();
  await vi.waitFor(() => expect(ended).toEqual([1]));
  expect(said).not.toContainEqual(expect.stringContaining('sooner'));
});
