/**
 * Orders a second through the whole program with a durable answer to each, over HTTP and over WebSocket, beside bare echo servers that get
 * the same bytes from the same client in the same run.
 */
import { SIGNED_HEADERS, STREAM_PATH } from '@orrery/api';
import type { WebSocket } from 'ws';
import { httpLoad, type HttpLoad, type HttpRequest } from './door/http-load.ts';
import type { LoadResult } from './door/latency.ts';
import { login, signed, type Keys } from './door/login.ts';
import type { ServedExchange } from './door/serve-exchange.ts';
import { serve } from './door/served.ts';
import { settled } from './door/settled.ts';
import { wsLoad, type WsLoad } from './door/ws-load.ts';
import { median, rounded, whole } from './measure.ts';
import type { Findings, Part } from './part.ts';

export const doorPart: Part = {
  name: 'door',
  about: 'durable orders through the whole program over HTTP and WebSocket, beside bare servers; one alone, beside one sync of the disk',
  measure,
};

const HTTP = { connections: 128, addresses: 4, requests: 40_000 };
const WS = { sockets: 64, addresses: 4, inFlightEach: 16, requests: 150_000 };
const BATCH_ORDERS = 50;
const BATCHES = { sockets: 64, addresses: 4, inFlightEach: 1, requests: 4_000 };
const ALONE = { sockets: 1, addresses: 1, inFlightEach: 1, requests: 3_000 };
/** Of each load; the first warms up. */
const ROUNDS = 6;
/** Every order of a market is at the same price, so that each second one or so trades and the book stays small. */
const MARKETS = [
  ['BTC_USDC', '107000', '0.0001'],
  ['ETH_USDC', '2450', '0.01'],
  ['SOL_USDC', '150', '0.1'],
  ['BNB_USDC', '650', '0.05'],
] as const;

let runs = 0;

function orderOf(index: number): Record<string, string> {
  const [symbol, price, totalAmount] = MARKETS[index % MARKETS.length] ?? MARKETS[0];
  // A fixed mix of both sides; where an account would meet itself both orders go, so that none piles up.
  const direction = Math.imul(index + 1, 0x9e3779b1) < 0 ? 'BUY' : 'SELL';
  const clientOrderId = `${runs}-${index}`;
  return { symbol, direction, tradeType: 'LIMIT', price, totalAmount, selfTradePrevention: 'EXPIRE_BOTH', clientOrderId };
}

function signedOrder(keys: Keys, index: number): HttpRequest {
  const key = keys[index % keys.length];
  if (key === undefined) throw new Error('no key');
  const body = JSON.stringify(orderOf(index));
  const { timestamp, nonce, signature } = signed(key, [['body', body]]);
  const headers = `${SIGNED_HEADERS.accessKey}: ${key.accessKey}\r\n${SIGNED_HEADERS.timestamp}: ${timestamp}\r\n${SIGNED_HEADERS.nonce}: ${nonce}\r\n${SIGNED_HEADERS.signature}: ${signature}\r\n`;
  return { path: '/spot/v1/u/trade/order/create', headers, body };
}

const orderMessage = (id: number): string => JSON.stringify({ op: 'order.create', id, params: orderOf(id) });

function batchMessage(id: number): string {
  const orders = Array.from({ length: BATCH_ORDERS }, (_, index) => orderOf(id * BATCH_ORDERS + index));
  return JSON.stringify({ op: 'order.batchCreate', id, params: { orders } });
}

interface Reply {
  readonly resType?: string;
  readonly id?: number;
  readonly code?: number;
  readonly data?: string | readonly { readonly code: number }[];
}

function readReply(text: string): { id: number; accepted: boolean } | undefined {
  const { resType, id, code, data } = JSON.parse(text) as Reply;
  if (resType !== 'reply' || id === undefined) return undefined;
  return { id, accepted: code === 0 && (typeof data !== 'object' || data.every((item) => item.code === 0)) };
}

function readEcho(text: string): { id: number; accepted: boolean } {
  const { id } = JSON.parse(text) as { id: number };
  return { id, accepted: true };
}

/** The median run of several. */
async function repeated(measureOne: () => Promise<LoadResult>, settle: () => Promise<void>): Promise<LoadResult> {
  const results: LoadResult[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    runs += 1;
    results.push(await measureOne());
    await settle();
  }
  return medianOf(results.slice(1));
}

/**
 * Our server and the bare one alternate: the speed of the machine varies, but little within one pair of runs. The ratio is the
 * median of the ratios of neighbouring runs.
 */
async function sideBySide(
  ours: () => Promise<LoadResult>,
  bare: () => Promise<LoadResult>,
  settle: () => Promise<void>,
): Promise<Comparison> {
  const results: { ours: LoadResult[]; bare: LoadResult[] } = { ours: [], bare: [] };
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [name, measureOne] of [
      ['ours', ours],
      ['bare', bare],
    ] as const) {
      runs += 1;
      results[name].push(await measureOne());
      await settle();
    }
  }
  const ratios = results.ours.map(({ perSecond }, round) => perSecond / (results.bare[round]?.perSecond ?? Number.NaN));
  return { orders: medianOf(results.ours.slice(1)), echo: medianOf(results.bare.slice(1)), ratio: median(ratios.slice(1)) };
}

