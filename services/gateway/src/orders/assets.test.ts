import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Balance } from '@orrery/api';
import { assetByCode } from '../../../../exchange/src/listing.ts';
import { atoms, parseAddress } from '@orrery/units';
import { GOOD_SIGNATURE } from '../testing/people.ts';
import { openVenue, type Venue } from '../testing/venue.ts';

const VAULT = `0x${'e'.repeat(40)}`;
const ID = `0x${'ab'.repeat(32)}`;

let venue: Venue;
beforeAll(async () => {
  venue = await openVenue({ contracts: new Set([parseAddress(VAULT) ?? ('' as never)]) });
});
afterAll(() => venue.close());

const balancesOf = async (query: Record<string, string>): Promise<Balance[]> =>
  (await venue.get('/pro/u/asset/balance', { as: venue.alice, query })).data;

test('[A9] balances by wallet and coin, with what is held and what it is worth', async () => {
  const order = { symbol: 'BTC_USDC', direction: 'BUY', tradeType: 'LIMIT', price: '100000', totalAmount: '0.5' };
  const placed = await venue.post('/spot/v1/u/trade/order/create', { as: venue.alice, body: order });
  const spot = await venue.get('/spot/v1/u/balance/spot', {
    as: venue.alice,
    query: { coin: 'USDC', minSeq: String(placed.headers.get('x-orrery-seq')) },
  });
  expect(spot.data).toEqual([
    {
      coin: 'USDC',
      balanceType: 'spot',
      balance: '1000000',
      freeze: '50000',
      availableBalance: '950000',
      estimatedTotalAmount: '1000000',
      estimatedAvailableAmount: '950000',
      estimatedCoinType: 'USDC',
    },
  ]);
  const all = await balancesOf({});
  expect(all).toHaveLength(24);
  expect(all.map(({ coin }) => coin)).not.toContain('POINTS');
  expect(await balancesOf({ account: 'funding', coin: 'BTC' })).toMatchObject([{ balance: '10', estimatedTotalAmount: null }]);
  await venue.post('/spot/v1/u/trade/order/create', { as: venue.bob, body: { ...order, direction: 'SELL', totalAmount: '0.1' } });
  expect(await balancesOf({ account: 'funding', coin: 'BTC' })).toMatchObject([{ estimatedTotalAmount: '1000000' }]);
  await venue.post('/spot/v1/u/trade/order/cancel-all', { as: venue.alice, body: {} });
});

test('[A9] transfers go between wallets once for each id, and not from futures to funding', async () => {
  const body = { coin: 'USDC', amount: '100.5', from: 'funding', to: 'spot', transferId: 'one' };
  const first = await venue.post('/pro/u/asset/transfer', { as: venue.alice, body });
  expect(first).toMatchObject({ status: 200, code: 0, data: { transferId: 'one' } });
  expect(await venue.post('/pro/u/asset/transfer', { as: venue.alice, body })).toMatchObject({ code: 0 });
  expect(await balancesOf({ account: 'funding', coin: 'USDC', minSeq: String(first.headers.get('x-orrery-seq')) })).toMatchObject([
    { balance: '999899.5' },
  ]);
  expect(await venue.post('/pro/u/asset/transfer', { as: venue.alice, body: { ...body, amount: '1' } })).toMatchObject({
    status: 409,
    code: 3018,
  });
  const refusals = [
    [{ ...body, transferId: 'two', amount: '1000000' }, 422, 4001],
    [{ ...body, transferId: 'two', amount: '0' }, 400, 11_002],
    [{ ...body, transferId: 'two', amount: '0.0000001' }, 400, 11_002],
    [{ ...body, transferId: 'two', coin: 'POINTS' }, 404, 2001],
    [{ ...body, transferId: 'two', from: 'futures', to: 'funding' }, 422, 3014],
    [{ ...body, from: 'vault' }, 400, 11_002],
  ] as const;
  for (const [refused, status, code] of refusals) {
    expect(await venue.post('/pro/u/asset/transfer', { as: venue.alice, body: refused })).toMatchObject({ status, code });
  }
});

