/** A3: no call of testers reaches a real contract where the sandbox is on: every route, every contract, everyone. And what they do to practice contracts. */
import { localLease } from '@orrery/foundation';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sandboxRoutes } from '@orrery/api';
import type { Command } from '@orrery/protocol';
import { addressOf, atoms, millis, ticks } from '@orrery/units';
import { ContractRounds, PriceMoves } from '@orrery/prices';
import { giveMargin, setPrice } from '../../services/gateway/src/testing/contract-floor.ts';
import type { Person } from '../../services/gateway/src/testing/people.ts';
import { openVenue, ROOMY, type Answer, type Venue } from '../../services/gateway/src/testing/venue.ts';
import { LIMITS } from '../../services/gateway/src/limits/limits.ts';
import { assetIdOf, CONTRACTS, PRACTICE_ASSET, PRACTICE_CONTRACTS } from './listing.ts';

const trade = '/futures/fapi/trade/v1';
const user = '/futures/fapi/user/v1';
const play = 'BTC_PRACTICE';

const moves = new PriceMoves();
let venue: Venue;
let house: Person;
let stranger: Person;
let blocked: Person;
/** An order of alice in each real contract, which the house could take. */
const real = new Map<string, string>();
const SIZES: Readonly<Record<string, string>> = { BTC_USDC: '0.001', BTC_USD: '0.01', DOGE_USDC: '1000' };
const PRICES: Readonly<Record<string, string>> = {
  BTC_USDC: '100000',
  ETH_USDC: '3000',
  SOL_USDC: '150',
  BNB_USDC: '600',
  DOGE_USDC: '0.2',
  BTC_USD: '100000',
  [play]: '100000',
};
beforeAll(async () => {
  venue = await openVenue({
    sandbox: {
      scope: 'practice',
      move: (move, now) => moves.move(move, now),
      shift: (market) => moves.shift(market),
      house: () => Promise.resolve(house.account),
    },
  });
  house = await venue.newcomer('house');
  stranger = await venue.newcomer('stranger');
  blocked = await venue.newcomer('blocked');
  const { heart } = venue;
  await heart.submit({ type: 'SetAccountFlag', account: stranger.account, flag: 'termsAccepted', value: false });
  await heart.submit({ type: 'FundBudget', key: 'p', budget: 'insurance', asset: PRACTICE_ASSET.asset, amount: atoms(1_000_000_000_000n) });
  const { events } = await heart.submit({ type: 'OpenAccount', address: addressOf(`0x${'f'.repeat(40)}`) });
  if (events[0]?.type === 'AccountOpened') await heart.submit({ type: 'SetLiquidator', account: events[0].account });
  await giveMargin(venue, venue.alice, '100000');
  await giveMargin(venue, venue.bob, '100000');
  for (const person of [house, venue.bob])
    await heart.submit({ type: 'StockPractice', account: person.account, upTo: atoms(1_000_000_000_000n) });
  const coins = { asset: assetIdOf('BTC'), amount: atoms(100_000_000n), from: 'spot', to: 'coinFutures' } as const;
  await heart.submit({ type: 'Transfer', account: venue.alice.account, transferId: 'coins', ...coins });
  for (const [symbol, price] of Object.entries(PRICES)) {
    await setPrice(venue, { symbol, price, rounds: 3 });
    if (symbol === play) continue;
    const { data } = await place(venue.alice, { symbol, orderSide: 'BUY', price, origQty: SIZES[symbol] ?? '10' });
    expect(`${symbol} ${JSON.stringify(data)}`).toMatch(/^[A-Z]+_[A-Z]+ "[0-9]+"$/);
    real.set(symbol, String(data));
  }
}, 300_000);
afterAll(() => venue.close());

const sandbox = (as: Person | undefined, call: string, body: object): Promise<Answer> =>
  venue.post(`/sandbox/v1/${call}`, { ...(as === undefined ? {} : { as }), body });
const place = (as: Person, body: object): Promise<Answer> =>
  venue.post(`${trade}/order/create`, { as, body: { orderType: 'LIMIT', ...body } });
