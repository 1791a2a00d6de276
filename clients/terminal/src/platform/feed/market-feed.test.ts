import { expect, test } from 'vitest';
import type { AccountTopicNews, AwardNews, Deal, Kline } from '@orrery/api';
import { DepthReplica } from '@orrery/sdk';
import type { AccountListener, ConnectionState, MarketListener, StreamOptions } from '@orrery/sdk';
import { LADDER_HEADER } from './ladder.ts';
import { MarketFeed } from './market-feed.ts';
import type { FromFeed, View } from './messages.ts';

const BTC: View = { symbol: 'BTC_USDC', pricePrecision: 1, sizePrecision: 5, interval: '15m', step: 1, rows: 5 };

const deal = (id: number): Deal => ({ id: String(id), s: 'BTC_USDC', t: id, p: '100.5', a: '0.00001', m: 1 });
const kline = (symbol: string): Kline => ({
  s: symbol,
  i: '15m',
  t: 900_000,
  o: '1',
  h: '2',
  l: '1',
  c: '2',
  a: '3',
  v: '4',
  closed: false,
  outside: false,
});

/** The feed with a stream, a clock and a page of the test's own. */
function bench() {
  let now = 0;
  let options: StreamOptions | undefined;
  const posted: FromFeed[] = [];
  const listening = new Set<string>();
  let market: MarketListener = {};
  let onKline: (kline: Kline) => void = () => undefined;
  let account: AccountListener = {};
  let deals: readonly Deal[] | Error = [];
  const pinged: PromiseWithResolvers<number>[] = [];
  const during = (topic: string) => {
    listening.add(topic);
    return () => void listening.delete(topic);
  };
  const feed = new MarketFeed({
    openStream: (given) => {
      options = given;
      return {
        market: (symbol, listener) => ((market = listener), during(`market ${symbol}`)),
        klines: ({ symbol, interval }, listener) => ((onKline = listener), during(`kline ${symbol} ${interval}`)),
        tickers: () => during('tickers'),
        account: (listener) => ((account = listener), during('account')),
        ping: () => {
          pinged.push(Promise.withResolvers());
          return pinged.at(-1)!.promise;
        },
      };
    },
    post: (message) => posted.push(message),
    now: () => now,
    latestDeals: () => (deals instanceof Error ? Promise.reject(deals) : Promise.resolve(deals)),
  });
  feed.receive({ type: 'start', baseUrl: 'http://exchange.test' });
  const settled = () => new Promise<void>((resolve) => setImmediate(resolve));
  return {
    feed,
    listening,
    settled,
    connection: (state: ConnectionState) => options?.onState?.(state),
    ticket: () => options?.ticket?.() ?? Promise.reject(new Error('no tickets')),
    market: () => market,
    kline: (given: Kline) => onKline(given),
    account: () => account,
    pings: () => pinged.length,
    answer: (millis: number) => {
      for (const { resolve } of pinged) resolve(millis);
      return settled();
    },
    dealsAre: (given: readonly Deal[] | Error) => void (deals = given),
    after: (millis: number) => {
      now += millis;
      feed.beat();
    },
    postedOf: <Type extends FromFeed['type']>(type: Type) =>
      posted.filter((message): message is Extract<FromFeed, { type: Type }> => message.type === type),
  };
}

function depthOf(bid: string): DepthReplica {
  const depth = new DepthReplica('BTC_USDC');
  depth.reset({ s: 'BTC_USDC', t: 0, id: 1, seq: 1, b: [[bid, '0.00002']], a: [['100.6', '0.00003']] });
  return depth;
}

test('[S4] the market in view is listened to, and its book is sent in ticks and lots', () => {
  const { feed, listening, connection, market, after, postedOf } = bench();
  connection('open');
  feed.receive({ type: 'view', view: BTC });
  expect([...listening].sort()).toEqual(['kline BTC_USDC 15m', 'market BTC_USDC', 'tickers']);
  market().onDepth?.(depthOf('100.5'));
  after(100);
  const [ladder] = postedOf('ladder');
  expect(Array.from(ladder?.frame.subarray(0, LADDER_HEADER + 6) ?? [])).toEqual([1, 1, 1005, 1006, 1005, 2, 2, 1006, 3, 3]);
});

test('a hundred changes in a tenth of a second are one message', () => {
  const { feed, connection, market, after, postedOf } = bench();
  connection('open');
  feed.receive({ type: 'view', view: BTC });
  for (let change = 0; change < 100; change += 1) market().onDepth?.(depthOf('100.5'));
  after(100);
  after(50);
  expect(postedOf('ladder')).toHaveLength(1);
});

