import { localLease } from '@orrery/foundation';
import { HeartError, type Command, type Event } from '@orrery/protocol';
import { millis, otcOrderId, seq, type Millis } from '@orrery/units';
import { expect, test } from 'vitest';
import { OtcTimers } from './otc-timers.ts';

/** Short: while it is silent for longer, the exchange is heard of although nothing is due. */
const WINDOW = 1_000;

/** A heart that follows an order as the engine would: each step of a timer is emitted when it is asked for. */
async function scene(facts: readonly Event[]) {
  const submitted: Command[] = [];
  const clock = { now: 0, isDown: false };
  const tail: { push: (event: Event) => void } = { push: () => undefined };
  async function* follow() {
    for (;;) {
      const event = await new Promise<Event>((resolve) => (tail.push = resolve));
      yield [{ seq: seq(1), at: millis(clock.now), command: { type: 'RunOtcTimers' } as const, events: [event] }];
    }
  }
  const timers = new OtcTimers({
    lease: localLease('timers'),
    heart: {
      submit(command) {
        if (clock.isDown) return Promise.reject(new HeartError({ failure: 'overloaded', outcomeUnknown: false, message: 'busy' }));
        submitted.push(command);
        return Promise.resolve({ seq: seq(1), at: millis(clock.now), events: [] });
      },
      open: () => ({ seq: seq(0), facts, tail: follow(), close: () => undefined }),
    },
    now: () => clock.now,
    onTrouble: (error) => {
      throw error;
    },
  });
  timers.start();
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  await settled();
  const emit = async (event: Event): Promise<void> => {
    tail.push(event);
    await settled();
  };
  const tickAt = async (now: number): Promise<number> => {
    clock.now = now;
    const before = submitted.length;
    await timers.tick();
    return submitted.length - before;
  };
  return { timers, clock, submitted, emit, tickAt };
}

const order = otcOrderId(1);
const created = { type: 'OtcOrderCreated', order, deadline: millis(WINDOW) } as Event;
const stepped = (status: string, deadline: number): Event => ({ type: 'OtcOrderStepped', order, status, deadline }) as Event;
const decided = (executesAt: number): Event =>
  ({ type: 'OtcDisputeDecided', order, outcome: 'RELEASED', executesAt: executesAt as Millis }) as Event;

test('an order of the facts is asked for at its deadline, until it has stepped', async () => {
  const { timers, submitted, emit, tickAt } = await scene([created]);
  expect([await tickAt(WINDOW - 1), await tickAt(WINDOW), await tickAt(WINDOW + 1)]).toEqual([0, 1, 1]);
  expect(submitted[0]).toEqual({ type: 'RunOtcTimers' });
  await emit(stepped('EXPIRED', 0));
  expect(await tickAt(WINDOW + 2)).toBe(0);
  await timers.stop();
});

test('a payment, a dispute, a decision and an appeal move it', async () => {
  const { timers, emit, tickAt } = await scene([]);
  await emit(created);
  await emit(stepped('PAID', 10 * WINDOW));
  expect([await tickAt(WINDOW), await tickAt(10 * WINDOW)]).toEqual([0, 1]);
  await emit(stepped('DISPUTED', 0));
  expect(await tickAt(20 * WINDOW)).toBe(0);
  await emit(decided(24 * WINDOW));
  expect([await tickAt(24 * WINDOW - 1), await tickAt(24 * WINDOW)]).toEqual([0, 1]);
  await emit({ type: 'OtcDecisionAppealed', order, by: 1 } as Event);
  expect(await tickAt(40 * WINDOW)).toBe(0);
  await timers.stop();
});

test('a heart that is busy is asked again', async () => {
  const { timers, clock, tickAt } = await scene([created]);
  clock.isDown = true;
  expect(await tickAt(WINDOW)).toBe(0);
  clock.isDown = false;
  expect(await tickAt(WINDOW)).toBe(1);
  await timers.stop();
});

test('while a deadline is ahead the exchange is heard of, and after an outage the deadline is later', async () => {
  const { timers, emit, tickAt } = await scene([{ ...created, deadline: millis(900_000) } as Event]);
  expect([await tickAt(14_999), await tickAt(15_000)]).toEqual([0, 1]);
  await emit({ type: 'OtcDeadlinesMoved', since: millis(15_000), by: millis(100_000) });
  for (let now = 30_000; now < 1_000_000; now += 14_000) {
    await tickAt(now);
    await emit({ type: 'AssistPricesSet' } as Event);
  }
  await tickAt(999_998);
  await emit({ type: 'AssistPricesSet' } as Event);
  expect([await tickAt(999_999), await tickAt(1_000_000)]).toEqual([0, 1]);
  await timers.stop();
});

test('nobody is heard of for a desk at which nothing is ahead', async () => {
  const { timers, tickAt } = await scene([]);
  expect(await tickAt(1_000_000)).toBe(0);
  await timers.stop();
});
