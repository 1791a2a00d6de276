import { expect, test } from 'vitest';
import { every, sleepBy, type Timer } from './timer.ts';

/** Time passes when the test says so. */
class Passing {
  #now = 0;
  readonly #due: { at: number; act: (() => void) | undefined }[] = [];

  readonly timer: Timer = (act, ms) => {
    const one: { at: number; act: (() => void) | undefined } = { at: this.#now + ms, act };
    this.#due.push(one);
    return () => (one.act = undefined);
  };

  get waiting(): number {
    return this.#due.filter(({ act }) => act !== undefined).length;
  }

  pass(ms: number): void {
    const until = this.#now + ms;
    for (;;) {
      const next = this.#due.filter(({ at, act }) => act !== undefined && at <= until).toSorted((one, other) => one.at - other.at)[0];
      if (next === undefined) break;
      this.#now = next.at;
      const { act } = next;
      next.act = undefined;
      act?.();
    }
    this.#now = until;
  }
}

test('calls again and again by the timer it is given, until it is ended', () => {
  const passing = new Passing();
  let calls = 0;
  const end = every(passing.timer, 100, () => {
    calls += 1;
    if (calls === 4) end();
  });
  passing.pass(99);
  expect(calls).toBe(0);
  passing.pass(201);
  expect(calls).toBe(3);
  passing.pass(1_000);
  expect([calls, passing.waiting]).toEqual([4, 0]);
});

test('sleeps until its time, or until it is aborted, and leaves no timer behind', async () => {
  const passing = new Passing();
  const slept = sleepBy(passing.timer, 100);
  passing.pass(100);
  await slept;
  const ending = new AbortController();
  const aborted = sleepBy(passing.timer, 100, ending.signal);
  ending.abort();
  await aborted;
  expect(passing.waiting).toBe(0);
  await sleepBy(passing.timer, 100, ending.signal);
  expect(passing.waiting).toBe(0);
});
