import type { PushCategory } from '@orrery/api';
import { localLease } from '@orrery/foundation';
import type { MessageNews, NewsSource } from '@orrery/gateway';
import type { Applied, Contract, DepositCredited, Trade } from '@orrery/protocol';
import { accountId, atoms, lots, ticks, type AccountId } from '@orrery/units';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { registerListing } from './listing.ts';
import { PushNews } from './push-news.ts';
import { MemoryHeart } from './testing/memory-heart.ts';
import { twoProcesses } from './testing/two-processes.ts';

const [ALICE, BOB] = [accountId(7), accountId(8)];
type Sources = ConstructorParameters<typeof PushNews>[0];
type Announced = Parameters<Sources['push']['announce']>[0];

let heart: MemoryHeart;
let news: PushNews;
let wishes: [AccountId, PushCategory][];
let announced: Announced[];
let ratio: string | null;
let message: Parameters<NewsSource['onNews']>[0];
let apply: (events: object[]) => void;
beforeEach(async () => {
  [heart, wishes, announced, ratio] = [new MemoryHeart(() => 1_795_000_000_000), [], [], null];
  await registerListing(heart);
  ({ news, apply } = openNews(localLease('push messages'), announced));
});
afterEach(() => news.stop());

/** Of one process, and what its heart's tail brings. */
function openNews(
  lease: Sources['lease'],
  heard: Announced[],
): { news: PushNews; apply: (events: object[]) => void; isRead: () => boolean } {
  const { promise, resolve } = Promise.withResolvers<void>();
  const waiting: object[][] = [];
  let isRead = false;
  let wake: () => void = () => undefined;
  async function* tail(): AsyncGenerator<readonly Applied[]> {
    const end = new AbortController();
    void promise.then(() => {
      end.abort();
      wake();
    });
    while (!end.signal.aborted) {
      const events = waiting.shift();
      if (events === undefined) {
        isRead = true;
        await new Promise<void>((next) => (wake = next));
      }
      if (events !== undefined) yield [{ seq: 1, at: 1, command: {}, events } as unknown as Applied];
    }
  }
  const opened = new PushNews({
    heart: { open: () => ({ ...heart.open(), tail: tail(), close: resolve }) },
    push: {
      announce: (each) => void heard.push(each),
      wants: (account, category) => wishes.some(([by, what]) => by === account && what === category),
      accountsWanting: (category) => wishes.filter(([, what]) => what === category).map(([by]) => by),
      settled: () => Promise.resolve(),
    },
    directory: { contract: () => ({ symbol: 'BTC_USDC', pricePrecision: 1, sizePrecision: 5 }) as Contract },
    positionsOf: () => [
      { symbol: 'ETH_USDC', marginRatio: '0.1' },
      { symbol: 'BTC_USDC', marginRatio: ratio },
    ],
    news: {
      onNews(listener) {
        message = listener;
        return () => undefined;
      },
    },
    lease,
    onTrouble: (error) => {
      throw error;
    },
  });
  return {
    news: opened,
    apply(events) {
      isRead = false;
      waiting.push(events);
      wake();
    },
    isRead: () => isRead,
  };
}

const trade = (market: number): Partial<Trade> & { readonly type: 'Trade' } => ({
  type: 'Trade',
  market: market as Trade['market'],
  price: ticks(1_072_003),
  size: lots(150),
  takerSide: 'buy',
  takerAccount: ALICE,
  makerAccount: BOB,
});
const bodies = (): string[] => announced.map(({ account, plain, open }) => `${account}: ${plain.body} ${open.body}`);

test('each side of a trade is news for those who want it, without a name of anything in what is plain', async () => {
  wishes = [
    [ALICE, 'FILLS'],
    [BOB, 'FILLS'],
  ];
  const [market] = heart
    .open()
    .facts.flatMap((fact) => (fact.type === 'MarketRegistered' && fact.symbol === 'BTC_USDC' ? [fact.market] : []));
  apply([trade(Number(market))]);
  await expect.poll(() => announced.length).toBe(2);
  expect(announced.map(({ plain }) => plain.body)).toEqual(Array(2).fill('An order of yours was filled, or a part of it.'));
  expect(announced[0]?.open).toMatchObject({
    body: expect.stringMatching(/^Bought 0\.0*15 of BTC_USDC at 107200\.3\.$/),
    path: '/trade/spot/BTC_USDC',
  });
  expect(announced[1]?.open.body).toMatch(/^Sold /);
  apply([trade(99_999)]);
  await expect.poll(() => announced.length).toBe(4);
  expect(announced[2]?.open.path).toBe('/trade/futures/BTC_USDC');
});

