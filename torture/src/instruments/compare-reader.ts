/** Whether what a private stream has sent is what gateways say of its account. */
import { type Client, createClient } from '@orrery/sdk';
import type { MovingReader } from '../../../exchange/e2e/moving-reader.ts';
import { keyClient } from '../../../exchange/e2e/person.ts';
import type { TraderKey } from '../program/serve-traders.ts';
import { allPages, becomes } from '../program/patient-reads.ts';
import type { Verdict } from './verdict.ts';

const PAGE = 100;

export interface Reading {
  readonly key: TraderKey;
  readonly reader: MovingReader;
}

interface Comparison {
  readonly urls: readonly string[];
  readonly verdict: Verdict;
}

/** What the streams of a reader have sent, and what every gateway says of its account and of the book. It is closed at the end. */
export async function compareReader(comparison: Comparison, reading: Reading): Promise<void> {
  try {
    await compareOpen(comparison, reading);
  } finally {
    reading.reader.close();
  }
}

async function compareOpen({ urls, verdict }: Comparison, { key, reader }: Reading): Promise<void> {
  for (const url of urls) {
    const client = keyClient(url, key);
    await becomes('the trades of a stream', async () => {
      const fills = await allFills(client, reader.symbol);
      return fills.length === reader.trades.size && fills.every((name) => reader.trades.has(name));
    });
    await becomes('the open orders of a stream', async () => {
      const open = await allPages((page) => client.openOrders({ page, size: PAGE }));
      return same(open.map(({ orderId }) => orderId).toSorted(), reader.openOrders);
    });
    await becomes('the balances of a stream', async () => {
      const held = (await client.balances({ account: 'spot' })).map(({ coin, balance }) => [coin, balance] as const);
      return held.every(([coin, balance]) => reader.balances[coin] === balance);
    });
    await becomes('the depth of a stream', async () => {
      const { b, a } = await createClient({ baseUrl: url }).depth({ symbol: reader.symbol });
      return same([reader.bids.slice(0, b.length), reader.asks.slice(0, a.length)], [b, a]);
    });
  }
  verdict.check(reader.trades.size > 0, 'a reader has traded nothing');
  verdict.add(reader.faults);
}

const same = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

async function allFills(client: Client, symbol: string): Promise<readonly string[]> {
  const fills = await allPages((page) => client.fills({ symbol, page, size: PAGE }));
  return fills.map(({ execId, takerMaker }) => `${execId} ${takerMaker}`);
}