test('[A9] a withdrawal needs its own signature and an address that can receive', async () => {
  const body = {
    withdrawalId: ID,
    coin: 'USDC',
    amount: '10',
    to: venue.alice.address,
    nonce: 'noncenonce',
    signature: GOOD_SIGNATURE,
    message: 'message',
  };
  const withdraw = (changes: object) => venue.post('/pro/u/asset/withdraw', { as: venue.alice, body: { ...body, ...changes } });
  expect(await withdraw({ signature: '0x01' })).toMatchObject({ status: 401, code: 12_004 });
  for (const to of [VAULT, `0x${'0'.repeat(40)}`])
    expect(await withdraw({ to })).toMatchObject({ status: 400, code: 11_002, data: { field: 'to' } });
  await venue.heart.submit({ type: 'SetAccountFlag', account: venue.bob.account, flag: 'blocked', value: true });
  expect(await withdraw({ to: venue.bob.address })).toMatchObject({ status: 403, code: 12_012, data: { field: 'to' } });
  await venue.heart.submit({ type: 'SetAccountFlag', account: venue.bob.account, flag: 'blocked', value: false });
  const taken = await withdraw({});
  expect(taken).toMatchObject({ status: 200, data: { withdrawalId: ID } });
  expect(await withdraw({ nonce: 'noncenonce2' })).toMatchObject({ status: 200, code: 0 });
  expect(await withdraw({ nonce: 'noncenonce3', amount: '11' })).toMatchObject({ status: 409, code: 3018 });
  expect(await balancesOf({ account: 'funding', coin: 'USDC', minSeq: String(taken.headers.get('x-orrery-seq')) })).toMatchObject([
    { freeze: '10' },
  ]);
});

test('a withdrawal whose answer was lost is made again with the same body, and answers the same id', async () => {
  const body = {
    withdrawalId: `0x${'c'.repeat(64)}`,
    coin: 'USDC',
    amount: '10.50',
    to: venue.alice.address,
    nonce: 'nonceoflost',
    signature: GOOD_SIGNATURE,
    message: 'message',
  };
  const withdraw = (changes: object) => venue.post('/pro/u/asset/withdraw', { as: venue.alice, body: { ...body, ...changes } });
  const first = await withdraw({});
  expect(first).toMatchObject({ code: 0, data: { withdrawalId: body.withdrawalId } });
  const before = await balancesOf({ account: 'funding', coin: 'USDC', minSeq: String(first.headers.get('x-orrery-seq')) });
  expect(await withdraw({})).toMatchObject({ status: 200, code: 0, data: { withdrawalId: body.withdrawalId } });
  for (const other of [{ amount: '10.51' }, { to: venue.bob.address }, { withdrawalId: `0x${'d'.repeat(64)}` }])
    expect(await withdraw(other)).toMatchObject({ status: 401, code: 12_007 });
  expect(await venue.post('/pro/u/asset/withdraw', { as: venue.bob, body })).toMatchObject({ status: 401, code: 12_007 });
  expect(await balancesOf({ account: 'funding', coin: 'USDC' })).toEqual(before);
});

test('[A8] [A9] a withdrawal to the address of another account is there at once, and the same body again changes nothing', async () => {
  const erin = await venue.newcomer('erin');
  const body = {
    withdrawalId: `0x${'7'.repeat(64)}`,
    coin: 'USDC',
    amount: '12.5',
    to: erin.address,
    nonce: 'nonceofinternal',
    signature: GOOD_SIGNATURE,
    message: 'message',
  };
  const fundingOf = async (as: typeof erin, minSeq: string) =>
    (await venue.get('/pro/u/asset/balance', { as, query: { account: 'funding', coin: 'USDC', minSeq } })).data[0] as Balance;
  const before = { alice: await fundingOf(venue.alice, '1'), erin: await fundingOf(erin, '1') };
  const first = await venue.post('/pro/u/asset/withdraw', { as: venue.alice, body });
  expect(first).toMatchObject({ status: 200, data: { withdrawalId: body.withdrawalId } });
  expect(await venue.post('/pro/u/asset/withdraw', { as: venue.alice, body })).toMatchObject({ status: 200, code: 0 });
  const seq = String(first.headers.get('x-orrery-seq'));
  const after = { alice: await fundingOf(venue.alice, seq), erin: await fundingOf(erin, seq) };
  expect(Number(after.alice.availableBalance)).toBe(Number(before.alice.availableBalance) - 12.5);
  expect(after.alice.freeze).toBe(before.alice.freeze);
  expect(Number(after.erin.availableBalance)).toBe(Number(before.erin.availableBalance) + 12.5);
  expect((await venue.get('/pro/u/asset/withdrawals', { as: venue.alice })).data).toMatchObject({
    list: [{ withdrawalId: body.withdrawalId, state: 'POSTED', txHash: null, internal: true }, {}, {}],
  });
});