test('a deposit is news once it is the account’s to use', async () => {
  wishes = [[ALICE, 'DEPOSITS']];
  const usdc = heart.open().facts.flatMap((fact) => (fact.type === 'AssetRegistered' && fact.code === 'USDC' ? [fact] : []))[0];
  if (usdc === undefined) throw new Error('USDC is not listed');
  const deposit = {
    type: 'DepositCredited',
    key: 'k',
    account: ALICE,
    asset: usdc.asset,
    amount: atoms(5n * 10n ** BigInt(usdc.decimals)),
  } as const;
  apply([
    { ...deposit, suspended: true },
    { ...deposit, suspended: false, account: BOB },
    { ...deposit, suspended: false } satisfies DepositCredited,
  ]);
  await expect.poll(bodies).toEqual(['7: A deposit is yours to use. 5 USDC are yours to use.']);
});

test('a position close to its liquidation warns once, and again after it was calm', () => {
  wishes = [[ALICE, 'LIQUIDATION']];
  for (const [next, count] of [
    [null, 0],
    ['0.79', 0],
    ['0.81', 1],
    ['0.95', 1],
    ['0.7', 1],
    ['0.9', 1],
    ['0.5', 1],
    ['0.8', 2],
  ] as const) {
    ratio = next;
    news.lookAtMargins();
    expect(announced, String(next)).toHaveLength(count);
  }
  expect(bodies()[0]).toBe('7: A position needs margin, or it will be liquidated. BTC_USDC: 81% of its margin is needed.');
});

test('a step of an OTC order is news to its account, and no other site message is', () => {
  const step = {
    account: ALICE,
    resType: 'znxMessage',
    data: { id: 'otc:1:PAID', title: 'OTC order', content: 'The buyer has paid 500 CNY.' },
  } as const;
  const data = (detailType: string): MessageNews['data'] =>
    ({ ...step.data, detailType, aggType: 'NOTICE', createdTime: 1 }) as MessageNews['data'];
  message({ ...step, data: data('TASK') });
  message({ ...step, account: 'everybody', data: data('OTC') });
  message({ ...step, data: data('OTC') });
  expect(bodies()).toEqual(['7: There is a new step in an OTC order of yours. The buyer has paid 500 CNY.']);
  expect(announced.map(({ plain, open }) => [plain.path, open.path])).toEqual([['/otc/orders', '/otc/order/1']]);
});

test('of two processes the holder of the lease announces, and when it is killed the other one does', async () => {
  const processes = await twoProcesses();
  const heard: [Announced[], Announced[]] = [[], []];
  const one = openNews(await processes.one.leases.open('push messages'), heard[0]);
  const other = openNews(await processes.other.leases.open('push messages'), heard[1]);
  wishes = [
    [ALICE, 'FILLS'],
    [ALICE, 'LIQUIDATION'],
  ];
  ratio = '0.9';
  const happens = async (): Promise<void> => {
    for (const each of [one, other]) each.apply([trade(99_999)]);
    for (const each of [one, other]) each.news.lookAtMargins();
    await vi.waitFor(() => expect([one.isRead(), other.isRead()]).toEqual([true, true]));
  };
  await happens();
  expect(heard.map((each) => each.map(({ category }) => category))).toEqual([['LIQUIDATION', 'FILLS'], []]);
  processes.one.isKilled = true;
  await processes.pass(24);
  await happens();
  // Who takes over warns again.
  expect(heard.map((each) => each.map(({ category }) => category))).toEqual([
    ['LIQUIDATION', 'FILLS'],
    ['LIQUIDATION', 'FILLS'],
  ]);
  await one.news.stop();
  await other.news.stop();
  await processes.close();
});
