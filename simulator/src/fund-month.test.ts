/**
 * Two funds over the recorded prices: carry, which is long coins and short as many of a contract and collects funding, and a market maker on another contract. What they are
 * worth is recomputed from history alone: what was paid in and out, every trade, every payment of funding.
 */
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import type { Event, Side } from '@orrery/protocol';
import { createEngine } from '@orrery/engine';
import { assert, assetId, NO_ATOMS, ticks, type AccountId, type AssetId } from '@orrery/units';
import { usdc, USDC } from '../../core/engine/src/testing/contract-scene.ts';
import { BTC_PERP, BTC_SPOT, ETH_PERP, eventsOf, FUND, FundScene } from '../../core/engine/src/testing/fund-scene.ts';
import { NaiveFunds } from '../../core/engine/src/testing/naive-funds.ts';

/** All that is recorded. */
const DAYS = Number(process.env['ORRERY_FUND_DAYS'] ?? 30);
const MINUTE = 60_000;
const MAKER = assetId(11);
/** Ticks of the spot market and of the contracts in a dollar. */
const TICKS = 10;

/** The close of each minute, in ticks. */
function recorded(coin: string): { readonly at: number; readonly price: number }[] {
  const text = gunzipSync(readFileSync(new URL(`../../services/prices/data/${coin}-1m.csv.gz`, import.meta.url))).toString();
  return text
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => line.split(',').map(Number))
    .map(([at = 0, , , , close = 0]) => ({ at: at * 1_000 + MINUTE, price: Math.round(close * TICKS) }));
}

class Month extends FundScene {
  readonly maker: AccountId;
  #lots = 0;

  constructor() {
    super(20_000, { fees: 500, interest: 100 });
    this.isChecked = false;
    this.maker = this.person(NO_ATOMS);
    this.must({ type: 'RegisterAsset', asset: MAKER, code: 'FUND2', decimals: 6, kind: 'internal' });
    const leader = this.saver(20_000);
    this.must({ type: 'OpenFund', fund: MAKER, account: this.maker, leader, asset: USDC, amount: usdc(20_000), capacity: usdc(1_000_000) });
    const stake = { type: 'Transfer', account: this.maker, transferId: 'stake', asset: USDC } as const;
    this.must({ ...stake, amount: usdc(15_000), from: 'funding', to: 'futures' });
  }

  /** A minute of the recording. */
  minute(at: number, bitcoin: number, ether: number): void {
    this.at = at - 5_000;
    this.must({ type: 'SetIndexPrice', market: BTC_SPOT, price: ticks(bitcoin) });
    this.round(BTC_PERP, bitcoin);
    this.round(ETH_PERP, ether);
    this.at = at;
    if (at % (10 * MINUTE) !== 0) return;
    this.must({ type: 'SendFundHeartbeat', account: this.manager });
    this.#quote(ether);
  }

  /** The maker stands five hundredths of a percent away on both sides; the street takes one of them. */
  #quote(price: number): void {
    const away = Math.ceil(price / 2_000);
    const size = Math.floor(Number(usdc(500)) / price);
    this.must({ type: 'CancelAllOrders', account: this.maker, market: 0 });
    for (const side of ['buy', 'sell'] as const)
      this.give(this.order(this.maker, side, size, side === 'buy' ? price - away : price + away, { market: ETH_PERP }));
    const side: Side = this.#lots > 0 ? 'buy' : this.#lots < 0 ? 'sell' : price % 2 === 0 ? 'buy' : 'sell';
    const taken = this.give({
      ...this.order(this.street, side, size, side === 'buy' ? price + away : price - away, { market: ETH_PERP }),
      timeInForce: 'IOC',
    });
    for (const { size: lots } of eventsOf(taken, 'Trade')) this.#lots -= side === 'buy' ? lots : 0 - lots;
  }

  /** Long coins and short as many. */
  carry(price: number): void {
    const size = Math.floor(Number(usdc(18_000)) / price);
    this.arm('spot', 19_000);
    this.arm('futures', 25_000);
    this.must(this.spotOrder(this.street, 'sell', size, price));
    this.must(this.spotOrder(this.manager, 'buy', size, price));
    this.must(this.order(this.street, 'buy', size, price, { market: BTC_PERP }));
    this.must(this.order(this.manager, 'sell', size, price, { market: BTC_PERP }));
  }
}

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
  const [bitcoin, ether] = [recorded('BTC'), recorded('ETH')];
  const month = new Month();
  const savers = [month.saver(20_000), month.saver(20_000)];
  for (const [minute, { at, price }] of bitcoin.slice(0, DAYS * 24 * 60).entries()) {
    month.minute(at, price, ether[minute]?.price ?? price);
    if (minute === 30) for (const saver of savers) month.subscribe(saver, 15_000);
    if (minute === 60) month.carry(price);
    if (minute === 2 * 24 * 60) month.redeem(savers[0] ?? month.leader, 5_000);
  }
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
  expect(eventsOf(events, 'FundRedeemed')).toHaveLength(1);
  const navs = eventsOf(events, 'FundValued')
    .filter(({ fund }) => fund === FUND)
    .map(({ nav }) => nav);
  console.log(
    `carry ${carry.worth}, of funding ${carry.fundingPaid}, deepest fall ${deepestFall(navs)} ppm; maker ${maker.worth}; ${navs.length} valuations`,
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