test('nobody moves money who has not accepted the terms: transfers and withdrawals are refused like orders', async () => {
  const carol = await venue.newcomer('carol');
  await venue.heart.submit({ type: 'SetAccountFlag', account: carol.account, flag: 'termsAccepted', value: false });
  const transfer = { coin: 'USDC', amount: '1', from: 'funding', to: 'spot' };
  const withdrawal = {
    withdrawalId: `0x${'e'.repeat(64)}`,
    coin: 'USDC',
    amount: '1',
    to: carol.address,
    nonce: 'nonceofcarol',
    signature: GOOD_SIGNATURE,
    message: 'message',
  };
  expect(await venue.post('/pro/u/asset/transfer', { as: carol, body: transfer })).toMatchObject({
    status: 409,
    code: 3002,
    data: { reason: 'TermsNotAccepted' },
  });
  expect(await venue.post('/pro/u/asset/withdraw', { as: carol, body: withdrawal })).toMatchObject({ status: 409, code: 3002 });
  await venue.heart.submit({ type: 'SetAccountFlag', account: carol.account, flag: 'termsAccepted', value: true });
  expect(await venue.post('/pro/u/asset/transfer', { as: carol, body: transfer })).toMatchObject({ code: 0 });
  expect(await venue.post('/pro/u/asset/withdraw', { as: carol, body: withdrawal })).toMatchObject({ code: 0 });
});

test('D5: a withdrawal above a cap is refused with what the cap leaves, and the caps are public', async () => {
  const dave = await venue.newcomer('dave');
  const caps = { asset: assetByCode('BTC').asset, hourly: atoms(200_000_000n), daily: atoms(250_000_000n) };
  await venue.heart.submit({ type: 'SetWithdrawalCaps', ...caps });
  const withdraw = (digit: string, amount: string) =>
    venue.post('/pro/u/asset/withdraw', {
      as: dave,
      body: {
        withdrawalId: `0x${digit.repeat(64)}`,
        coin: 'BTC',
        amount,
        to: dave.address,
        nonce: `nonceofdave${digit}`,
        signature: GOOD_SIGNATURE,
        message: 'message',
      },
    });
  const first = await withdraw('1', '1.5');
  expect(first).toMatchObject({ code: 0 });
  const balance = () => venue.get('/pro/u/asset/balance', { as: dave, query: { minSeq: String(first.headers.get('x-orrery-seq')) } });
  const before = await balance();
  expect(await withdraw('2', '0.6')).toMatchObject({
    status: 409,
    code: 3021,
    data: { reason: 'HourlyCapExceeded', field: 'amount' },
    msg: 'the hourly withdrawal cap leaves 0.5 BTC',
  });
  expect((await balance()).data).toEqual(before.data);
  await venue.heart.submit({ type: 'SetWithdrawalCaps', ...caps, hourly: caps.daily });
  expect(await withdraw('3', '1.1')).toMatchObject({ code: 3021, msg: 'the hourly withdrawal cap leaves 1 BTC' });
  const published = await venue.get('/pro/p/asset/withdrawal-caps');
  expect(published.data).toContainEqual({ coin: 'BTC', hourlyCap: '2.5', hourlyLeft: '1', dailyCap: '2.5', dailyLeft: '1' });
  expect(published.data).toHaveLength(6);
  expect(await withdraw('4', '1')).toMatchObject({ code: 0 });
});

test('R9: a minSeq from the future is refused, one of the past is not waited for', async () => {
  expect(await venue.get('/pro/u/asset/balance', { as: venue.alice, query: { minSeq: '999999' } })).toMatchObject({
    status: 400,
    data: { field: 'minSeq' },
  });
  expect(await venue.get('/pro/u/asset/bills', { as: venue.alice, query: { minSeq: '1' } })).toMatchObject({
    status: 200,
    data: { list: [], total: 0, next: null },
  });
});
