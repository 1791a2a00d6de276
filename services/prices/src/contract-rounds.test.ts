import { type Lease, localLease } from '@orrery/foundation';
import { expect, test } from 'vitest';
import { HeartError } from '@orrery/protocol';
import type { Command, Event, Receipt } from '@orrery/protocol';
import { millis, seq, ticks } from '@orrery/units';
import { ContractRounds } from './contract-rounds.ts';
import { PriceMoves } from './price-moves.ts';
import type { PriceRound } from './price-source.ts';
import { twoProcesses } from '../../../exchange/src/testing/two-processes.ts';
import { btc, eth } from './testing/outside-markets.ts';

const heard: PriceRound = {
  index: [{ source: 'a', price: ticks(100), ageMs: 7, weight: 1 }],
  external: [{ source: 'b', price: ticks(101), ageMs: 8 }],
};

function scene(lease: Lease = localLease('outside prices')) {
  const submitted: Command[] = [];
  const lines: string[] = [];
  const answer: { events: readonly Event[]; error: Error | undefined; gate: Promise<void> } = {
    events: [],
    error: undefined,
    gate: Promise.resolve(),
  };
  const moves = new PriceMoves();
  const rounds = new ContractRounds({
    lease,
    source: { round: (market) => (market === btc.market ? heard : { index: [], external: [] }) },
    contracts: [btc, eth],
    moves,
    heart: {
      async submit(command: Command): Promise<Receipt> {
        submitted.push(command);
        await answer.gate;
        if (answer.error !== undefined) throw answer.error;
        return { seq: seq(submitted.length), at: millis(1), events: answer.events };
      },
    },
    now: () => millis(50_000),
    log: (line) => lines.push(line),
  });
  return { rounds, moves, submitted, lines, answer };
}

test('a round is one command for each contract, with every venue; silence of all venues is submitted too', async () => {
  const { rounds, moves, submitted } = scene();
  await rounds.round();
  expect(submitted).toEqual([
    { type: 'SubmitPrices', market: btc.market, ...heard },
    { type: 'SubmitPrices', market: eth.market, index: [], external: [] },
  ]);
  moves.move({ market: btc.market, ppm: 500_000, endsAt: millis(60_000) }, millis(50_000));
  await rounds.round();
  expect(submitted[2]).toMatchObject({ market: btc.market, index: [{ price: 104, ageMs: 7 }], external: [{ price: 105 }] });
});

test('while the heart is slow no second round of a contract waits for it', async () => {
  const { rounds, submitted, answer } = scene();
  const gate = Promise.withResolvers<void>();
  answer.gate = gate.promise;
  const running = [rounds.round(), rounds.round(), rounds.round()];
  expect(submitted).toHaveLength(2);
  gate.resolve();
  await Promise.all(running);
  await rounds.round();
  expect(submitted).toHaveLength(4);
});

test('a refused round and a heart that does not answer are said once, and the next round is submitted', async () => {
  const { rounds, submitted, lines, answer } = scene();
  answer.events = [{ type: 'CommandRejected', reason: 'RulesTooOld', field: '' }];
  await rounds.round();
  await rounds.round();
  answer.error = new HeartError({ failure: 'overloaded', outcomeUnknown: false, message: 'too much' });
  await rounds.round();
  expect(submitted).toHaveLength(6);
  expect(lines).toEqual([
    'contract BTC_USDC: the round of outside prices was refused: RulesTooOld',
    'contract ETH_USDC: the round of outside prices was refused: RulesTooOld',
    'contract BTC_USDC: the round of outside prices was not submitted: too much',
    'contract ETH_USDC: the round of outside prices was not submitted: too much',
  ]);
});

test('the timer runs from start to stop', async () => {
  const { rounds, submitted } = scene();
  await rounds.start();
  expect(submitted).toHaveLength(2);
  rounds.stop();
});

test('of two processes one submits rounds, and when it is killed none is missing for longer than the term of a lease', async () => {
  const processes = await twoProcesses();
  const scenes: ReturnType<typeof scene>[] = [];
  for (const { leases } of [processes.one, processes.other]) scenes.push(scene(await leases.open('outside prices')));
  /** Of all seconds until now, those in which a process submitted a round. */
  const seconds: number[][] = [[], []];
  let second = 0;
  const live = async (until: number): Promise<void> => {
    for (; second < until; second += 1) {
      await processes.pass(1);
      for (const [at, { rounds, submitted }] of scenes.entries()) {
        const before = submitted.length;
        await rounds.round();
        if (submitted.length > before) seconds[at]?.push(second);
      }
    }
  };
  await live(30);
  expect([seconds[0]?.length, seconds[1]]).toEqual([30, []]);
  processes.one.isKilled = true;
  await live(60);
  const [last = 0, first = 0] = [seconds[0]?.filter((at) => at < 30).at(-1), seconds[1]?.[0]];
  expect([last, seconds[1]?.length]).toEqual([29, 60 - first]);
  expect(first - last).toBeLessThanOrEqual(20);
  // The clock of the first one passed its end: it submits nothing beside the other one.
  expect(seconds[0]?.filter((at) => at >= first)).toEqual([]);
  for (const { rounds } of scenes) rounds.stop();
  await processes.close();
});
