import type { AggregateTicker, FuturesDeal, Liquidation } from '@orrery/api';
import type { ConnectionState, FuturesAccountListener, FuturesStream } from '@orrery/sdk';
import { expect, test } from 'vitest';
import { ContractAccountFeed } from './contract-account-feed.ts';
import { contractStream, dealOf } from './contract-stream.ts';
import { Feeds } from './feeds.ts';
import type { ContractPart } from './feeds.ts';
import type { FromWorker, View } from './messages.ts';

const SPOT: View = { symbol: 'BTC_USDC', pricePrecision: 1, sizePrecision: 5, interval: '15m', step: 1, rows: 5 };
const CONTRACT: View = { ...SPOT, symbol: 'BTC_USDC-PERP', source: 'MARK' };

/** Two streams of the test's own behind one worker. */
function bench() {
  let now = 0;
  let isAway = false;
  const posted: FromWorker[] = [];
  const listening = new Set<string>();
  const states: Partial<Record<'spot' | 'contracts', (state: ConnectionState) => void>> = {};
  let account: FuturesAccountListener = {};
  let onTickers: (tickers: readonly AggregateTicker[]) => void = () => undefined;
  let onDeal: ((deal: FuturesDeal) => void) | undefined;
  const during = (topic: string) => {
    listening.add(topic);
    return () => void listening.delete(topic);
  };
  const openFuturesStream: ContractPart['openFuturesStream'] = ({ onState }) => {
    if (onState !== undefined) states.contracts = onState;
    const stream: Pick<FuturesStream, 'contract' | 'klines' | 'tickers' | 'funding' | 'account'> = {
      contract: (symbol, listener) => ((onDeal = (deal) => listener.onDeal?.(deal)), during(`contract ${symbol}`)),
      klines: ({ symbol, source = 'LAST' }) => during(`kline ${symbol} ${source}`),
      tickers: (listener) => ((onTickers = listener), during('tickers')),
      funding: (symbol) => during(`funding ${symbol}`),
      account: (listener) => ((account = listener), during('account')),
    };
    return stream as FuturesStream;
  };
  const contractAccount: ContractPart['contractAccount'] = (ports) => new ContractAccountFeed(ports);
  const feeds = new Feeds({
    openStream: ({ onState }) => {
      if (onState !== undefined) states.spot = onState;
      return {
        market: (symbol) => during(`spot ${symbol}`),
        klines: ({ symbol }) => during(`spot kline ${symbol}`),
        tickers: () => during('spot tickers'),
        account: () => during('spot account'),
      };
    },
    openSocket: () => {
      throw new Error('the streams of this test need no socket');
    },
    loadContracts: () =>
      isAway ? Promise.reject(new Error('away')) : Promise.resolve({ contractStream, contractAccount, dealOf, openFuturesStream }),
    post: (message) => posted.push(message),
    now: () => now,
    latestDeals: () => Promise.resolve([]),
    latestContractDeals: () => Promise.resolve([]),
  });
  feeds.receive({ type: 'start', baseUrl: 'http://exchange.test' });
  return {
    feeds,
    away: (is: boolean) => void (isAway = is),
    loaded: () => new Promise<void>((resolve) => setImmediate(resolve)),
    states,
    heard: () => [...listening].sort(),
    account: () => account,
    tickers: (given: readonly AggregateTicker[]) => onTickers(given),
    deal: (given: FuturesDeal) => onDeal?.(given),
    after: (millis: number) => {
      now += millis;
      feeds.beat();
    },
    postedOf: <Type extends FromWorker['type']>(type: Type) =>
      posted.filter((message): message is Extract<FromWorker, { type: Type }> => message.type === type),
  };
}

test('[S4] the stream of contracts begins with the first contract in view, and one market is listened to at a time', async () => {
  const { feeds, heard, states, loaded } = bench();
  feeds.receive({ type: 'view', view: SPOT });
  expect(heard()).toEqual(['spot BTC_USDC', 'spot kline BTC_USDC', 'spot tickers']);
  expect(states.contracts).toBeUndefined();
  feeds.receive({ type: 'view', view: CONTRACT });
  await loaded();
  expect(heard()).toEqual(['contract BTC_USDC', 'funding BTC_USDC', 'kline BTC_USDC MARK', 'spot tickers', 'tickers']);
  feeds.receive({ type: 'view', view: { ...CONTRACT, source: 'LAST' } });
  expect(heard()).toContain('kline BTC_USDC LAST');
  feeds.receive({ type: 'view', view: SPOT });
  expect(heard()).toEqual(['spot BTC_USDC', 'spot kline BTC_USDC', 'spot tickers']);
});

