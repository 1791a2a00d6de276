import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { dated, ServerClock } from './server-clock.ts';

const NOON = Date.UTC(2026, 0, 1, 12);

/** An exchange and a device whose clock is `wrongBy` behind it. */
function pair(wrongBy: number) {
  let time = NOON;
  const device = (): number => time - wrongBy;
  const clock = new ServerClock(device);
  const call = (thereMs: number, backMs: number): void => {
    const sentAt = device();
    time += thereMs;
    const date = Math.floor(time / 1_000) * 1_000;
    time += backMs;
    clock.hear({ date, sentAt, receivedAt: device() });
  };
  return { clock, call, wait: (ms: number) => (time += ms), off: () => Math.abs(clock.now() - time) };
}

test('a device whose clock is right keeps its own time, however slow the answers are', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(3_000), fc.nat(3_000), fc.nat(5_000)), { maxLength: 20 }), (calls) => {
      const { clock, call, wait, off } = pair(0);
      for (const [there, back, pause] of calls) {
        call(there, back);
        wait(pause);
        expect(off()).toBe(0);
      }
      expect(clock.now()).toBeGreaterThanOrEqual(NOON);
    }),
  );
});

test('one that is wrong is off by no more than the slowest way of one answer and the second that it names, and by less with each', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: -86_400_000, max: 86_400_000 }),
      fc.array(fc.tuple(fc.nat(2_000), fc.nat(2_000), fc.nat(5_000)), { minLength: 1, maxLength: 30 }),
      (wrongBy, calls) => {
        const { call, wait, off } = pair(wrongBy);
        let bound = Number.POSITIVE_INFINITY;
        for (const [there, back, pause] of calls) {
          call(there, back);
          bound = Math.min(bound, there + back + 1_000);
          wait(pause);
          expect(off()).toBeLessThanOrEqual(bound);
        }
      },
    ),
  );
});

test('a clock that is set while the page is open is followed', () => {
  let [device, time] = [NOON, NOON];
  const clock = new ServerClock(() => device);
  const call = (): void => clock.hear({ date: Math.floor(time / 1_000) * 1_000, sentAt: device, receivedAt: device });
  call();
  device -= 3_600_000;
  time += 500;
  call();
  expect(Math.abs(clock.now() - time)).toBeLessThanOrEqual(1_000);
});

test('each answer is heard, and one without a date changes nothing', async () => {
  const clock = new ServerClock(() => NOON);
  const answering =
    (headers: Record<string, string>): typeof fetch =>
    () =>
      Promise.resolve(new Response('{}', { headers }));
  await dated(answering({}), clock, () => NOON)('/');
  await dated(answering({ date: 'soon' }), clock, () => NOON)('/');
  expect(clock.now()).toBe(NOON);
  await dated(answering({ date: new Date(NOON + 60_000).toUTCString() }), clock, () => NOON)('/');
  expect(Math.abs(clock.now() - (NOON + 60_000))).toBeLessThanOrEqual(1_000);
});