test('the calm pace is two a second', () => {
  const { feed, connection, market, after, postedOf } = bench();
  connection('open');
  feed.receive({ type: 'pace', hertz: 2 });
  feed.receive({ type: 'view', view: BTC });
  for (let beat = 0; beat < 20; beat += 1) {
    market().onDepth?.(depthOf('100.5'));
    after(100);
  }
  expect(postedOf('ladder')).toHaveLength(4);
});

test('a book that cannot be relied on is not sent, and counted as a resync', () => {
  const { feed, connection, market, after, postedOf } = bench();
  connection('open');
  feed.receive({ type: 'view', view: BTC });
  market().onDepth?.(depthOf('100.5'));
  after(100);
  market().onDepthLost?.();
  after(2_000);
  expect(postedOf('ladder')).toHaveLength(1);
  expect(postedOf('status').at(-1)?.status.resyncs).toBe(1);
  market().onDepth?.(depthOf('100.4'));
  after(100);
  expect(postedOf('ladder')).toHaveLength(2);
});

test('after a lost connection the tape is read again and the page is notified that bars may be missing', async () => {
  const { feed, connection, dealsAre, settled, after, postedOf } = bench();
  connection('open');
  feed.receive({ type: 'view', view: BTC });
  await settled();
  connection('waiting');
  expect(postedOf('status').at(-1)?.status.phase).toBe('reconnecting');
  dealsAre([deal(1), deal(2)]);
  connection('open');
  await settled();
  after(100);
  expect(postedOf('returned')).toEqual([{ type: 'returned', symbol: 'BTC_USDC' }]);
  expect(
    postedOf('tape')
      .at(-1)
      ?.trades.map(({ id }) => id),
  ).toEqual([2, 1]);
  expect(postedOf('status').at(-1)?.status.phase).toBe('live');
});

test('a hidden page is sent nothing, and everything is read again when it shows again', async () => {
  const { feed, listening, connection, market, after, settled, postedOf } = bench();
  connection('open');
  feed.receive({ type: 'view', view: BTC });
  feed.receive({ type: 'visibility', visibility: 'hidden' });
  expect([...listening]).toEqual(['tickers']);
  expect(postedOf('status').at(-1)?.status.phase).toBe('paused');
  market().onDepth?.(depthOf('100.5'));
  after(600_000);
  expect(postedOf('ladder')).toEqual([]);
  feed.receive({ type: 'visibility', visibility: 'visible' });
  await settled();
  expect(listening.has('market BTC_USDC')).toBe(true);
  expect(postedOf('returned')).toHaveLength(1);
});

test('another interval changes the candles only', () => {
  const { feed, listening, connection, kline: pushKline, after, postedOf } = bench();
  connection('open');
  feed.receive({ type: 'view', view: BTC });
  feed.receive({ type: 'view', view: { ...BTC, interval: '1h' } });
  expect([...listening].sort()).toEqual(['kline BTC_USDC 1h', 'market BTC_USDC', 'tickers']);
  pushKline(kline('BTC_USDC'));
  after(250);
  expect(postedOf('bar').map(({ interval }) => interval)).toEqual(['1h']);
});

test('the last candle is sent four times a second at most', () => {
  const { feed, connection, kline: pushKline, after, postedOf } = bench();
  connection('open');
  feed.receive({ type: 'view', view: BTC });
  for (let beat = 0; beat < 20; beat += 1) {
    pushKline(kline('BTC_USDC'));
    after(50);
  }
  expect(postedOf('bar')).toHaveLength(4);
});

test('another market drops what was known of the last', () => {
  const { feed, listening, connection, market, after, postedOf } = bench();
  connection('open');
  feed.receive({ type: 'view', view: BTC });
  market().onDepth?.(depthOf('100.5'));
  feed.receive({ type: 'view', view: { ...BTC, symbol: 'ETH_USDC' } });
  after(500);
  expect(postedOf('ladder')).toEqual([]);
  expect([...listening].sort()).toEqual(['kline ETH_USDC 15m', 'market ETH_USDC', 'tickers']);
});

const AWARD: AwardNews = { awardId: 'task:1', kind: 'TASK', points: 500, title: null, at: 1 };

