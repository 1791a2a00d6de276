import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { DAY, HOUR, luckyGround, MIDNIGHT, SECOND } from '../testing/lucky-ground.ts';

const ground = luckyGround();
const { begin, end, reopen, addressOf, trade, runAt, paid, awardOf } = ground;

/** A second implementation of the rule, computed from the whole history and not from stored state. */
function naive(story: readonly Emitted[]): readonly string[] {
  const winners: string[] = [];
  for (const { prefix, name, at, self, empty } of story) {
    const day = new Date(at).toISOString().slice(0, 10);
    const digits = prefix.slice(2);
    const isLucky = digits === (digits[0] ?? '').repeat(4) && '0123456789'.includes(digits[0] ?? 'x');
    const noonAfter = at % DAY < 12 * HOUR ? at - (at % DAY) + 12 * HOUR : at - (at % DAY) + DAY;
    const traded = story.some(
      (other) => other.tradesAt !== undefined && other.name === name && sameDay(other.tradesAt, at) && other.tradesAt < noonAfter,
    );
    if (isLucky && ground.people.has(name) && !self && !empty && traded) winners.push(awardOf(name, day));
  }
  return [...new Set(winners)].toSorted();
}

const sameDay = (a: number, b: number): boolean => Math.floor(a / DAY) === Math.floor(b / DAY);

interface Emitted {
  readonly prefix: string;
  readonly name: string;
  readonly at: number;
  readonly self: boolean;
  readonly empty: boolean;
  readonly tradesAt: number | undefined;
}

/** Moments around which the rule turns. */
const moment = fc
  .tuple(fc.integer({ min: 0, max: 2 }), fc.constantFrom(0, SECOND, 6 * HOUR, 12 * HOUR - SECOND, 12 * HOUR, 18 * HOUR, DAY - SECOND))
  .map(([day, time]) => MIDNIGHT + day * DAY + time);

const emitted: fc.Arbitrary<Emitted> = fc.record({
  prefix: fc.constantFrom('0x0000', '0x5555', '0x9999', '0x7777', '0xaaaa', '0x0001'),
  name: fc.constantFrom('alice', 'bob', 'alice', 'operator', 'stranger'),
  at: moment,
  self: fc.integer({ max: 5, min: 0 }).map((n) => n === 0),
  empty: fc.integer({ max: 5, min: 0 }).map((n) => n === 0),
  tradesAt: fc.option(moment, { nil: undefined }),
});

test('a fund wins nothing', async () => {
  ground.funds.set(ground.person('alice').account, ground.person('carol').account);
  for (const name of ['alice', 'bob']) {
    trade(name, MIDNIGHT);
    ground.seal(name, MIDNIGHT + HOUR);
  }
  await runAt(MIDNIGHT + DAY);
  expect(paid()).toEqual([awardOf('bob', '2026-11-23')]);
});

test('F2: of any story exactly the awards of the rule are given, whenever the program runs', async () => {
  await end();
  await fc.assert(
    fc.asyncProperty(fc.array(emitted, { maxLength: 12 }), fc.array(moment, { maxLength: 4 }), async (unsorted, starts) => {
      const story = unsorted.toSorted((a, b) => a.at - b.at);
      await begin();
      for (const { name, tradesAt } of story) if (tradesAt !== undefined && ground.people.has(name)) trade(name, tradesAt);
      const waiting = [...story];
      for (const now of [...starts.toSorted((a, b) => a - b), MIDNIGHT + 5 * DAY]) {
        for (let next = waiting[0]; next !== undefined && next.at <= now; next = waiting[0]) {
          const { name, at, self, empty, prefix } = next;
          const sender = addressOf(name);
          ground.chain.seal({ prefix, at, first: { sender, ...(self && { recipient: sender }), ...(empty && { value: 0n }) } });
          waiting.shift();
        }
        await reopen();
        await runAt(now);
      }
      expect(paid().toSorted()).toEqual(naive(story));
      await end();
    }),
    { numRuns: 60 },
  );
  await begin();
});
