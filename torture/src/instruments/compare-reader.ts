/** Whether what a private stream has sent is what gateways say of its account. */
import { type Client, createClient } from '@orrery/sdk';
import type { MovingReader } from '../../../exchange/e2e/moving-reader.ts';
import { keyClient } from '../../../exchange/e2e/person.ts';
import { until } from '../../../exchange/e2e/until.ts';
import type { TraderKey } from '../program/serve-traders.ts';
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

/** What the streams of a reader have sent, and what every gateway says of its account and of the book. */
export async function compareReader({ urls, verdict }: Comparison, { key, reader }: Reading): Promise<void> {
  for (const url of urls) {
    const client = keyClient(url, key);
    await becomes('the trades', async () => {
      const fills = await allFills(client, reader.symbol);
      return fills.length === reader.trades.size && fills.every((name) => reader.trades.has(name));
    });
    await becomes('the open orders', async () => {
      const { items } = await client.openOrders({ size: PAGE });
      return same(items.map(({ orderId }) => orderId).toSorted(), reader.openOrders);
    });
    await becomes('the balances', async () => {
      const held = (await client.balances({ account: 'spot' })).map(({ coin, balance }) => [coin, balance] as const);
      return held.every(([coin, balance]) => reader.balances[coin] === balance);
    });
    await becomes('the depth', async () => {
      const { b, a } = await createClient({ baseUrl: url }).depth({ symbol: reader.symbol });
      return same([reader.bids.slice(0, b.length), reader.asks.slice(0, a.length)], [b, a]);
    });
  }
  verdict.check(reader.trades.size > 0, 'a reader has traded nothing');
  verdict.add(reader.faults);
  reader.close();
}

const same = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

const becomes = (what: string, look: () => Promise<boolean>): Promise<boolean> => until(`${what} of a stream are those of history`, look);

async function allFills(client: Client, symbol: string): Promise<readonly string[]> {
  const names: string[] = [];
  for (let page = 1; ; page += 1) {
    const { items, total } = await client.fills({ symbol, page, size: PAGE });
    names.push(...items.map(({ execId, takerMaker }) => `${execId} ${takerMaker}`));
    if (items.length === 0 || names.length >= total) return names;
  }
}
