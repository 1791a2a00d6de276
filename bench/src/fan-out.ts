/**
 * Market data to a thousand subscribers: how fast all of them have the book after a number of changes, beside a plain server that sends
 * every change to every client. Afterwards each subscriber's messages are played into a replica, which checks every number and checksum.
 */
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { depthChecksum, STREAM_PATH, type Depth, type DepthLevel } from '@orrery/api';
import { DepthReplica } from '@orrery/sdk';
import { WebSocket } from 'ws';
import { ask, restingOrder } from './door/book-load.ts';
import { login, type Keys } from './door/login.ts';
import type { ServedExchange } from './door/serve-exchange.ts';
import { serve } from './door/served.ts';
import { median, rounded, whole } from './measure.ts';
import type { Findings, Part } from './part.ts';

export const fanOutPart: Part = {
  name: 'fanout',
  about: 'changes of a book to a thousand subscribers, beside one send per change and client',
  measure,
};

const SUBSCRIBERS = 1_000;
/** The server takes twenty streams from one address. */
const PER_ADDRESS = 20;
const SYMBOL = 'BTC_USDC';
const AROUND = { symbol: SYMBOL, bid: 106_900, ask: 107_100 };
/** Changes in a round: orders that rest, in batches, and are all cancelled again. */
const CHANGES = 10_000;
const BATCH = 50;
const ROUNDS = 12;
/** Until then the program warms up: its memory still grows. */
const WARM_ROUNDS = 6;
/** The plain server is given fewer: it needs as much longer. */
const PLAIN_CHANGES = 400;
const PLAIN_ROUNDS = 6;

interface Subscriber {
  readonly socket: WebSocket;
  readonly heard: string[];
}

async function connect(url: string, index: number): Promise<Subscriber> {
  const localAddress = `127.0.0.${2 + Math.floor(index / PER_ADDRESS)}`;
  const socket = new WebSocket(url.replace('http', 'ws'), { perMessageDeflate: false, localAddress });
  const heard: string[] = [];
  socket.on('message', (data: Buffer) => heard.push(data.toString('latin1')));
  await once(socket, 'open');
  return { socket, heard };
}

async function connectAll(url: string): Promise<readonly Subscriber[]> {
  const subscribers: Subscriber[] = [];
  for (let index = 0; index < SUBSCRIBERS; index += 100) {
    subscribers.push(...(await Promise.all(Array.from({ length: 100 }, (_, more) => connect(url, index + more)))));
  }
  return subscribers;
}

/** Resolves when the last message of each is what `isLast` waits for. */
async function all(subscribers: readonly Subscriber[], isLast: (text: string) => boolean): Promise<void> {
  for (const { socket, heard } of subscribers) {
    for (let seen = heard.length; !heard.slice(Math.max(0, seen - 1)).some(isLast); seen = heard.length) await once(socket, 'message');
  }
}

async function plain(): Promise<{ deliveriesPerSecond: number }> {
  const server = await serve<{ url: string }>('./serve-fan-out.ts');
  const subscribers = await connectAll(server.facts.url);
  const speeds: number[] = [];
  for (let round = 0; round < PLAIN_ROUNDS; round += 1) {
    for (const { heard } of subscribers) heard.length = 0;
    const started = performance.now();
    subscribers[0]?.socket.send(JSON.stringify({ updates: PLAIN_CHANGES }));
    await all(subscribers, (text) => text === '{"resType":"end"}');
    speeds.push((PLAIN_CHANGES * SUBSCRIBERS * 1_000) / (performance.now() - started));
  }
  for (const { socket } of subscribers) socket.terminate();
  await server.stop();
  return { deliveriesPerSecond: median(speeds) };
}

interface Ours {
  readonly deliveriesPerSecond: number;
  readonly aliveMiB: number;
  readonly memoryGrowthMiB: number;
  readonly checksums: number;
}