test('a hidden page listens to no contract, and hears of the account all the same', async () => {
  const { feeds, heard, loaded } = bench();
  feeds.receive({ type: 'account', account: 'signedIn', session: 1 });
  feeds.receive({ type: 'view', view: CONTRACT });
  feeds.receive({ type: 'visibility', visibility: 'hidden' });
  await loaded();
  expect(heard()).toEqual(['account', 'spot account', 'spot tickers']);
});

test('the page is sent the status of the stream whose market is in view', async () => {
  const { feeds, states, postedOf, loaded } = bench();
  feeds.receive({ type: 'view', view: CONTRACT });
  await loaded();
  states.contracts?.('waiting');
  states.spot?.('open');
  expect(postedOf('status').at(-1)?.status.phase).toBe('reconnecting');
  feeds.receive({ type: 'view', view: SPOT });
  states.spot?.('open');
  expect(postedOf('status').at(-1)?.status.phase).toBe('live');
});

test('trades, tickers and quotes of a contract bear its marked name, a liquidation is news', async () => {
  const { feeds, states, tickers, deal, account, after, postedOf, loaded } = bench();
  feeds.receive({ type: 'account', account: 'signedIn', session: 1 });
  feeds.receive({ type: 'view', view: CONTRACT });
  await loaded();
  states.contracts?.('open');
  await loaded();
  const quote: AggregateTicker = {
    s: 'BTC_USDC',
    t: 1,
    o: '1',
    h: '1',
    l: '1',
    c: '1',
    a: '1',
    v: '1',
    r: '0',
    i: '2',
    m: '3',
    bp: '1',
    ap: '1',
  };
  tickers([quote]);
  deal({ id: '9', s: 'BTC_USDC', t: 5, p: '100.5', a: '0.00001', m: 'ASK' });
  after(100);
  expect(postedOf('quotes')).toEqual([{ type: 'quotes', quotes: [quote] }]);
  expect(
    postedOf('tickers')
      .at(-1)
      ?.tickers.map(({ s }) => s),
  ).toEqual(['BTC_USDC-PERP']);
  expect(postedOf('tape').at(-1)?.trades).toEqual([{ id: 9, time: 5, price: 1005, size: 1, takerSide: 'sell' }]);
  account().onReset?.();
  account().onReady?.();
  account().onLiquidation?.({ liquidationId: '4' } as Liquidation);
  expect(postedOf('contractNews')).toEqual([
    { type: 'contractNews', news: { kind: 'liquidation', step: { liquidationId: '4' } }, session: 1 },
  ]);
});

test('what could not be loaded is asked for again, and begins with all that holds by then', async () => {
  const { feeds, heard, after, away, loaded } = bench();
  away(true);
  feeds.receive({ type: 'view', view: CONTRACT });
  await loaded();
  expect(heard()).toEqual(['spot tickers']);
  away(false);
  feeds.receive({ type: 'account', account: 'signedIn', session: 1 });
  feeds.receive({ type: 'view', view: { ...CONTRACT, symbol: 'ETH_USDC-PERP' } });
  after(2_000);
  await loaded();
  expect(heard()).toEqual([
    'account',
    'contract ETH_USDC',
    'funding ETH_USDC',
    'kline ETH_USDC MARK',
    'spot account',
    'spot tickers',
    'tickers',
  ]);
});

test('[F4] the account is as fresh as its own stream: that of contracts may be away while that of spot is live', async () => {
  const { feeds, states, account, after, postedOf, loaded } = bench();
  feeds.receive({ type: 'account', account: 'signedIn', session: 1 });
  feeds.receive({ type: 'view', view: CONTRACT });
  await loaded();
  const own = () => postedOf('status').at(-1)?.own.contracts;
  states.spot?.('open');
  states.contracts?.('open');
  account().onReset?.();
  expect(own()).toMatchObject({ state: 'waiting', heardAt: 0 });
  after(1_000);
  account().onReady?.();
  expect(own()).toEqual({ phase: 'live', state: 'fresh', heardAt: 1_000 });
  expect(postedOf('status').at(-1)?.status.account).toBe('fresh');
  // After a gap all of it is awaited again.
  account().onReset?.();
  after(2_000);
  expect(own()).toEqual({ phase: 'reconnecting', state: 'waiting', heardAt: 1_000 });
  account().onReady?.();
  states.contracts?.('waiting');
  expect(own()).toEqual({ phase: 'reconnecting', state: 'waiting', heardAt: 3_000 });
  expect(postedOf('status').at(-1)?.own.spot.phase).toBe('live');
});
