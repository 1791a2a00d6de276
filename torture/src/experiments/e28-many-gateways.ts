/** Clients spread over gateways by chance, whose streams go from one to another while everybody trades, and whose sessions end. */
import { setTimeout as pause } from 'node:timers/promises';
import { STREAM_PATH, SUCCESS, type CreateOrder } from '@orrery/api';
import { type Client, createClient, sessionCredentials, Stream } from '@orrery/sdk';
import { assert } from '@orrery/units';
import { WebSocket } from 'ws';
import { Chance } from '../../../core/engine/src/testing/chance.ts';
import { MovingReader } from '../../../exchange/e2e/moving-reader.ts';
import { browserFetch, keyClient, signIn } from '../../../exchange/e2e/person.ts';
import { until } from '../../../exchange/e2e/until.ts';
import { hasNats } from '../../../exchange/src/testing/nats-server.ts';
import type { Context, Experiment, Findings } from '../experiment.ts';
import { inFolder } from '../folder.ts';
import { compareReader, type Reading } from '../instruments/compare-reader.ts';
import { Gateways } from '../instruments/gateways.ts';
import { quantile } from '../instruments/steady-trader.ts';
import { Subscribers } from '../instruments/subscribers.ts';
import { Verdict } from '../instruments/verdict.ts';
import type { TraderKey } from '../program/serve-traders.ts';

const MARKET = 'BTC_USDC';
const DOSES = {
  small: { gateways: [2], subscribers: 20, loadMs: 4_000, sessions: 2, alone: 30 },
  large: { gateways: [1, 2, 4], subscribers: 200, loadMs: 20_000, sessions: 20, alone: 300 },
} as const;
const TRADERS = 16;
/** Each with a private stream that is compared with history. */
const READERS = 3;
const BATCH_ORDERS = 40;
/** Between two orders of a reader, and between two moves of subscribers. */
const READER_PAUSE_MS = 60;
const MOVE_PAUSE_MS = 50;

export const manyGateways: Experiment = {
  id: 'E28',
  title: 'clients spread over several gateways move their streams between them under load, and sessions end',
  mustHold: 'every depth is proven, no private stream lacks a trade, and an ended session is closed at every gateway',
  async run(context) {
    if (!hasNats()) return { trials: 0, facts: {}, violations: [], notRun: 'there is no nats-server on this machine' };
    return inFolder((folder) => run(folder, context));
  },
};

interface Town {
  readonly urls: readonly string[];
  readonly keys: readonly TraderKey[];
  readonly chance: Chance;
  readonly verdict: Verdict;
  /** About which everybody trades. */
  readonly price: number;
  /** Their streams are compared with all of their history: they stay the same while gateways come. */
  readonly readers: readonly Reading[];
}

async function run(folder: string, { dose, seed, say }: Context): Promise<Findings> {
  const { gateways: counts, ...terms } = DOSES[dose];
  const [verdict, chance] = [new Verdict(say), new Chance(seed)];
  const gateways = await Gateways.open(folder);
  const facts: Record<string, number | string> = {};
  try {
    const keys = await gateways.begin(TRADERS + READERS);
    const readers = keys.slice(TRADERS).map((key) => ({ key, reader: new MovingReader(MARKET) }));
    for (const count of counts) {
      while (gateways.all.length < count) await gateways.add();
      const urls = gateways.all.map(({ url }) => url);
      const price = Math.floor(Number((await createClient({ baseUrl: urls[0] ?? '' }).indexPrice({ symbol: MARKET })).p));
      const town: Town = { urls, keys, chance, verdict, price, readers };
      for (const [what, figure] of Object.entries(await measure(town, terms))) {
        facts[`${count} gateways: ${what}`] = figure;
        say(`${count} gateways: ${what} ${figure}`);
      }
    }
    return { trials: counts.length, facts, violations: verdict.violations };
  } finally {
    await gateways.close();
  }
}

type Terms = Readonly<Record<'subscribers' | 'loadMs' | 'sessions' | 'alone', number>>;

async function measure(town: Town, { subscribers: count, loadMs, sessions, alone }: Terms): Promise<Record<string, number | string>> {
  const { urls, keys, chance, verdict, readers } = town;
  const latencies = await ordersAlone(town, alone);
  const subscribers = new Subscribers(chance, { count, symbol: MARKET });
  await subscribers.come(urls);
  for (const { key, reader } of readers) await reader.move(gateOf(chance.pick(urls), key));
  const beganAt = performance.now();
  const isOver = (): boolean => performance.now() > beganAt + loadMs;
  const before = subscribers.updates;
  const [accepted] = await Promise.all([
    sumOf(keys.slice(0, TRADERS).map((key) => tradeInBatches(town, key, isOver))),
    moveNowAndThen(subscribers, urls, isOver),
    ...readers.map(({ key, reader }) => tradeAsReader(town, { key, reader, isOver })),
  ]);
  const seconds = (performance.now() - beganAt) / 1_000;
  const updates = subscribers.updates - before;
  for (const { key, reader } of readers)
    await verdict.attempt('the private stream of a reader', () => compareReader(town, { key, reader }));
  subscribers.leave();
  verdict.add(subscribers.faults);
  const endings = await endSessions(town, sessions);
  return {
    'orders/s': Math.round(accepted / seconds),
    'proven depth updates/s': Math.round(updates / seconds),
    'streams moved': subscribers.moves,
    'trades of readers so far': readers.reduce((sum, { reader }) => sum + reader.trades.size, 0),
    'one order alone': `p50 ${quantile(latencies, 0.5)} ms, p99 ${quantile(latencies, 0.99)} ms`,
    'an ended session closed everywhere': `p50 ${quantile(endings, 0.5)} ms, worst ${Math.round(Math.max(...endings))} ms`,
  };
}

