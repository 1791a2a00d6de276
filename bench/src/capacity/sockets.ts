/** Open sockets at a gateway: each follows the depth of a market and the private stream of an account. */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { SIGNED_HEADERS, STREAM_PATH } from '@orrery/api';
import { WebSocket } from 'ws';
import { signed } from '../door/login.ts';
import { serve } from '../door/served.ts';
import type { Kind, Readings } from './kind.ts';
import { processorMicros } from './processors.ts';
import type { ServedSockets } from './serve-sockets.ts';

/** The gateway takes ten sockets of an account and 5,000 of all. */
const PER_ACCOUNT = 8;
/** Of a network twenty messages are taken at once, and each socket sends two. */
const PER_ADDRESS = 8;
const HOSTS = 250;
const AT_ONCE = 40;
const IDLE_SECONDS = 10;
const KIB = 1_024;

async function listenKey(url: string, key: ServedSockets['keys'][number]): Promise<string> {
  const { timestamp, nonce, signature } = signed(key, [['type', 'spot']]);
  const response = await fetch(`${url}/futures/fapi/user/v1/listen-key?type=spot`, {
    headers: {
      [SIGNED_HEADERS.accessKey]: key.accessKey,
      [SIGNED_HEADERS.timestamp]: String(timestamp),
      [SIGNED_HEADERS.nonce]: nonce,
      [SIGNED_HEADERS.signature]: signature,
    },
  });
  const { code, msg, data } = (await response.json()) as { code: number; msg: string; data: string };
  if (code !== 0) throw new Error(`no listen key: ${msg}`);
  return data;
}

/** Resolves when the book and the whole private state have come. */
async function open(url: string, index: number, token: string): Promise<WebSocket> {
  const address = Math.floor(index / PER_ADDRESS);
  const localAddress = `127.0.${1 + Math.floor(address / HOSTS)}.${1 + (address % HOSTS)}`;
  const socket = new WebSocket(url.replace('http', 'ws'), { perMessageDeflate: false, localAddress });
  const wanted = new Set(['qAllDepth', 'uReady']);
  const ready = new Promise<void>((resolve, reject) => {
    socket.on('message', (data: Buffer) => {
      // The answers to subscriptions are words, and no JSON.
      const resType = /"resType":"([a-zA-Z]+)"/.exec(data.toString())?.[1];
      const isFault = resType === undefined ? data.toString() !== 'succeed' : resType === 'error';
      if (isFault) reject(new Error(`a subscription was answered ${data.toString()}`));
      if (resType !== undefined && wanted.delete(resType) && wanted.size === 0) resolve();
    });
    socket.once('close', (code, reason) => reject(new Error(`closed with ${code} ${reason.toString()}`)));
  });
  await once(socket, 'open');
  socket.send(JSON.stringify({ sub: 'subSymbol', symbol: 'BTC_USDC' }));
  socket.send(JSON.stringify({ sub: 'subUser', token }));
  await ready;
  return socket;
}

const residentBytes = (pid: number): number => Number(/^VmRSS:\s+([0-9]+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * KIB;

async function withSockets(count: number): Promise<Readings> {
  const accounts = Math.ceil(count / PER_ACCOUNT);
  const served = await serve<ServedSockets>('../capacity/serve-sockets.ts', { ORRERY_BENCH_ACCOUNTS: String(accounts) });
  const { url, pid, keys } = served.facts;
  try {
    const tokens = await Promise.all(keys.map((key) => listenKey(url, key)));
    const sockets: WebSocket[] = [];
    await served.aliveMiB();
    const before = { heap: await served.aliveMiB(), resident: residentBytes(pid), micros: processorMicros(pid) };
    for (let index = 0; index < count; index += AT_ONCE) {
      const more = Array.from({ length: Math.min(AT_ONCE, count - index) }, (_, next) => index + next);
      sockets.push(...(await Promise.all(more.map((each) => open(`${url}${STREAM_PATH}`, each, tokens[each % tokens.length] ?? '')))));
    }
    const openMicros = processorMicros(pid) - before.micros;
    await served.aliveMiB();
    const heapBytes = ((await served.aliveMiB()) - before.heap) * KIB * KIB;
    const resident = residentBytes(pid) - before.resident;
    const idleFrom = processorMicros(pid);
    await pause(IDLE_SECONDS * 1_000);
    const idleMicrosPerSecond = (processorMicros(pid) - idleFrom) / IDLE_SECONDS;
    for (const socket of sockets) socket.terminate();
    return { heapBytes, residentBytes: resident, openMicros, idleMicrosPerSecond };
  } finally {
    await served.stop();
  }
}

export const SOCKET_KINDS: readonly Kind[] = [
  {
    name: 'gateway-socket',
    per: 'socket',
    about: 'an open socket with depth and a private stream, in the whole program without its market-maker',
    counts: [250, 500, 1_000],
    measure: withSockets,
  },
];
