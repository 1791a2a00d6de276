/**
 * `node bench/src/door.ts`: orders a second through the whole program with a durable answer to each, over HTTP and over WebSocket,
 * beside bare echo servers that get the same bytes from the same client in the same run.
 */
import { createHmac, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { SIGNED_HEADERS, signedText, STREAM_PATH } from '@orrery/api';
import type { WebSocket } from 'ws';
import { httpLoad, type HttpLoad, type HttpRequest } from './door/http-load.ts';
import type { LoadResult } from './door/latency.ts';
import type { ServedExchange } from './door/serve-exchange.ts';
import { serve } from './door/served.ts';
import { wsLoad, type WsLoad } from './door/ws-load.ts';

export interface DoorComparison {
  readonly http: { readonly orders: LoadResult; readonly echo: LoadResult; readonly ratio: number };
  readonly ws: { readonly orders: LoadResult; readonly echo: LoadResult; readonly ratio: number };
}

type Keys = ServedExchange['keys'];

const HTTP = { connections: 40, requests: 20_000 };
const WS = { sockets: 10, inFlightEach: 100, requests: 60_000 };
const ROUNDS = 3;
/** History catches up meanwhile. */
const SETTLE_MS = 4_000;
/** Every order is at the same price, so that each second one or so trades and the book stays small. */
const MARKETS = [
  ['BTC_USDC', '107000', '0.0001'],
  ['ETH_USDC', '2450', '0.01'],
  ['SOL_USDC', '150', '0.1'],
  ['BNB_USDC', '650', '0.05'],
] as const;

function orderOf(index: number): Record<string, string> {
  const [symbol, price, totalAmount] = MARKETS[index % MARKETS.length] ?? MARKETS[0];
  // A fixed mix of both sides; where an account would meet itself both orders go, so that none piles up.
  const direction = Math.imul(index + 1, 0x9e3779b1) < 0 ? 'BUY' : 'SELL';
  return { symbol, direction, tradeType: 'LIMIT', price, totalAmount, selfTradePrevention: 'EXPIRE_BOTH' };
}

/** The clock may not have moved between two calls of one key; the same signature twice would be a replay. */
let lastTimestamp = 0;
function signed(
  key: Keys[number],
  parameters: readonly (readonly [string, string])[],
): { timestamp: number; nonce: string; signature: string } {
  lastTimestamp = Math.max(Date.now(), lastTimestamp);
  const nonce = randomUUID();
  return {
    timestamp: lastTimestamp,
    nonce,
    signature: createHmac('sha256', key.secret).update(signedText(parameters, lastTimestamp)).digest('hex'),
  };
}

function signedOrder(keys: Keys, index: number): HttpRequest {
  const key = keys[index % keys.length];
  if (key === undefined) throw new Error('no key');
  const body = JSON.stringify({ ...orderOf(index), clientOrderId: `h${index}-${runs}` });
  const { timestamp, nonce, signature } = signed(key, [['body', body]]);
  const headers = `${SIGNED_HEADERS.accessKey}: ${key.accessKey}\r\n${SIGNED_HEADERS.timestamp}: ${timestamp}\r\n${SIGNED_HEADERS.nonce}: ${nonce}\r\n${SIGNED_HEADERS.signature}: ${signature}\r\n`;
  return { path: '/spot/v1/u/trade/order/create', headers, body };
}

let runs = 0;

async function login(socket: WebSocket, key: Keys[number]): Promise<void> {
  socket.send(JSON.stringify({ op: 'loginKey', id: 0, params: { accessKey: key.accessKey, ...signed(key, []) } }));
  const [answer] = (await once(socket, 'message')) as [Buffer];
  const { code, msg } = JSON.parse(answer.toString()) as { code: number; msg: string };
  if (code !== 0) throw new Error(`the stream refused the key: ${msg}`);
}

const orderMessage = (id: number): string =>
  JSON.stringify({ op: 'order.create', id, params: { ...orderOf(id), clientOrderId: `w${id}-${runs}` } });

function readReply(text: string): { id: number; accepted: boolean } | undefined {
  const { resType, id, code } = JSON.parse(text) as { resType?: string; id?: number; code?: number };
  return resType === 'reply' && id !== undefined ? { id, accepted: code === 0 } : undefined;
}

function readEcho(text: string): { id: number; accepted: boolean } | undefined {
  const { id } = JSON.parse(text) as { id: number };
  return { id, accepted: true };
}

type Run<Load> = readonly [load: Load, results: LoadResult[]];

/** One run of ours, then one of the bare server, which does not pay for what ours left to be written to SQL. */
async function each<Load>(ours: Run<Load>, bare: Run<Load>, measure: (load: Load) => Promise<LoadResult>): Promise<void> {
  for (const [load, results] of [ours, bare]) {
    runs += 1;
    results.push(await measure(load));
    await pause(SETTLE_MS);
  }
}

export async function compareDoors(): Promise<DoorComparison> {
  const exchange = await serve<ServedExchange>('./serve-exchange.ts');
  const echo = await serve<{ url: string }>('./serve-echo.ts');
  const { url, keys } = exchange.facts;
  const http: { orders: LoadResult[]; echo: LoadResult[] } = { orders: [], echo: [] };
  const ws: { orders: LoadResult[]; echo: LoadResult[] } = { orders: [], echo: [] };
  const orderCalls: HttpLoad = {
    ...HTTP,
    url,
    next: (index) => signedOrder(keys, index),
    accepted: (body) => body.startsWith('{"code":0,'),
  };
  const echoCalls: HttpLoad = {
    ...HTTP,
    url: echo.facts.url,
    next: (index) => ({ ...signedOrder(keys, index), path: '/echo' }),
    accepted: (body) => body.startsWith('{'),
  };
  const open = (socket: WebSocket, index: number): Promise<void> => login(socket, keys[index % keys.length] as Keys[number]);
  const orderStream: WsLoad = { ...WS, url: `${url}${STREAM_PATH}`, open, next: orderMessage, read: readReply };
  const echoStream: WsLoad = { ...WS, url: `${echo.facts.url}/echo`, open: () => Promise.resolve(), next: orderMessage, read: readEcho };
  // Interleaved, so that a busy moment of the machine hits both. The first round warms up.
  for (let round = 0; round <= ROUNDS; round += 1) await each([orderCalls, http.orders], [echoCalls, http.echo], httpLoad);
  for (let round = 0; round <= ROUNDS; round += 1) await each([orderStream, ws.orders], [echoStream, ws.echo], wsLoad);
  await exchange.stop();
  await echo.stop();
  return { http: compared(http), ws: compared(ws) };
}

function compared({ orders, echo }: { orders: readonly LoadResult[]; echo: readonly LoadResult[] }): DoorComparison['http'] {
  const [ours, bare] = [medianRun(orders.slice(1)), medianRun(echo.slice(1))];
  return { orders: ours, echo: bare, ratio: ours.perSecond / bare.perSecond };
}

function medianRun(results: readonly LoadResult[]): LoadResult {
  const sorted = [...results].sort((left, right) => left.perSecond - right.perSecond);
  const middle = sorted[Math.floor(sorted.length / 2)];
  if (middle === undefined) throw new Error('nothing was measured');
  return middle;
}

const line = (name: string, { perSecond, p50Ms, p99Ms, refused }: LoadResult): string =>
  `${name.padEnd(22)}${Math.round(perSecond).toLocaleString('en-US').padStart(10)} /s   p50 ${p50Ms.toFixed(2)} ms   p99 ${p99Ms.toFixed(2)} ms   refused ${refused}`;

export function printDoors({ http, ws }: DoorComparison): void {
  console.log(line('orders over HTTP', http.orders));
  console.log(line('bare Fastify echo', http.echo));
  console.log(`  ratio ${(http.ratio * 100).toFixed(0)} %  (${HTTP.connections} connections, one in flight on each, HMAC)`);
  console.log(line('orders over WebSocket', ws.orders));
  console.log(line('bare ws echo', ws.echo));
  console.log(`  ratio ${(ws.ratio * 100).toFixed(0)} %  (${WS.sockets} sockets, ${WS.inFlightEach} in flight on each, key at login)`);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) printDoors(await compareDoors());