const reasonOf = ({ data }: Answer): string => String(Reflect.get(data ?? {}, 'reason'));

/** What each call sends, about a contract. */
const ASKED: Readonly<Record<keyof typeof sandboxRoutes, ((symbol: string) => object) | 'names no contract'>> = {
  movePrice: (symbol) => ({ symbol, change: '-0.1', seconds: 60 }),
  forceFunding: (symbol) => ({ symbol }),
  skipHour: (symbol) => ({ symbol }),
  liquidateMe: (symbol) => ({ symbol }),
  fillMyOrder: (symbol) => ({ orderId: real.get(symbol) }),
  grantPractice: 'names no contract',
  practiceActions: 'names no contract',
};
const calls = Object.entries(ASKED).flatMap(([name, body]) => (typeof body === 'string' ? [] : [{ name, body }]));
const pathOf = (name: string): string => sandboxRoutes[name as keyof typeof sandboxRoutes].path.replace('/sandbox/v1/', '');

describe('A3: no call of testers reaches a real contract', () => {
  test.each(calls.flatMap(({ name, body }) => CONTRACTS.map(({ symbol }) => ({ name, symbol, ask: body }))))(
    '$name on $symbol, by everyone',
    async ({ name, symbol, ask }) => {
      const body = ask(symbol);
      const before = venue.heart.history.length;
      const everyone = [venue.alice, venue.bob, house, stranger, undefined];
      const reasons: string[] = [];
      for (const who of everyone) reasons.push(reasonOf(await sandbox(who, pathOf(name), body)));
      const theirs = name === 'fillMyOrder' ? 'UnknownOrder' : 'PracticeOnly';
      expect(reasons).toEqual(['PracticeOnly', theirs, theirs, 'TermsNotAccepted', 'NotSignedIn']);
      expect(venue.heart.history.slice(before)).toEqual([]);
      for (const { market } of CONTRACTS) expect(moves.applied(market, ROUND, millis(venue.clock.now))).toBe(ROUND);
    },
  );

  test('a blocked account does nothing at all', async () => {
    await venue.heart.submit({ type: 'SetAccountFlag', account: blocked.account, flag: 'blocked', value: true });
    for (const { name, body } of calls) {
      const refused = await sandbox(blocked, pathOf(name), body(play));
      expect([refused.status, reasonOf(refused)]).toEqual([403, 'AddressBlocked']);
    }
  });
});

const ROUND = { index: [], external: [] };