test('[T6, T9] the private stream asks the page for its ticket, and passes everything on at once', async () => {
  const { feed, listening, connection, account, ticket, postedOf } = bench();
  connection('open');
  feed.receive({ type: 'account', account: 'signedIn', session: 1 });
  expect(listening.has('account')).toBe(true);
  const asked = ticket();
  expect(postedOf('ticketWanted')).toHaveLength(1);
  feed.receive({ type: 'ticket', ticket: 'one-time' });
  await expect(asked).resolves.toBe('one-time');
  account().onReset?.();
  account().onReady?.();
  expect(postedOf('private').map(({ message }) => message.kind)).toEqual(['begin', 'ready']);
  // A topic that this page does not know passes like one that it does.
  const later = { resType: 'uLater', data: { id: 7 } } as unknown as AccountTopicNews;
  const news: readonly AccountTopicNews[] = [{ resType: 'uClaim', data: { status: 2 } }, { resType: 'uAward', data: AWARD }, later];
  for (const one of news) account().onTopic?.(one);
  expect(
    postedOf('private')
      .slice(-3)
      .map(({ message }) => message),
  ).toEqual(news.map((one) => ({ kind: 'topic', news: one })));
  feed.receive({ type: 'account', account: 'signedOut', session: 2 });
  expect(listening.has('account')).toBe(false);
});

test('a ticket that could not be had is a failure the stream may try again', async () => {
  const { feed, connection, ticket } = bench();
  connection('open');
  feed.receive({ type: 'account', account: 'signedIn', session: 1 });
  const asked = ticket();
  feed.receive({ type: 'ticket', ticket: undefined });
  await expect(asked).rejects.toThrow('no ticket');
});

test('trades that could not be read are no sign of life, and are asked for again until they can', async () => {
  const { feed, connection, settled, dealsAre, after, postedOf } = bench();
  dealsAre(new Error('not reachable'));
  feed.receive({ type: 'view', view: BTC });
  await settled();
  after(1_000);
  await settled();
  expect(postedOf('status').at(-1)?.status.heardAt).toBe(0);
  expect(postedOf('tape')).toEqual([]);
  dealsAre([deal(1)]);
  connection('open');
  after(1_000);
  await settled();
  after(1_000);
  expect(
    postedOf('tape')
      .at(-1)
      ?.trades.map(({ id }) => id),
  ).toEqual([1]);
});

test('the status says topic by topic what is fresh: the book once it is proven, the account once it is whole', () => {
  const { feed, connection, market, account, after, postedOf } = bench();
  const topics = (): readonly string[] => {
    after(1_000);
    const status = postedOf('status').at(-1)?.status;
    return [status?.phase ?? '', status?.book ?? '', status?.account ?? ''];
  };
  expect(topics()).toEqual(['connecting', 'idle', 'idle']);
  connection('open');
  feed.receive({ type: 'view', view: BTC });
  feed.receive({ type: 'account', account: 'signedIn', session: 1 });
  expect(topics()).toEqual(['live', 'waiting', 'waiting']);
  market().onDepth?.(depthOf('100.5'));
  account().onReady?.();
  expect(topics()).toEqual(['live', 'fresh', 'fresh']);
  market().onDepthLost?.();
  expect(topics()).toEqual(['live', 'waiting', 'fresh']);
  connection('waiting');
  expect(topics()).toEqual(['reconnecting', 'waiting', 'waiting']);
  feed.receive({ type: 'account', account: 'signedOut', session: 2 });
  feed.receive({ type: 'view', view: undefined });
  expect(topics()).toEqual(['reconnecting', 'idle', 'idle']);
});

test('the exchange is timed over the stream every five seconds while the page is seen, and no answer in time is no answer', async () => {
  const { feed, connection, after, answer, pings, settled, postedOf } = bench();
  const roundTrips = () => postedOf('roundTrip').map(({ millis }) => millis);
  connection('open');
  await answer(12);
  after(4_999);
  expect([pings(), roundTrips()]).toEqual([1, [12]]);
  after(1);
  expect(pings()).toBe(2);
  after(2_499);
  expect(roundTrips()).toEqual([12]);
  after(1);
  expect(roundTrips()).toEqual([12, undefined]);
  // One at a time; a late answer is one.
  after(10_000);
  expect(pings()).toBe(2);
  await answer(15_000);
  expect(roundTrips()).toEqual([12, undefined, 15_000]);
  feed.receive({ type: 'visibility', visibility: 'hidden' });
  after(10_000);
  expect(pings()).toBe(2);
  connection('waiting');
  await settled();
  expect(roundTrips()).toEqual([12, undefined, 15_000, undefined]);
});
