/** The process of the neighbours: takes one plan, attacks, reports what came of it. */
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { CHAIN_ID } from '@orrery/contracts';
import { keyClient } from '../../../exchange/e2e/person.ts';
import { nonceFlood, rawTransactionFlood, refusedFlood, slowSockets } from './hostile.ts';
import type { Plan, Tallies } from './neighbours.ts';

const SLOW_SOCKETS = 200;
const ADDRESSES = 300;
/** Half a request is given 5 s, or 10 with all of its headers, and is looked for every second. */
const SLOW_CLOSED_MS = 12_000;

async function attack({ url, key, hostileMs, rounds, streams, messages, nonces, transactions }: Plan): Promise<Tallies> {
  const over = new AbortController();
  const ending = setTimeout(() => over.abort(), hostileMs);
  const attacker = { url, over: over.signal };
  // One network, with an address of its own for each call.
  const addresses = Array.from({ length: ADDRESSES }, (_, index) => `2001:db8:bad:1::${(index + 1).toString(16)}`);
  const slow = slowSockets(attacker, { sockets: SLOW_SOCKETS, rounds });
  try {
    const [stream, nonce, address, transaction] = await Promise.all([
      refusedFlood(attacker, { reader: keyClient(url, key), streams, messages }),
      nonceFlood(attacker, Array<string>(nonces).fill('203.0.113.4')),
      nonceFlood(attacker, addresses),
      rawTransactionFlood(attacker, { calls: transactions, chainId: CHAIN_ID }),
    ]);
    // The slow sockets are there as long as anybody else.
    await pause(SLOW_CLOSED_MS, undefined, { signal: over.signal }).catch(() => undefined);
    over.abort();
    return { sockets: await slow, stream, nonces: nonce, addresses: address, transactions: transaction };
  } finally {
    // Whatever fails, the others end.
    clearTimeout(ending);
    over.abort();
  }
}

const [plan] = (await once(process, 'message')) as [Plan];
process.send?.(await attack(plan));
