import { localLease } from '@orrery/foundation';
import { expect, test } from 'vitest';
import { HeartError } from '@orrery/protocol';
import type { Command, Event, Receipt } from '@orrery/protocol';
import { millis, seq, ticks } from '@orrery/units';
import type { Millis } from '@orrery/units';
import { OutsidePrices } from './outside-prices.ts';
import type { OutsidePrice, PriceSource } from './price-source.ts';
import { btc, eth } from './testing/outside-markets.ts';

function scene() {
  let now = 0;
  const prices = new Map<number, number>([
    [btc.market, 100],
    [eth.market, 200],
  ]);
  const submitted: Command[] = [];
  const published: (readonly OutsidePrice[])[] = [];
  const lines: string[] = [];
  const answer: { events: readonly Event[]; error: Error | undefined; gate: Promise<void> } = {
    events: [],
    error: undefined,
    gate: Promise.resolve(),
  };
  const source: PriceSource = {
    price: (market, at: Millis) => {
      const price = prices.get(market);
      return price === undefined
        ? undefined
        : { market, symbol: market === btc.market ? btc.symbol : eth.symbol, price: ticks(price), at, label: 'recorded' };
    },
    round: () => ({ index: [], external: [] }),
    bars: () => [],
    historyBars: () => [],
    labelOf: () => 'recorded',
    close: () => undefined,
  };
  const submit = async (command: Command): Promise<Receipt> => {
    submitted.push(command);
    await answer.gate;
    if (answer.error !== undefined) throw answer.error;
    return { seq: seq(submitted.length), at: millis(now), events: answer.events };
  };
  const outside = new OutsidePrices({
    lease: localLease('outside prices'),
    source,
    markets: [btc, eth],
    heart: { submit },
    now: () => millis((now += 1_000)),
    publish: (changed) => published.push(changed),
    log: (line) => lines.push(line),
  });
  return { outside, prices, submitted, published, lines, answer };
}

const priceOf = (command: Command | undefined): number | undefined => (command?.type === 'SetIndexPrice' ? command.price : undefined);

test('changed prices are published every second and submitted to the heart every third', async () => {
  const { outside, prices, submitted, published } = scene();
  await outside.tick();
  expect(submitted.map(priceOf)).toEqual([100, 200]);
  for (const price of [101, 102, 103]) {
    prices.set(btc.market, price);
    await outside.tick();
  }
  expect(submitted.map(priceOf)).toEqual([100, 200, 103]);
  expect(published.map((changed) => changed.map(({ price }) => price))).toEqual([[100, 200], [101], [102], [103]]);
  expect(outside.latest(btc.market)?.price).toBe(103);
  for (const _ of [1, 2, 3, 4]) await outside.tick();
  expect(submitted).toHaveLength(3);
  expect(published).toHaveLength(4);
});

test('an unchanged price is repeated after a while, so that silence means that there is none', async () => {
  const { outside, submitted } = scene();
  for (let beat = 0; beat < 9; beat += 1) await outside.tick();
  expect(submitted).toHaveLength(2);
  await outside.tick();
  expect(submitted.map(priceOf)).toEqual([100, 200, 100, 200]);
});

test('while the heart is slow no second price of the market waits for it', async () => {
  const { outside, prices, submitted, answer } = scene();
  const gate = Promise.withResolvers<void>();
  answer.gate = gate.promise;
  const ticked = [outside.tick()];
  for (let beat = 0; beat < 9; beat += 1) {
    prices.set(btc.market, 500 + beat);
    ticked.push(outside.tick());
  }
  expect(submitted).toHaveLength(2);
  gate.resolve();
  await Promise.all(ticked);
  for (const _ of [1, 2, 3]) await outside.tick();
  expect(submitted.map(priceOf)).toEqual([100, 200, 508]);
});

test('a price that is not fresh is neither published nor submitted, and its absence is logged once', async () => {
  const { outside, prices, submitted, published, lines } = scene();
  prices.delete(eth.market);
  for (const _ of [1, 2, 3, 4]) await outside.tick();
  expect(submitted.map(priceOf)).toEqual([100]);
  expect(published).toHaveLength(1);
  expect(outside.latest(eth.market)).toBeUndefined();
  expect(lines).toEqual(['ETH_USDC: there is no fresh outside price']);
});

test('a refused price and a heart that does not answer are said once, and tried again with the next price', async () => {
  const { outside, submitted, lines, answer } = scene();
  answer.events = [{ type: 'CommandRejected', reason: 'UnknownMarket', field: 'market' }];
  for (const _ of [1, 2, 3, 4]) await outside.tick();
  expect(submitted).toHaveLength(4);
  answer.error = new HeartError({ failure: 'overloaded', outcomeUnknown: false, message: 'too much' });
  for (const _ of [1, 2, 3]) await outside.tick();
  expect(lines).toEqual([
    'BTC_USDC: the outside price was refused: UnknownMarket',
    'ETH_USDC: the outside price was refused: UnknownMarket',
    'BTC_USDC: the outside price could not be reported: too much',
    'ETH_USDC: the outside price could not be reported: too much',
  ]);
});

test('the timer runs from start to stop', async () => {
  const { outside, submitted } = scene();
  await outside.start();
  expect(submitted).toHaveLength(2);
  outside.stop();
});