describe('[F1] testers practise', () => {
  test('a grant is 10,000 a day, and says when the next one is', async () => {
    const first = await sandbox(venue.alice, 'grant', {});
    const day = venue.clock.now - (venue.clock.now % 86_400_000);
    expect(first.data).toEqual({ coin: 'PRACTICE', amount: '10000', isRepeated: false, nextTime: day + 86_400_000 });
    expect((await sandbox(venue.alice, 'grant', {})).data).toMatchObject({ amount: '0', isRepeated: true });
    const account = await venue.get(`${user}/account/info`, { as: venue.alice, query: { minSeq: seqOf(first) } });
    expect(Reflect.get(account.data, 'accounts')).toContainEqual(
      expect.objectContaining({ underlyingType: 'PRACTICE', settleCoin: 'PRACTICE', walletBalance: '10000' }),
    );
  });

  test('the house fills within 1 % of the mark', async () => {
    const order = { symbol: play, orderSide: 'BUY', origQty: '0.1' };
    const far = await place(venue.alice, { ...order, price: '98999' });
    const near = await place(venue.alice, { ...order, price: '99000' });
    expect(reasonOf(await sandbox(venue.alice, 'fill-my-order', { orderId: far.data }))).toBe('PriceOutOfBand');
    expect((await sandbox(venue.alice, 'fill-my-order', { orderId: near.data })).data).toMatchObject({ filledQty: '0.1', isFilled: true });
    await venue.post(`${trade}/order/cancel`, { as: venue.alice, body: { orderId: far.data } });
  });

  test('an hour is skipped: its funding is settled, and paid by the continuations that follow', async () => {
    venue.clock.now += 1_000;
    const skipped = await sandbox(venue.alice, 'skip-hour', { symbol: play });
    expect(skipped.data).toMatchObject({ symbol: play, fundingRate: expect.any(String), createdTime: venue.clock.now });
    for (let left = venue.heart.continuation(); left !== undefined; left = venue.heart.continuation()) await venue.heart.submit(left);
    const positions = await venue.get(`${user}/position/list`, { as: venue.alice, query: { minSeq: String(venue.heart.status().seq) } });
    expect(positions.data).toMatchObject([{ symbol: play, cumFunding: expect.stringMatching(/^-/) }]);
  });

  test('a position is liquidated by real rounds, and the price returns', async () => {
    await venue.post(`${user}/position/adjust-leverage`, { as: venue.alice, body: { symbol: play, leverage: 40 } });
    const more = await place(venue.alice, { symbol: play, orderSide: 'BUY', price: '100000', origQty: '1' });
    await sandbox(venue.alice, 'fill-my-order', { orderId: more.data });
    const before = venue.heart.history.length;
    const hunted = await sandbox(venue.alice, 'liquidate-me', { symbol: play });
    expect(hunted.data).toMatchObject({ symbol: play, positionSide: 'BOTH', change: expect.stringMatching(/^-0\.0/) });
    expect(reasonOf(await sandbox(venue.bob, 'liquidate-me', { symbol: play }))).toBe('UnknownPosition');
    const rounds = roundsOf();
    for (let round = 0; round < 6; round += 1) await pass(rounds);
    const events = venue.heart.history.slice(before).flatMap((applied) => applied.events);
    const steps = events.filter((event) => event.type === 'LiquidationStep');
    expect(steps.some(({ account }) => account === venue.alice.account)).toBe(true);
    const held = await venue.get(`${user}/position/list`, { as: venue.alice, query: { minSeq: String(venue.heart.status().seq) } });
    expect(held.data).toEqual([]);
  });

  test('everybody can read who did what', async () => {
    const { data } = await venue.get('/sandbox/v1/actions');
    expect(data).toMatchObject([
      { symbol: play, action: 'LIQUIDATE_ME', by: '0x0000…0001' },
      { symbol: play, action: 'SKIP_HOUR' },
    ]);
  });
});

test('ten calls a minute, then when to come again', async () => {
  const strict = await openVenue({
    limits: { ...ROOMY, rates: LIMITS.rates },
    sandbox: { scope: 'practice', move: () => undefined, shift: () => 0, house: () => Promise.resolve(house.account) },
  });
  const move = { symbol: play, change: '0', seconds: 1 };
  const answers: number[] = [];
  for (let call = 0; call < 11; call += 1)
    answers.push((await strict.post('/sandbox/v1/move-price', { as: strict.alice, body: move })).status);
  expect(answers).toEqual([...Array.from({ length: 10 }, () => 200), 429]);
  const refused = await strict.post('/sandbox/v1/move-price', { as: strict.alice, body: move });
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect((await strict.post('/sandbox/v1/move-price', { as: strict.bob, body: move })).status).toBe(200);
  await strict.close();
});

const seqOf = (answer: Answer): string => String(answer.headers.get('x-orrery-seq'));

function roundsOf(): ContractRounds {
  const index = ['one', 'two', 'three'].map((source) => ({ source, price: ticks(1_000_000), ageMs: 0, weight: 1 }));
  return new ContractRounds({
    lease: localLease('outside prices'),
    source: { round: () => ({ index, external: [] }) },
    contracts: PRACTICE_CONTRACTS.filter(({ symbol }) => symbol === play),
    moves,
    heart: venue.heart,
    now: () => millis(venue.clock.now),
    log: () => undefined,
  });
}

async function pass(rounds: ContractRounds): Promise<void> {
  venue.clock.now += 3_000;
  await rounds.round();
  for (let left: Command | undefined = venue.heart.continuation(); left !== undefined; left = venue.heart.continuation())
    await venue.heart.submit(left);
}
