/** Five ways to be a bad neighbour, each bounded in number, each from networks of its own. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { STREAM_PATH } from '@orrery/api';
import type { Client } from '@orrery/sdk';
import { privateKeyToAccount } from 'viem/accounts';
import { WebSocket } from 'ws';
import { atOnce } from '../at-once.ts';

/** What came of an attack, by name. */
export type Tally = Record<string, number>;

export interface Attack {
  readonly url: string;
  /** Set when the time is over: no attack begins another round. */
  readonly over: AbortSignal;
}

/** Calls that one attacker has open at the same time. */
const HANDS = 8;

const count = (tally: Tally, name: string): void => void (tally[name] = (tally[name] ?? 0) + 1);

/** Sockets that send half a request and wait; each one that is closed is opened again. */
export async function slowSockets({ url, over }: Attack, { sockets, rounds }: { sockets: number; rounds: number }): Promise<Tally> {
  const tally: Tally = { opened: 0, closed: 0 };
  const { host, hostname, port } = new URL(url);
  const halves = [
    `GET /status HTTP/1.1\r\nHost: ${host}\r\nX-Slow`,
    `POST /biz/check/agreement HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"`,
  ];
  const hold = async (index: number): Promise<void> => {
    for (let round = 0; round < rounds && !over.aborted; round += 1) {
      const socket: Socket = connect(Number(port), hostname, () => socket.write(halves[index % halves.length] ?? ''));
      count(tally, 'opened');
      // Reading lets the closing be seen; what is read does not matter.
      socket.on('error', () => undefined).resume();
      // Not `once` of events: it rejects when the other side resets the socket.
      const closed = new Promise<'closed'>((resolve) => socket.once('close', () => resolve('closed')));
      const ended = await Promise.race([closed, once(over, 'abort').then(() => 'over' as const)]);
      if (ended === 'closed') count(tally, 'closed');
      socket.destroy();
    }
  };
  await Promise.all(Array.from({ length: sockets }, (_, index) => hold(index)));
  return tally;
}

/** Orders by a key that may only read, over a stream, until it is closed: then over another. */
export async function refusedFlood({ url, over }: Attack, plan: { reader: Client; streams: number; messages: number }): Promise<Tally> {
  const tally: Tally = { streams: 0, 'closed with 1008': 0, sent: 0, refused: 0 };
  const order = { symbol: 'SOL_USDC', direction: 'BUY', tradeType: 'LIMIT', price: '100', totalAmount: '0.1' };
  const flood = JSON.stringify({ op: 'order.create', id: 2, params: order });
  for (let stream = 0; stream < plan.streams && !over.aborted; stream += 1) {
    const token = await plan.reader.streamTicket();
    const socket = new WebSocket(`${url.replace('http', 'ws')}${STREAM_PATH}`, { headers: { 'x-forwarded-for': '203.0.113.2' } });
    const closed = new Promise<[code: number | string]>((resolve) => socket.once('close', (code) => resolve([code])));
    socket.on('error', () => undefined);
    await once(socket, 'open');
    tally['streams'] = stream + 1;
    socket.send(JSON.stringify({ op: 'login', id: 1, params: { token } }));
    // A busy program may close it before the login is answered: then there is nothing to flood.
    await Promise.race([once(socket, 'message'), closed]);
    socket.on('message', () => count(tally, 'refused'));
    for (let sent = 0; sent < plan.messages && socket.readyState === WebSocket.OPEN; sent += 1) {
      socket.send(flood);
      count(tally, 'sent');
      // Otherwise nothing would be read from the socket, its closing neither.
      if (sent % 100 === 99) await pause(1);
    }
    const [code] = await Promise.race([closed, pause(30_000, ['still open'] as [string], { ref: false })]);
    if (code === 1008) count(tally, 'closed with 1008');
    socket.terminate();
  }
  return tally;
}

/** Nonces, each for another wallet; `addresses[n]` is where the n-th call comes from. */
export async function nonceFlood({ url, over }: Attack, addresses: readonly string[]): Promise<Tally> {
  const tally: Tally = {};
  await atOnce(HANDS, addresses, async (from, index) => {
    if (over.aborted) return;
    const wallet = `0x${index.toString(16).padStart(40, 'e')}`;
    const response = await fetch(new URL(`/pro/p/auth/nonce?evmAddress=${wallet}`, url), { headers: { 'x-forwarded-for': from } });
    await response.arrayBuffer();
    count(tally, String(response.status));
  });
  return tally;
}

/** One transaction that is signed and worthless: its sender has nothing to pay for it. */
export async function rawTransactionFlood({ url, over }: Attack, { calls, chainId }: { calls: number; chainId: number }): Promise<Tally> {
  const tally: Tally = { taken: 0, refused: 0, 'refused for the rate': 0 };
  const pauper = privateKeyToAccount(`0x${'7'.repeat(64)}`);
  const data = `0x${'ab'.repeat(40_000)}` as const;
  const raw = await pauper.signTransaction({ chainId, to: pauper.address, gas: 5_000_000n, gasPrice: 10_000_000_000n, nonce: 0, data });
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_sendRawTransaction', params: [raw] });
  const headers = { 'content-type': 'application/json', 'x-forwarded-for': '203.0.113.3' };
  await atOnce(HANDS, Array<number>(calls).fill(0), async () => {
    if (over.aborted) return;
    const response = await fetch(new URL('/rpc', url), { method: 'POST', headers, body });
    const text = await response.text();
    if (response.status === 429) {
      count(tally, 'refused for the rate');
      await pause(20);
    } else count(tally, text.includes('"result"') ? 'taken' : 'refused');
  });
  return tally;
}
