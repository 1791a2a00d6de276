/** What the older web client reads. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { FuturesOrder, FuturesSymbol, OlderBalances, OlderFuturesAccount, SymbolInfo } from '@orrery/api';
import { giveMargin, setPrice } from '../testing/contract-floor.ts';
import { openVenue, type Answer, type Venue } from '../testing/venue.ts';

const futures = '/futures/fapi';

let venue: Venue;
beforeAll(async () => {
  venue = await openVenue();
  for (const person of [venue.alice, venue.bob]) await giveMargin(venue, person, '100000');
  await setPrice(venue, { symbol: 'BTC_USDC', price: '100000', rounds: 3 });
});
afterAll(() => venue.close());

const seqOf = (answer: Answer): string => String(answer.headers.get('x-orrery-seq'));

describe('[F1] the reads of the older web client', () => {
  test('the listing has the markets of spot and the contracts as their own calls show them', async () => {
    const { data }: { data: { spot: SymbolInfo[]; futures: FuturesSymbol[] } } = await venue.get('/biz/config/symbol', {
      query: { env: 'testnet' },
    });
    expect(data.spot).toEqual((await venue.get('/pro/p/symbol/list')).data);
    expect(data.futures).toEqual((await venue.get(`${futures}/market/v1/symbol/list`)).data);
    expect(data.futures.length).toBeGreaterThan(0);
    expect((await venue.get('/biz/futures/symbols')).data).toEqual(data.futures);
    const other = await venue.get('/biz/futures/symbols', { query: { env: 'mainnet' } });
    expect(other).toMatchObject({ status: 400, data: { field: 'env' } });
  });

  test('the balances are those of spot, with what they are worth', async () => {
    const { data }: { data: OlderBalances } = await venue.get('/pro/p/user/balance/list', {
      as: venue.alice,
      query: { accountId: String(venue.alice.account) },
    });
    const { data: spot }: { data: { coin: string; balance: string; availableBalance: string; estimatedTotalAmount: string | null }[] } =
      await venue.get('/spot/v1/u/balance/spot', { as: venue.alice });
    expect(data.spotBalance).toEqual(spot.map(({ coin, balance, availableBalance }) => ({ coin, balance, availableBalance })));
    const total = spot.reduce((sum, { estimatedTotalAmount }) => sum + Number(estimatedTotalAmount ?? 0), 0);
    expect(Number(data.totalUsdtAmount)).toBeCloseTo(total, 6);
  });

  test('the account of futures and its open orders are the same as their own calls show', async () => {
    const { alice, bob } = venue;
    const order = { symbol: 'BTC_USDC', orderType: 'LIMIT', origQty: '0.1', price: '100000' };
    await venue.post(`${futures}/trade/v1/order/create`, { as: bob, body: { ...order, orderSide: 'SELL' } });
    await venue.post(`${futures}/trade/v1/order/create`, { as: alice, body: { ...order, orderSide: 'BUY' } });
    const open = await venue.post(`${futures}/trade/v1/order/create`, { as: alice, body: { ...order, price: '99000', orderSide: 'BUY' } });
    const query = { minSeq: seqOf(open) };
    const { data: details }: { data: OlderFuturesAccount } = await venue.get(`${futures}/user/v1/public/account/details`, {
      as: alice,
      query,
    });
    expect(details.positions).toMatchObject([{ symbol: 'BTC_USDC', positionSize: '0.1', entryPrice: '100000' }]);
    expect(details.balances).toEqual((await venue.get(`${futures}/user/v1/balance/list`, { as: alice, query })).data);
    const { data: info }: { data: { accounts: { underlyingType: string; initialMargin: string; availableBalance: string }[] } } =
      await venue.get(`${futures}/user/v1/account/info`, { as: alice, query });
    const own = info.accounts.find(({ underlyingType }) => underlyingType === 'U_BASED');
    expect([details.crossMargin, details.availableMarginForCross]).toEqual([own?.initialMargin, own?.availableBalance]);
    const { data: orders }: { data: FuturesOrder[] } = await venue.get(`${futures}/trade/v1/public/list`, { as: alice, query });
    expect(orders).toMatchObject([{ orderId: open.data, price: '99000', closeProfit: '0' }]);
  });

  test.each(['/pro/p/user/balance/list', `${futures}/user/v1/public/account/details`, `${futures}/trade/v1/public/list`])(
    'A3: %s of another account is refused by name, and of nobody too',
    async (path) => {
      const query = { accountId: String(venue.bob.account) };
      expect(await venue.get(path, { as: venue.alice, query })).toMatchObject({ data: { reason: 'UnknownAccount', field: 'accountId' } });
      expect(await venue.get(path, { query })).toMatchObject({ status: 401, data: { reason: 'NotSignedIn' } });
    },
  );
});
