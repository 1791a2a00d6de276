/** Two gateways: what a tester does at one is reported at both, once, to the holders that stream from each. */
import { accountId, millis } from '@orrery/units';
import { expect, test } from 'vitest';
import type { Floor } from '../floor.ts';
import type { Peers } from '@orrery/foundation';
import { PracticeNews, type PracticeAct } from './practice-news.ts';

const contract = { market: 1, symbol: 'BTC_PRACTICE' };
const act = { account: accountId(1), contract, action: 'MOVE_PRICE', change: '0.1', endsAt: millis(60_000) } as unknown as PracticeAct;

function gateways(count: number) {
  const heard: ((message: string) => void)[][] = Array.from({ length: count }, () => []);
  return heard.map((own, at) => {
    const peers: Peers = {
      send: (message) => {
        for (const [other, listeners] of heard.entries()) if (other !== at) for (const listener of listeners) listener(message);
      },
      onMessage: (listener) => {
        own.push(listener);
        return () => void own.splice(own.indexOf(listener), 1);
      },
    };
    const floor = {
      accounts: { account: () => ({ address: `0x${'a'.repeat(40)}` }) },
      contracts: { contractBySymbol: (symbol: string) => (symbol === contract.symbol ? { contract } : undefined) },
      positions: { inMarket: () => [{ account: accountId(7) }, { account: accountId(8) }] },
    } as unknown as Floor;
    const news = new PracticeNews({ floor, now: () => 1_000, peers });
    const reported: unknown[] = [];
    news.onNews((each) => reported.push(each));
    return { news, reported, peers };
  });
}

test('what is done at one gateway is in the list of both, and reaches the holders at both', () => {
  const [one, two] = gateways(2);
  one!.news.add(act);
  expect(one!.news.actions).toMatchObject([
    { symbol: 'BTC_PRACTICE', action: 'MOVE_PRICE', by: '0xaaaa…aaaa', change: '0.1', endsAt: 60_000 },
  ]);
  expect(two!.news.actions).toEqual(one!.news.actions);
  expect(two!.reported).toEqual(one!.reported);
  expect(two!.reported).toHaveLength(2);
  two!.news.add(act);
  expect(new Set(one!.news.actions.map(({ id }) => id)).size).toBe(2);
});

test('the newest fifty are remembered, other messages are not for it, and one that has ended hears nothing', () => {
  const [one, two] = gateways(2);
  for (let times = 0; times < 60; times += 1) one!.news.add(act);
  expect(two!.news.actions).toHaveLength(50);
  one!.peers.send(JSON.stringify({ rates: [] }));
  two!.news.close();
  one!.news.add(act);
  expect(two!.reported).toHaveLength(120);
});
