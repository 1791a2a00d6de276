import { afterAll, beforeAll, expect, test } from 'vitest';
import { marketId, ticks } from '@orrery/units';
import { GOOD_SIGNATURE, type Person } from '../testing/people.ts';
import { MemoryHistory } from '../testing/memory-history.ts';
import { openVenue, type Venue } from '../testing/venue.ts';

const DAY_MS = 24 * 3_600_000;

let venue: Venue;
beforeAll(async () => {
  venue = await openVenue({ withdrawalQuotas: ['1000', '10000'] });
});
afterAll(() => venue.close());

let made = 0;
function withdraw(as: Person, amount: string, changes: object = {}, at = venue) {
  made += 1;
  const withdrawalId = `0x${made.toString(16).padStart(64, '0')}`;
  const signed = { nonce: `nonceofquota${made}`, signature: GOOD_SIGNATURE, message: 'message' };
  const body = { withdrawalId, coin: 'USDC', amount, to: as.address, ...signed, ...changes };
  return at.post('/pro/u/asset/withdraw', { as, body });
}

const quotaOf = async (as: Person): Promise<unknown> => (await venue.get('/pro/u/asset/withdrawal-quota', { as })).data;

test('[A8] 20 requests at once take no more than the quota of the level, and those refused change nothing', async () => {
  const carol = await venue.newcomer('carol');
  // None is decided before all of them are on their way.
  const gate = Promise.withResolvers<void>();
  const check = venue.people.checkWithdrawal.bind(venue.people);
  venue.people.checkWithdrawal = async (proof) => {
    await gate.promise;
    return check(proof);
  };
  const asked = Array.from({ length: 20 }, () => withdraw(carol, '150'));
  for (let rest = 20; rest > 0; rest -= 1) await quotaOf(carol);
  gate.resolve();
  const answers = await Promise.all(asked);
  expect(answers.filter(({ code }) => code === 0)).toHaveLength(6);
  const refused = answers.filter(({ code }) => code !== 0);
  expect(refused[0]).toMatchObject({
    status: 409,
    code: 13_023,
    data: { reason: 'WithdrawalQuotaExceeded', field: 'amount' },
    msg: 'the quota of your level leaves 100 USDC within 24 hours',
  });
  expect(new Set(refused.map(({ code }) => code))).toEqual(new Set([13_023]));
  expect(await quotaOf(carol)).toEqual({ level: 1, coin: 'USDC', quota: '1000', used: '900', left: '100' });
  const balance = await venue.get('/pro/u/asset/balance', { as: carol, query: { account: 'funding', coin: 'USDC' } });
  expect(balance.data).toMatchObject([{ freeze: '900' }]);
  expect(await withdraw(carol, '100')).toMatchObject({ code: 0 });
  expect(await withdraw(carol, '0.000001')).toMatchObject({ code: 13_023 });
});

test('[A8] two gateways of one exchange take no more than the quota together, and both say what it leaves', async () => {
  const { heart, people } = venue;
  const history = new MemoryHistory(heart);
  const second = await openVenue({
    heart,
    history,
    marketHistory: history,
    contractHistory: history.contracts,
    authenticator: people,
    operators: people,
    withdrawalQuotas: ['1000', '10000'],
  });
  try {
    const ivan = await venue.newcomer('ivan');
    const gates = [venue, second];
    const answers = await Promise.all(Array.from({ length: 12 }, (_, index) => withdraw(ivan, '150', {}, gates[index % 2])));
    expect(answers.filter(({ code }) => code === 0)).toHaveLength(6);
    expect(new Set(answers.map(({ code }) => code))).toEqual(new Set([0, 13_023]));
    for (const gate of gates) {
      expect((await gate.get('/pro/u/asset/withdrawal-quota', { as: ivan })).data).toMatchObject({ used: '900', left: '100' });
      expect(await withdraw(ivan, '101', {}, gate)).toMatchObject({
        code: 13_023,
        msg: 'the quota of your level leaves 100 USDC within 24 hours',
      });
    }
    expect(await withdraw(ivan, '100', {}, second)).toMatchObject({ code: 0 });
    expect(await withdraw(ivan, '0.000001')).toMatchObject({ code: 13_023 });
  } finally {
    await second.close();
  }
});

test('[A8] a higher level has a higher quota; it is whole again after 24 hours, and a refund gives it back', async () => {
  const dave = await venue.newcomer('dave');
  expect(await withdraw(dave, '1000.000001')).toMatchObject({ code: 13_023 });
  venue.people.levels.set(dave.account, 2);
  const first = await withdraw(dave, '9999');
  expect(first).toMatchObject({ code: 0 });
  expect(await withdraw(dave, '2')).toMatchObject({ code: 13_023 });
  const { withdrawalId } = first.data as { withdrawalId: string };
  expect(await withdraw(dave, '9999', { withdrawalId })).toMatchObject({ code: 0, data: { withdrawalId } });
  await venue.heart.submit({ type: 'RefundWithdrawal', withdrawalId });
  expect(await quotaOf(dave)).toMatchObject({ level: 2, used: '0', left: '10000' });
  expect(await withdraw(dave, '9999')).toMatchObject({ code: 0 });
  venue.clock.now += DAY_MS - 1;
  venue.people.addSession(dave, { endsAt: venue.clock.now + DAY_MS });
  expect(await quotaOf(dave)).toMatchObject({ used: '9999', left: '1' });
  venue.clock.now += 1;
  expect(await quotaOf(dave)).toMatchObject({ used: '0', left: '10000' });
});

test('[A8] other coins count by their price, and money to another account of the exchange counts too', async () => {
  const [erin, frank] = [await venue.newcomer('erin'), await venue.newcomer('frank')];
  const BTC = { coin: 'BTC' };
  await venue.heart.submit({ type: 'SetIndexPrice', market: marketId(1), price: ticks(500_000) });
  expect(await withdraw(erin, '0.02000001', BTC)).toMatchObject({ code: 13_023 });
  expect(await withdraw(erin, '0.01', { ...BTC, to: frank.address })).toMatchObject({ code: 0 });
  expect(await quotaOf(erin)).toMatchObject({ used: '500', left: '500' });
  expect(await quotaOf(frank)).toMatchObject({ used: '0', left: '1000' });
});

test('[A8] a trade on our own book makes no coin cheaper: the outside price counts', async () => {
  const [grace, heidi] = [await venue.newcomer('grace'), await venue.newcomer('heidi')];
  const order = { symbol: 'BTC_USDC', tradeType: 'LIMIT', price: '48000', totalAmount: '0.001' };
  const create = (as: Person, direction: 'BUY' | 'SELL') =>
    venue.post('/spot/v1/u/trade/order/create', { as, body: { ...order, direction } });
  expect(await create(heidi, 'BUY')).toMatchObject({ code: 0 });
  expect(await create(grace, 'SELL')).toMatchObject({ code: 0 });
  expect((await venue.get('/spot/v1/p/quotation/ticker', { query: { symbol: 'BTC_USDC' } })).data).toMatchObject({ c: '48000' });
  expect(await withdraw(grace, '0.0205', { coin: 'BTC' })).toMatchObject({ code: 13_023 });
  expect(await withdraw(grace, '0.02', { coin: 'BTC' })).toMatchObject({ code: 0 });
  expect(await quotaOf(grace)).toMatchObject({ used: '1000', left: '0' });
});