async function ours(): Promise<Ours> {
  const exchange = await serve<ServedExchange>('./serve-exchange.ts');
  const { url, keys } = exchange.facts;
  const traders = await Promise.all(keys.slice(0, PER_ADDRESS).map((key) => openTrader(`${url}${STREAM_PATH}`, key)));
  const subscribers = await connectAll(`${url}${STREAM_PATH}`);
  for (const { socket } of subscribers) socket.send(JSON.stringify({ sub: 'subSymbol', symbol: SYMBOL }));
  await all(subscribers, (text) => text.startsWith('{"resType":"qAllDepth"'));
  const speeds: number[] = [];
  const memory: number[] = [];
  let sent = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const started = performance.now();
    await changeBook(traders, sent);
    sent += CHANGES;
    const last = await lastChange(url);
    await all(subscribers, (text) => text.includes(`"id":${last},`));
    speeds.push((CHANGES * SUBSCRIBERS * 1_000) / (performance.now() - started));
    await pause(1_000);
    memory.push(await exchange.aliveMiB());
  }
  const checksums = proven(subscribers.map(({ heard }) => heard));
  for (const { socket } of [...subscribers, ...traders]) socket.terminate();
  await exchange.stop();
  const first = memory[WARM_ROUNDS - 1] ?? 0;
  return { deliveriesPerSecond: median(speeds), aliveMiB: first, memoryGrowthMiB: (memory.at(-1) ?? first) - first, checksums };
}

async function openTrader(url: string, key: Keys[number]): Promise<Subscriber> {
  const trader = await connect(url, 49 * PER_ADDRESS + SUBSCRIBERS);
  await login(trader.socket, key);
  return trader;
}

/** Every order rests and every cancel takes one away, each a change of one level; buys and sells are too far apart to meet. */
async function changeBook(traders: readonly Subscriber[], from: number): Promise<void> {
  const batches = CHANGES / (2 * BATCH);
  await Promise.all(
    traders.map(async (trader, first) => {
      for (let batch = first; batch < batches; batch += traders.length) {
        const orders = Array.from({ length: BATCH }, (_, index) => restingOrder(AROUND, from + batch * BATCH + index));
        await ask(trader.socket, { op: 'order.batchCreate', id: 2 * batch, params: { orders } });
        await ask(trader.socket, { op: 'order.cancelAll', id: 2 * batch + 1, params: {} });
      }
    }),
  );
}

/** The number of the last change of the book. */
async function lastChange(url: string): Promise<number> {
  const response = await fetch(`${url}/spot/v1/p/quotation/depth?symbol=${SYMBOL}`);
  const { data } = (await response.json()) as { data: Depth };
  return data.id;
}

/** @returns how many checksums were compared. @throws when one is wrong, or a subscriber ends with another book. */
function proven(heardByEach: readonly (readonly string[])[]): number {
  let checksums = 0;
  const books = new Set<string>();
  for (const heard of heardByEach) {
    const replica = new DepthReplica(SYMBOL);
    for (const text of heard) {
      if (!text.startsWith('{"resType":"q')) continue;
      const { resType, data } = JSON.parse(text) as { resType: string; data: Depth & DepthLevel };
      if (resType === 'qAllDepth') replica.reset(data);
      else if (resType === 'qDepth') replica.apply(data);
      else continue;
      if (!replica.isProven) throw new Error(`a subscriber could not prove its book at change ${data.id}`);
      if (data.c !== undefined) checksums += 1;
    }
    books.add(`${depthChecksum({ b: [...replica.bids], a: [...replica.asks] })}`);
  }
  if (books.size !== 1) throw new Error(`the subscribers ended with ${books.size} different books`);
  return checksums;
}

async function measure(): Promise<Findings> {
  const bare = await plain();
  const own = await ours();
  const ratio = own.deliveriesPerSecond / bare.deliveriesPerSecond;
  return {
    figures: {
      fanout: {
        ratio: rounded(ratio, 2),
        deliveriesPerSec: Math.round(own.deliveriesPerSecond),
        aliveMiB: rounded(own.aliveMiB, 1),
        memoryGrowthMiB: rounded(own.memoryGrowthMiB, 1),
        checksums: own.checksums,
      },
    },
    lines: [
      `${whole(SUBSCRIBERS)} subscribers: ${whole(own.deliveriesPerSecond)} changes delivered/s, one send each ${whole(bare.deliveriesPerSecond)}/s: ${ratio.toFixed(1)} x`,
      `alive in the memory of the program after ${WARM_ROUNDS} rounds ${own.aliveMiB.toFixed(1)} MiB, ${own.memoryGrowthMiB.toFixed(1)} more after ${ROUNDS}; ${whole(own.checksums)} checksums compared, all right`,
    ],
  };
}
