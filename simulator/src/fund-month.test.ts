/**
 * What the two funds of the recorded month are worth is recomputed from history alone: what was paid in and out, every trade, every payment of funding.
 */
import { expect, test } from 'vitest';
import type { Event } from '@orrery/protocol';
import { createEngine } from '@orrery/engine';
import { assert, type AccountId, type AssetId } from '@orrery/units';
import { BTC_SPOT, eventsOf, FUND } from '../../core/engine/src/testing/fund-scene.ts';
import { NaiveFunds } from '../../core/engine/src/testing/naive-funds.ts';
import { MAKER, playMonth, RECORDED_DAYS } from './fund-month.ts';

const DAYS = Number(process.env['ORRERY_FUND_DAYS'] ?? RECORDED_DAYS);

/** What a fund is worth by what happened to its account, in atoms. */
function worthByHistory(
  events: readonly Event[],
  fund: AssetId,
  account: AccountId,
): { readonly worth: bigint; readonly fundingPaid: bigint } {
  let [cash, coins, fundingPaid] = [0n, 0n, 0n];
  const positions = new Map<number, { size: bigint; cost: bigint }>();
  const marks = new Map<number, bigint>();
  let index = 0n;
  let valued: bigint | undefined;
  for (const event of events) {
    if (event.type === 'FundOpened' && event.fund === fund) cash += event.amount;
    if (event.type === 'FundSubscribed' && event.fund === fund) cash += event.amount;
    if (event.type === 'FundRedeemed' && event.fund === fund) cash -= event.amount;
    if (event.type === 'PositionReduced' && event.account === account) cash += event.profit;
    if (event.type === 'FundingPaid' && event.account === account) [cash, fundingPaid] = [cash + event.amount, fundingPaid + event.amount];
    if (event.type === 'PositionChanged' && event.account === account)
      positions.set(event.market, { size: BigInt(event.size), cost: event.cost });
    if (event.type === 'PricesSet') marks.set(event.market, BigInt(event.mark));
    if (event.type === 'IndexPriceSet') index = BigInt(event.price);
    if (event.type === 'Trade' && event.market === BTC_SPOT && (event.takerAccount === account || event.makerAccount === account)) {
      const isBuyer = (event.takerAccount === account) === (event.takerSide === 'buy');
      cash += isBuyer ? -BigInt(event.notional) : event.notional;
      coins += BigInt(event.size) * (isBuyer ? 1_000n : -1_000n);
    } else if (event.type === 'Trade') {
      if (event.takerAccount === account) cash -= event.takerFee;
      if (event.makerAccount === account) cash -= event.makerFee;
    }
    if (event.type !== 'FundValued' || event.fund !== fund) continue;
    let worth = cash + (coins * index) / 1_000n;
    for (const [market, { size, cost }] of positions) {
      const value = (marks.get(market) ?? 0n) * (size < 0n ? 0n - size : size);
      worth += size > 0n ? value - cost : size < 0n ? cost - value : 0n;
    }
    assert(worth === event.worth, `fund ${fund} is worth ${worth} at ${event.interval} by its history, not ${event.worth}`);
    valued = worth;
  }
  assert(valued !== undefined, `fund ${fund} was valued`);
  return { worth: valued, fundingPaid };
}

test('carry and a market maker are worth what their history says, to the atom', { timeout: 900_000 }, () => {
  const month = playMonth(DAYS);
  // From here on nothing but history is read.
  const engine = createEngine();
  const naive = new NaiveFunds();
  const events: Event[] = [];
  for (const applied of month.history) {
    const caused = engine.apply(applied);
    events.push(...caused);
    naive.follow(applied.at, applied.command, caused);
    if (engine.continuation()?.type !== 'ContinueFund') naive.drained(applied.at);
  }
  expect(Buffer.compare(engine.encodeState(), month.engine.encodeState())).toBe(0);
  const carry = worthByHistory(events, FUND, month.manager);
  const maker = worthByHistory(events, MAKER, month.maker);
  expect(carry.fundingPaid).toBeGreaterThan(0n);
  // A slice of each leg after the other, up to 30 % of the fund.
  expect(month.steps).toBeGreaterThanOrEqual(12);
  expect(eventsOf(events, 'FundRedeemed')).toHaveLength(1);
  const navs = eventsOf(events, 'FundValued')
    .filter(({ fund }) => fund === FUND)
    .map(({ nav }) => nav);
  console.log(
    `carry ${carry.worth} in ${month.steps} steps, of funding ${carry.fundingPaid}, deepest fall ${deepestFall(navs)} ppm; maker ${maker.worth}; ${navs.length} valuations`,
  );
  expect(eventsOf(events, 'Trade').filter(({ makerAccount }) => makerAccount === month.maker).length).toBeGreaterThan(DAYS * 100);
  expect(navs.length).toBeGreaterThan(DAYS * 140);
  // Coins and the contract against them: the price of a coin moves hardly anything.
  expect(deepestFall(navs)).toBeLessThan(20_000n);
});

/** In millionths of the highest NAV before. */
function deepestFall(navs: readonly bigint[]): bigint {
  let [highest, deepest] = [0n, 0n];
  for (const nav of navs) {
    if (nav > highest) highest = nav;
    const fall = ((highest - nav) * 1_000_000n) / highest;
    if (fall > deepest) deepest = fall;
  }
  return deepest;
}