const gateOf = (url: string, key: TraderKey): { url: string; client: Client } => ({ url, client: keyClient(url, key) });

const sumOf = async (counts: readonly Promise<number>[]): Promise<number> =>
  (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);

/** Milliseconds of each: placed at a gateway by chance, while nobody else trades. */
async function ordersAlone({ urls, keys, chance, price }: Town, count: number): Promise<readonly number[]> {
  const [key] = keys;
  assert(key !== undefined, 'there are traders');
  const clients = urls.map((url) => keyClient(url, key));
  const took: number[] = [];
  for (let order = 0; order < count; order += 1) {
    const client = chance.pick(clients);
    const beganAt = performance.now();
    await client.createOrder({ symbol: MARKET, tradeType: 'LIMIT', direction: 'BUY', price: String(price - 500), totalAmount: '0.001' });
    took.push(performance.now() - beganAt);
    if (order % 20 === 19) await client.cancelAllOrders({ symbol: MARKET });
  }
  await clients[0]?.cancelAllOrders({ symbol: MARKET });
  return took;
}

const orderAbout = ({ chance, price }: Town): CreateOrder => ({
  symbol: MARKET,
  tradeType: 'LIMIT',
  direction: chance.pick(['BUY', 'SELL']),
  price: String(price + chance.between(-5, 5)),
  totalAmount: `0.00${chance.between(1, 9)}`,
});

/** @returns how many of its orders were taken */
async function tradeInBatches(town: Town, key: TraderKey, isOver: () => boolean): Promise<number> {
  const { client, url } = gateOf(town.chance.pick(town.urls), key);
  const stream = new Stream({ baseUrl: url, ticket: () => client.streamTicket() });
  try {
    await until('the stream is open', () => Promise.resolve(stream.state === 'open'), { everyMs: 10 });
    let taken = 0;
    while (!isOver()) {
      const orders = Array.from({ length: BATCH_ORDERS }, () => orderAbout(town));
      const items = await stream.request('order.batchCreate', { orders });
      taken += items.filter(({ code }) => code === SUCCESS).length;
      await stream.request('order.cancelAll', { symbol: MARKET });
    }
    return taken;
  } finally {
    stream.close();
  }
}

async function moveNowAndThen(subscribers: Subscribers, urls: readonly string[], isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    await subscribers.moveOne(urls);
    await pause(MOVE_PAUSE_MS);
  }
}

async function tradeAsReader(town: Town, { key, reader, isOver }: Reading & { isOver: () => boolean }): Promise<void> {
  const { urls, chance } = town;
  const clients = urls.map((url) => gateOf(url, key));
  while (!isOver()) {
    const moving = chance.oneIn(10) ? reader.move(chance.pick(clients)) : undefined;
    await chance.pick(clients).client.createOrder(orderAbout(town));
    await moving;
    await pause(READER_PAUSE_MS);
  }
  await chance.pick(clients).client.cancelAllOrders({ symbol: MARKET });
}

/** @returns of each session the milliseconds from its end at one gateway until its streams at all of them were closed */
async function endSessions({ urls, chance, verdict }: Town, count: number): Promise<readonly number[]> {
  const took: number[] = [];
  for (let session = 0; session < count; session += 1) {
    await verdict.attempt('a session that ends', async () => {
      const [ip, jar] = [`10.29.${urls.length}.${session + 1}`, new Map<string, string>()];
      const home = chance.pick(urls);
      await signIn(home, { from: ip, jar });
      const at = (url: string, token?: string): Client =>
        createClient({ baseUrl: url, credentials: sessionCredentials(() => token), fetch: browserFetch(url, ip, jar) });
      const { token } = await at(home).refresh({});
      const closed = await Promise.all(urls.map(async (url) => openUntilClosed(url, await at(url, token).streamTicket(), ip)));
      const beganAt = performance.now();
      await at(chance.pick(urls), token).logout({});
      await Promise.all(closed.map((end) => end.isClosed));
      took.push(performance.now() - beganAt);
    });
  }
  return took;
}

/** Resolves when the stream has logged in. */
async function openUntilClosed(url: string, token: string, from: string): Promise<{ readonly isClosed: Promise<unknown> }> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}${STREAM_PATH}`, { headers: { 'x-forwarded-for': from } });
  const heard: string[] = [];
  socket.on('message', (data: Buffer) => heard.push(data.toString()));
  const isClosed = new Promise((resolve) => socket.once('close', resolve));
  socket.once('open', () => socket.send(JSON.stringify({ sub: 'subUser', token })));
  await until('the stream is logged in', () => Promise.resolve(heard.includes('succeed')), { everyMs: 20 });
  return { isClosed };
}