interface Comparison {
  readonly orders: LoadResult;
  readonly echo: LoadResult;
  readonly ratio: number;
}

function medianOf(results: readonly LoadResult[]): LoadResult {
  const middle = median(results.map(({ perSecond }) => perSecond));
  const found = results.find(({ perSecond }) => perSecond === middle);
  if (found === undefined) throw new Error('nothing was measured');
  return found;
}

async function measure(): Promise<Findings> {
  const exchange = await serve<ServedExchange>('./serve-exchange.ts');
  const echo = await serve<{ url: string }>('./serve-echo.ts');
  const { url, keys, syncMs } = exchange.facts;
  const orderCalls: HttpLoad = {
    ...HTTP,
    url,
    next: (index) => signedOrder(keys, index),
    accepted: (body) => body.startsWith('{"code":0,'),
  };
  const echoCalls: HttpLoad = {
    ...orderCalls,
    url: echo.facts.url,
    next: (index) => ({ ...signedOrder(keys, index), path: '/echo' }),
    accepted: (body) => body.startsWith('{'),
  };
  const settle = (): Promise<void> => settled(url, keys[0] as Keys[number]);
  const open = (socket: WebSocket, index: number): Promise<void> => login(socket, keys[index % keys.length] as Keys[number]);
  const orderStream: WsLoad = { ...WS, url: `${url}${STREAM_PATH}`, open, next: orderMessage, read: readReply };
  const echoStream: WsLoad = { ...WS, url: `${echo.facts.url}/echo`, open: () => Promise.resolve(), next: orderMessage, read: readEcho };
  const http = await sideBySide(
    () => httpLoad(orderCalls),
    () => httpLoad(echoCalls),
    settle,
  );
  const ws = await sideBySide(
    () => wsLoad(orderStream),
    () => wsLoad(echoStream),
    settle,
  );
  const batches = await repeated(() => wsLoad({ ...orderStream, ...BATCHES, next: batchMessage }), settle);
  const alone = await repeated(() => wsLoad({ ...orderStream, ...ALONE }), settle);
  await exchange.stop();
  await echo.stop();
  return findings({ http, ws, batches, alone, syncMs });
}

interface Measured {
  readonly http: Comparison;
  readonly ws: Comparison;
  readonly batches: LoadResult;
  readonly alone: LoadResult;
  readonly syncMs: number;
}

function findings({ http, ws, batches, alone, syncMs }: Measured): Findings {
  const batch50 = (batches.perSecond * BATCH_ORDERS) / ws.orders.perSecond;
  const aloneRatio = alone.p50Ms / syncMs;
  return {
    figures: {
      http: figure(http),
      ws: { ...figure(ws), batch50: rounded(batch50, 2), batchedOrdersPerSec: Math.round(batches.perSecond * BATCH_ORDERS) },
      alone: { ratio: rounded(aloneRatio, 2), p50Ms: rounded(alone.p50Ms, 3), syncMs: rounded(syncMs, 3) },
    },
    lines: [
      line('orders over HTTP', http.orders),
      line('bare Fastify echo', http.echo),
      `ratio ${percent(http.ratio)}  (${HTTP.connections} connections from ${HTTP.addresses} addresses, one in flight on each, HMAC)`,
      line('orders over WebSocket', ws.orders),
      line('bare ws echo', ws.echo),
      `ratio ${percent(ws.ratio)}  (${WS.sockets} sockets, ${WS.inFlightEach} in flight on each, key at login)`,
      `orders in batches      ${whole(batches.perSecond * BATCH_ORDERS).padStart(9)}/s   ${batch50.toFixed(1)} x singles  (${BATCH_ORDERS} in a frame, refused ${batches.refused})`,
      `one order alone        p50 ${alone.p50Ms.toFixed(3)} ms, one sync of the disk ${syncMs.toFixed(3)} ms: ${aloneRatio.toFixed(1)} x`,
    ],
  };
}

const percent = (ratio: number): string => `${(ratio * 100).toFixed(0)} %`;

const figure = ({ orders, ratio }: Comparison): object => ({
  ordersPerSec: Math.round(orders.perSecond),
  ratio: rounded(ratio, 3),
  p50Ms: rounded(orders.p50Ms, 2),
  p99Ms: rounded(orders.p99Ms, 2),
});

const line = (name: string, { perSecond, p50Ms, p99Ms, refused }: LoadResult): string =>
  `${name.padEnd(22)} ${whole(perSecond).padStart(9)}/s   p50 ${p50Ms.toFixed(2)} ms   p99 ${p99Ms.toFixed(2)} ms   refused ${refused}`;
