/** Waits until all work is done: the remains of one load would slow the next. */
import { setTimeout as pause } from 'node:timers/promises';
import { SIGNED_HEADERS } from '@orrery/api';
import { signed, type Keys } from './login.ts';

const RETRY_MS = 100;
/** The collector's and the disk's. */
const REST_MS = 500;

/** Resolves when history contains every accepted order. */
export async function settled(url: string, key: Keys[number]): Promise<void> {
  const { data } = (await (await fetch(`${url}/status`)).json()) as { data: { seq: number } };
  while (!(await isWritten(`${url}/spot/v1/u/trade/order/history`, key, data.seq))) await pause(RETRY_MS);
  await pause(REST_MS);
}

async function isWritten(path: string, key: Keys[number], seq: number): Promise<boolean> {
  const { timestamp, nonce, signature } = signed(key, [['minSeq', String(seq)]]);
  const answer = await fetch(`${path}?minSeq=${seq}`, {
    headers: {
      [SIGNED_HEADERS.accessKey]: key.accessKey,
      [SIGNED_HEADERS.timestamp]: String(timestamp),
      [SIGNED_HEADERS.nonce]: nonce,
      [SIGNED_HEADERS.signature]: signature,
    },
  });
  const { code } = (await answer.json()) as { code: number };
  return code === 0;
}
