/** Signatures of the load's traders. */
import { createHmac, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { signedText } from '@orrery/api';
import type { WebSocket } from 'ws';
import type { ServedExchange } from './serve-exchange.ts';

export type Keys = ServedExchange['keys'];

interface Signed {
  readonly timestamp: number;
  readonly nonce: string;
  readonly signature: string;
}

let lastTimestamp = 0;

/** A call with these parameters, now. */
export function signed(key: Keys[number], parameters: readonly (readonly [string, string])[]): Signed {
  lastTimestamp = Math.max(Date.now(), lastTimestamp);
  const signature = createHmac('sha256', key.secret).update(signedText(parameters, lastTimestamp)).digest('hex');
  return { timestamp: lastTimestamp, nonce: randomUUID(), signature };
}

/** Says who trades on a new socket. */
export async function login(socket: WebSocket, key: Keys[number]): Promise<void> {
  // The clock may not have moved since the last login of this key; the same signature twice would be a replay.
  lastTimestamp += 1;
  socket.send(JSON.stringify({ op: 'loginKey', id: 0, params: { accessKey: key.accessKey, ...signed(key, []) } }));
  const [answer] = (await once(socket, 'message')) as [Buffer];
  const { code, msg } = JSON.parse(answer.toString()) as { code: number; msg: string };
  if (code !== 0) throw new Error(`the stream refused the key: ${msg}`);
}
