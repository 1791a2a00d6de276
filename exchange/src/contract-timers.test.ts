import { localLease } from '@orrery/foundation';
import type { Applied, Command, Event, View } from '@orrery/protocol';
import { accountId, lots, marketId, millis, seq } from '@orrery/units';
import { expect, test } from 'vitest';
import { ContractTimers } from './contract-timers.ts';
import { CONTRACTS } from './listing.ts';

const HOUR = 3_600_000;
const SECOND = 1_000;
/** A full hour. */
const START = 500_000 * HOUR;
const [BTC, ETH] = [101, 102].map(marketId);

/** A heart that takes everything, or says why not. */
function scene(facts: readonly Event[] = listed(2)) {
  const clock = { now: START + 5 * 60 * SECOND };
  const submitted: Command[] = [];
  const refusal: { reason: 'FundingNotDue' | undefined } = { reason: undefined };
  let emit: (event: Event) => void = () => undefined;
  const timers = new ContractTimers({
    lease: localLease('timers'),
    heart: {
      submit(command) {
        submitted.push(command);
        const events: Event[] = refusal.reason === undefined ? [] : [{ type: 'CommandRejected', reason: refusal.reason, field: '' }];
        return Promise.resolve({ seq: seq(submitted.length), at: millis(clock.now), events });
      },
      open(): View {
        const { tail, push } = tailOf();
        emit = (event) => push([{ seq: seq(1), at: millis(clock.now), command: { type: 'RunTimers' }, events: [event] }]);
        return { seq: seq(0), facts, tail, close: () => undefined };
      },
    },
    now: () => clock.now,
    onTrouble: (error) => {
      throw error;
    },
  });
  timers.start();
  return { timers, clock, submitted, refusal, emit: (event: Event) => emit(event) };
}

function tailOf() {
  const waiting: (readonly Applied[])[] = [];
  let wake = Promise.withResolvers<void>();
  async function* tail(): AsyncGenerator<readonly Applied[]> {
    for (;;) {
      const next = waiting.shift();
      if (next !== undefined) yield next;
      else {
        await wake.promise;
        wake = Promise.withResolvers();
      }
    }
  }
  return {
    tail: tail(),
    push: (batch: readonly Applied[]): void => {
      waiting.push(batch);
      wake.resolve();
    },
  };
}

const listed = (count: number): readonly Event[] =>
  CONTRACTS.slice(0, count).map((contract) => ({ type: 'ContractRegistered', ...contract }));

const fundings = (commands: readonly Command[]) =>
  commands.flatMap((command) => (command.type === 'SettleFunding' ? [[command.market, (command.interval - START) / HOUR]] : []));

/** What was emitted is taken in by then. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

test('each full hour is settled once for each contract, also that of a start shortly after it', async () => {
  const { timers, clock, submitted } = scene();
  await timers.tick();
  await timers.tick();
  expect(fundings(submitted)).toEqual([
    [BTC, 0],
    [ETH, 0],
  ]);
  clock.now = START + HOUR - 1;
  await timers.tick();
  expect(submitted).toHaveLength(2);
  clock.now = START + HOUR;
  await timers.tick();
  expect(fundings(submitted).slice(2)).toEqual([
    [BTC, 1],
    [ETH, 1],
  ]);
  await timers.stop();
});

test('hours in which the exchange was away are skipped, and so is the last one when it is over for long', async () => {
  const { timers, clock, submitted } = scene();
  clock.now = START + 11 * 60 * SECOND;
  await timers.tick();
  expect(submitted).toEqual([]);
  clock.now = START + 7 * HOUR + 20 * SECOND;
  await timers.tick();
  expect(fundings(submitted)).toEqual([
    [BTC, 7],
    [ETH, 7],
  ]);
  await timers.stop();
});

test('without a valid price it is tried again each half minute, for ten minutes', async () => {
  const { timers, clock, submitted, refusal } = scene(listed(1));
  refusal.reason = 'FundingNotDue';
  clock.now = START + HOUR;
  const until = clock.now + 15 * 60 * SECOND;
  for (; clock.now < until; clock.now += SECOND) await timers.tick();
  expect(submitted).toHaveLength(21);
  refusal.reason = undefined;
  await timers.tick();
  expect(submitted).toHaveLength(21);
  clock.now = START + 2 * HOUR;
  await timers.tick();
  expect(fundings(submitted).at(-1)).toEqual([BTC, 2]);
  await timers.stop();
});

test('an interval that was settled by somebody else is not asked for', async () => {
  const { timers, clock, submitted, emit } = scene(listed(1));
  clock.now = START + HOUR;
  emit({ type: 'FundingSettled', market: marketId(101), interval: millis(START + HOUR), ratePpb: 0, price: CONTRACTS[0]!.minPrice });
  await settled();
  await timers.tick();
  expect(submitted).toEqual([]);
  await timers.stop();
});

test('timers run when a scheduled cancel is due and while a TWAP is open, and not else', async () => {
  const { timers, clock, submitted, emit } = scene([]);
  const alice = accountId(1);
  await timers.tick();
  expect(submitted).toEqual([]);
  emit({ type: 'CancelScheduled', account: alice, at: millis(clock.now + 10 * SECOND) });
  await settled();
  await timers.tick();
  expect(submitted).toEqual([]);
  clock.now += 10 * SECOND;
  await timers.tick();
  expect(submitted).toEqual([{ type: 'RunTimers' }]);
  emit({ type: 'CancelScheduled', account: alice, at: millis(0) });
  await settled();
  await timers.tick();
  expect(submitted).toHaveLength(1);
  const twap = { account: alice, market: marketId(101), key: 'k', side: 'buy', positionSide: 'both', reduceOnly: false, seed: 0 } as const;
  emit({ type: 'TwapAccepted', twapId: 3, ...twap, size: lots(10), minutes: 2 });
  await settled();
  await timers.tick();
  expect(submitted).toHaveLength(2);
  // One whose end was not seen is forgotten a minute after it must be over.
  clock.now += 3 * 60 * SECOND + 1;
  await timers.tick();
  expect(submitted).toHaveLength(2);
  await timers.stop();
});
