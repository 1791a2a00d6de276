/** Carry against faults: what it has after each is what its orders have done, and no leg stands alone for longer than it takes to see it. */
import { Life } from '@orrery/market-maker';
import { CallError, ConnectionError } from '@orrery/sdk';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Carry } from './carry.ts';
import { CARRY } from './carry-plan.ts';
import { CarryExchange } from './testing/carry-exchange.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const refused = (): Error => new CallError({ code: 2_001, msg: 'the contract is halted', status: 400 });
const lost = (): Error => new ConnectionError('/order was not answered in time', { timedOut: true, cause: undefined });

function manager(exchange: CarryExchange) {
  const life = new Life(() => undefined);
  const carry = new Carry({ client: exchange.client, life, stepMs: 250, log: () => undefined });
  return async (): Promise<boolean | Error> => {
    const round = carry.round('QUANTO1').catch((error: Error) => error);
    await vi.advanceTimersByTimeAsync(30_000);
    return round;
  };
}

function expectEntered(exchange: CarryExchange): void {
  expect(Math.abs(exchange.coins - exchange.short)).toBeLessThan(6);
  expect(exchange.coins).toBeGreaterThanOrEqual(exchange.percent(CARRY.lowPercent));
  expect(exchange.coins).toBeLessThanOrEqual(exchange.percent(CARRY.highPercent));
}

test('enters on both sides', async () => {
  const exchange = new CarryExchange();
  expect(await manager(exchange)()).toBe(true);
  expectEntered(exchange);
});

test('an order costs two public calls, and a round that has nothing to do a few', async () => {
  const exchange = new CarryExchange();
  const round = manager(exchange);
  await round();
  const { length } = exchange.orders;
  expect(length).toBeGreaterThan(8);
  expect(exchange.publicCalls).toBeLessThanOrEqual(2 * length + 8);
  exchange.publicCalls = 0;
  await round();
  expect(exchange.publicCalls).toBe(8);
});

test('partial fills, an order without an answer and a start in the middle end with legs that are equal', async () => {
  const exchange = new CarryExchange();
  exchange.refusal = lost;
  const outcomes = ['fillsHalf', 'fillsHalf', 'fillsWithoutAnswer', 'fills', 'fillsWithoutAnswer'] as const;
  let count = 0;
  exchange.outcome = () => outcomes[count++] ?? 'fills';
  let round = manager(exchange);
  expect(await round()).toBeInstanceOf(ConnectionError);
  expect(Math.abs(exchange.coins - exchange.short)).toBeLessThanOrEqual(exchange.percent(CARRY.slicePercent));
  round = manager(exchange);
  for (let rounds = 0; rounds < 3; rounds += 1) await round();
  expectEntered(exchange);
});

test('two managers of one fund end with legs that are equal', async () => {
  const exchange = new CarryExchange();
  const rounds = [manager(exchange), manager(exchange)];
  await Promise.all(rounds.map((round) => round()));
  await Promise.all(rounds.map((round) => round()));
  expectEntered(exchange);
});

test('a contract that cannot be sold costs one slice bought and sold an hour, not one a minute', async () => {
  const exchange = new CarryExchange();
  exchange.refusal = refused;
  exchange.outcome = ({ leg, side }) => (leg === 'contract' && side === 'SELL' ? 'isRefused' : 'fills');
  const round = manager(exchange);
  for (let rounds = 0; rounds < 100; rounds += 1) await round();
  expect([exchange.coins, exchange.short]).toEqual([0, 0]);
  expect(exchange.orders.filter((order) => order.startsWith('spot BUY'))).toHaveLength(1);
  exchange.outcome = () => 'fills';
  for (let rounds = 0; rounds < 40; rounds += 1) await round();
  expectEntered(exchange);
});

test('no coins are bought against a contract that is halted', async () => {
  const exchange = new CarryExchange();
  exchange.state = 'HALT';
  const round = manager(exchange);
  await round();
  expect(exchange.orders).toEqual([]);
  exchange.state = 'TRADING';
  await round();
  expectEntered(exchange);
});

test('shrinks both legs with the shares that wait to be redeemed, and buys nothing back before they are paid', async () => {
  const exchange = new CarryExchange();
  const round = manager(exchange);
  await round();
  exchange.waitingRedemptions = '5000';
  let most = 0;
  exchange.outcome = () => {
    most = Math.max(most, Math.abs(exchange.coins - exchange.short));
    return 'fills';
  };
  await round();
  expect(Math.abs(exchange.coins - exchange.short)).toBeLessThan(6);
  expect(exchange.coins).toBeLessThanOrEqual(exchange.percent(CARRY.highPercent) / 2);
  expect(most).toBeLessThanOrEqual(exchange.percent(CARRY.slicePercent) / 2 + 6);
  // The fund sells too, at a valuation: a smaller part than it needs is not bought back.
  [exchange.coins, exchange.short] = [1_300, 1_300];
  exchange.money += 400;
  exchange.orders.length = 0;
  await round();
  expect(exchange.orders).toEqual([]);
  exchange.money -= 5_000;
  [exchange.shares, exchange.waitingRedemptions] = ['5000', '0'];
  await round();
  expect(exchange.orders).toEqual([]);
});

test('what is not known of the fund keeps no leg alone', async () => {
  const exchange = new CarryExchange();
  [exchange.coins, exchange.short] = [1_500, 1_000];
  exchange.fundFailure = new CallError({ code: 1, msg: 'the history is away', status: 503 });
  await manager(exchange)();
  expect(exchange.coins).toBe(exchange.short);
});

test('a price of one coin that is missing keeps no leg of another alone, and nothing else is done', async () => {
  const exchange = new CarryExchange();
  [exchange.coins, exchange.short, exchange.otherPrice] = [1_500, 1_000, null];
  const round = manager(exchange);
  expect(await round()).toBe(false);
  expect(exchange.orders).toEqual(['contract SELL 500 fills']);
  exchange.price = null;
  exchange.short = 1_000;
  expect(await round()).toBe(false);
  expect(exchange.orders).toHaveLength(1);
});
