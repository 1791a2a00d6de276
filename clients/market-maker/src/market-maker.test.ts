import { ApiKeyCredentials, createClient, Stream, type Client } from '@orrery/sdk';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { runMarketMaker, type MarketMaker } from './market-maker.ts';
import { openExchange, type TestExchange } from './testing/exchange.ts';

const symbol = 'BTC_USDC';
let exchange: TestExchange;
let marketMaker: MarketMaker | undefined;
let log: string[];

beforeEach(async () => {
  exchange = await openExchange();
  log = [];
});
afterEach(async () => {
  await marketMaker?.stop();
  marketMaker = undefined;
  await exchange.close();
});

function start(options: { readonly tape: 'on' | 'off'; readonly staleMs?: number }): MarketMaker {
  marketMaker = runMarketMaker({
    baseUrl: exchange.baseUrl,
    maker: exchange.maker,
    seed: 5,
    tapePauseMs: 300,
    log: (line) => log.push(line),
    ...(options.staleMs === undefined ? {} : { staleMs: options.staleMs }),
    ...(options.tape === 'on' ? { taker: exchange.taker } : {}),
  });
  return marketMaker;
}

const clientOf = (account: TestExchange['maker']): Client =>
  createClient({ baseUrl: exchange.baseUrl, credentials: new ApiKeyCredentials(account) });

async function until(what: string, isSo: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 20_000;
  while (!(await isSo())) {
    if (Date.now() > deadline) throw new Error(`not in time: ${what}; ${log.join('; ')}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

async function depth() {
  const { b, a } = await clientOf(exchange.taker).depth({ symbol, level: 100 });
  return { bids: b, asks: a };
}

describe('the market-maker and the exchange', () => {
  test('fifty levels stand on each side around the outside price and follow it, changing only what has to', async () => {
    await exchange.setPrice(1_000_000);
    await start({ tape: 'off' }).ready;
    const before = await depth();
    expect([before.bids.length, before.asks.length]).toEqual([50, 50]);
    expect(Number(before.bids[0]![0])).toBeLessThan(100_000);
    expect(Number(before.asks[0]![0])).toBeGreaterThan(100_000);
    const { seq } = exchange.heart.status();
    await exchange.setPrice(1_000_200);
    await until('the quotes follow', async () => (await depth()).bids[0]![0] !== before.bids[0]![0]);
    await until('fifty levels again', async () => {
      const { bids, asks } = await depth();
      return bids.length === 50 && asks.length === 50;
    });
    expect(exchange.heart.status().seq - seq).toBeLessThan(20);
    expect(log).toEqual([]);
  });

  test('the tape is alive, and the depth that a client keeps is proven all the while', async () => {
    await exchange.setPrice(1_000_000);
    const client = clientOf(exchange.taker);
    const stream = new Stream({
      baseUrl: exchange.baseUrl,
      ticket: () => client.streamTicket(),
      onFault: ({ message }) => log.push(message),
    });
    let [deals, updates, losses] = [0, 0, 0];
    stream.market(symbol, { onDeal: () => void (deals += 1), onDepth: () => void (updates += 1), onDepthLost: () => void (losses += 1) });
    await start({ tape: 'on' }).ready;
    await until('ten trades', () => deals >= 10);
    stream.close();
    expect(updates).toBeGreaterThan(5);
    // The one loss is the closing of the stream itself.
    expect(losses).toBe(1);
    expect(log).toEqual([]);
  });

  test('what was taken from the book is put back', async () => {
    await exchange.setPrice(1_000_000);
    await start({ tape: 'off' }).ready;
    await clientOf(exchange.taker).createOrder({ symbol, direction: 'BUY', tradeType: 'MARKET', totalAmount: '0.4' });
    await until('the asks are fifty again', async () => (await depth()).asks.length === 50);
  });

  test('a person’s order that the outside price has left behind is filled', async () => {
    await exchange.setPrice(1_000_000);
    await start({ tape: 'off' }).ready;
    const client = clientOf(exchange.taker);
    const orderId = await client.createOrder({ symbol, direction: 'BUY', tradeType: 'LIMIT', price: '99800', totalAmount: '0.001' });
    await exchange.setPrice(995_000);
    await until('it is filled', async () => (await client.openOrders({ symbol })).items.every((order) => order.orderId !== orderId));
  });

  test('a restart takes out what an earlier run left, a stop what this one placed', async () => {
    await exchange.setPrice(1_000_000);
    const client = clientOf(exchange.maker);
    const stray = await client.createOrder({ symbol, direction: 'BUY', tradeType: 'LIMIT', price: '50000', totalAmount: '0.01' });
    const running = start({ tape: 'off' });
    await running.ready;
    const open = await client.openOrders({ symbol, size: 100 });
    expect(open.total).toBe(100);
    expect(open.items.map(({ orderId }) => orderId)).not.toContain(stray);
    await running.stop();
    expect((await client.openOrders({ symbol })).total).toBe(0);
  });

  test('a market that is not trading is not waited for', async () => {
    await exchange.setPrice(1_000_000);
    await exchange.setState('CANCEL_ONLY');
    await start({ tape: 'off' }).ready;
    expect((await depth()).bids).toEqual([]);
  });

  test('quotes are taken out when the outside price is stale, and come back with the next one', async () => {
    await exchange.setPrice(1_000_000);
    await start({ tape: 'off', staleMs: 800 }).ready;
    await until('the quotes are out', async () => (await depth()).bids.length === 0);
    expect(log.join()).toContain('stale');
    await exchange.setPrice(1_000_100);
    await until('the quotes are back', async () => (await depth()).bids.length === 50);
  });

  test('an exchange that went away and came back finds its quotes looked after', async () => {
    await exchange.setPrice(1_000_000);
    await start({ tape: 'off' }).ready;
    await exchange.restartGateway();
    await exchange.setPrice(1_005_000);
    await until('the quotes follow', async () => {
      const { bids, asks } = await depth();
      return bids.length === 50 && asks.length === 50 && Number(bids[0]![0]) > 100_300;
    });
  });
});
