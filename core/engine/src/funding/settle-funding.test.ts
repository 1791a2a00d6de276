import { describe, expect, test } from 'vitest';
import { millis, NO_ATOMS, ticks, type AccountId, type Millis } from '@orrery/units';
import type { Event, SettleFunding } from '@orrery/protocol';
import { ContractScene, usdc } from '../testing/contract-scene.ts';

const HOUR = 3_600_000;
/** The table's clock begins at 1,000,000 s, which is 277 h and 2,800 s. */
const FIRST = millis(278 * HOUR);

const settle = (table: ContractScene, interval: Millis): SettleFunding => ({ type: 'SettleFunding', market: table.market, interval });
const paid = (events: readonly Event[]): readonly [AccountId, bigint][] =>
  events.flatMap((event) => (event.type === 'FundingPaid' ? [[event.account, event.amount] as [AccountId, bigint]] : []));

/** A long and a short of 1 BTC at 60,000.0, some seconds before the hour. */
function beforeTheHour(deposit = 10_000): { table: ContractScene; long: AccountId; short: AccountId } {
  const table = new ContractScene();
  const long = table.person('long', usdc(deposit));
  const short = table.person('short', usdc(10_000));
  table.wait(780);
  for (let round = 0; round < 4; round += 1) table.prices(600_000);
  table.trade(long, short, 100_000, 600_000);
  return { table, long, short };
}

describe('funding', () => {
  test('P2: is paid once an interval, at the index, and sums to zero', () => {
    const { table, long, short } = beforeTheHour();
    table.wait(10);
    // Without a premium the rate is the interest: 12,500 ppb of 60,000 are 0.75.
    const events = table.must(settle(table, FIRST));
    expect(events[0]).toEqual({ type: 'FundingSettled', market: table.market, interval: FIRST, ratePpb: 12_500, price: 600_000 });
    expect(paid(events)).toEqual([
      [long, usdc(-0.75)],
      [short, usdc(0.75)],
    ]);
    // 10,000 less a fee of 0.02 % as maker and 0.05 % as taker.
    expect(table.wallet(long)).toBe(usdc(10_000 - 30 - 0.75));
    expect(table.wallet(short)).toBe(usdc(10_000 - 12 + 0.75));
    expect(table.must(settle(table, FIRST))).toEqual([{ type: 'CommandRepeated', key: `BTC_USDC ${FIRST}` }]);
    expect(table.wallet(long)).toBe(usdc(10_000 - 30 - 0.75));
    table.replay();
  });

  test('P2: what rounding leaves over goes to DUST, and is never created', () => {
    const { table, long, short } = beforeTheHour();
    // 1 lot more: 600,000 ticks × 100,001 lots × 12,500 ppb = 750,007.5: paid up, received down.
    table.trade(long, short, 1, 600_000);
    table.wait(10);
    expect(paid(table.must(settle(table, FIRST)))).toEqual([
      [long, -750_008n],
      [short, 750_007n],
    ]);
    expect(table.system('DUST')).toBe(1n);
  });

  test.each<[string, number, number, string]>([
    ['an interval that has not ended', 0, 278 * HOUR, 'FundingNotDue'],
    ['an interval before the last one that ended', 2 * 3_600, 278 * HOUR, 'FundingNotDue'],
    ['what is no multiple of the interval', 10, 278 * HOUR - 1, 'InvalidField'],
    ['prices of a minute ago', 60, 278 * HOUR, 'FundingNotDue'],
  ])('%s is not settled', (_what, seconds, interval, reason) => {
    const { table } = beforeTheHour();
    table.wait(seconds);
    expect(table.give(settle(table, millis(interval)))).toEqual([{ type: 'CommandRejected', reason, field: 'interval' }]);
  });

  test('X1: a degraded price settles nothing, and the interval can be settled when there is a price again', () => {
    const { table } = beforeTheHour();
    table.wait(10);
    const index = [{ source: 'binance', price: ticks(600_000), ageMs: 0, weight: 1 }];
    table.must({ type: 'SubmitPrices', market: table.market, index, external: [] });
    expect(table.give(settle(table, FIRST))[0]).toMatchObject({ reason: 'FundingNotDue' });
    table.prices(600_000);
    expect(table.must(settle(table, FIRST))[0]).toMatchObject({ type: 'FundingSettled' });
  });

  test('an interval is settled within ten minutes of its end, or never', () => {
    const { table } = beforeTheHour();
    table.wait(8 + 600);
    table.prices(600_000);
    expect(table.give(settle(table, FIRST))[0]).toMatchObject({ reason: 'FundingNotDue' });
    table.wait(3_000);
    for (let round = 0; round < 3; round += 1) table.prices(600_000);
    expect(table.must(settle(table, millis(FIRST + HOUR)))[0]).toMatchObject({ type: 'FundingSettled' });
  });

  test('is paid at any time when it is forced, once for each time that is named, and the hour is settled as ever', () => {
    const { table, long, short } = beforeTheHour();
    const force = (interval: number) => ({ type: 'ForceFunding', market: table.market, interval: millis(interval) }) as const;
    const now = FIRST - 8_000;
    for (const [interval, field] of [
      [0, 'InvalidField'],
      [FIRST, 'FundingNotDue'],
      [now - 120_000, 'FundingNotDue'],
    ] as const)
      expect(table.give(force(interval))).toEqual([{ type: 'CommandRejected', reason: field, field: 'interval' }]);
    const events = table.must(force(now - 10_000));
    expect(events[0]).toMatchObject({ type: 'FundingSettled', interval: now - 10_000, ratePpb: 12_500 });
    expect(paid(events)).toEqual([
      [long, usdc(-0.75)],
      [short, usdc(0.75)],
    ]);
    expect(table.must(force(now - 10_000))).toMatchObject([{ type: 'CommandRepeated' }]);
    table.wait(10);
    expect(paid(table.must(settle(table, FIRST)))).toHaveLength(2);
    expect(table.wallet(short)).toBe(usdc(10_000 - 12 + 1.5));
    table.replay();
  });

  test('an isolated position pays from its margin and keeps what it receives', () => {
    const table = new ContractScene();
    const long = table.person('long', usdc(10_000));
    const short = table.person('short', usdc(10_000));
    for (const account of [long, short]) table.must({ type: 'SetMarginMode', account, market: table.market, mode: 'isolated' });
    table.wait(780);
    for (let round = 0; round < 4; round += 1) table.prices(600_000);
    table.trade(long, short, 100_000, 600_000);
    const before = [table.position(long)!.margin, table.position(short)!.margin];
    table.wait(10);
    table.must(settle(table, FIRST));
    expect(table.position(long)).toMatchObject({ margin: before[0]! - usdc(0.75), funding: usdc(-0.75) });
    expect(table.position(short)).toMatchObject({ margin: before[1]! + usdc(0.75), funding: usdc(0.75) });
  });

  test('nobody without a position pays', () => {
    const { table } = beforeTheHour();
    const stranger = table.person('stranger', usdc(5));
    table.wait(10);
    expect(paid(table.must(settle(table, FIRST)))).toHaveLength(2);
    expect(table.wallet(stranger)).toBe(usdc(5));
    expect(table.system('CLEARING')).toBe(NO_ATOMS);
  });
});
