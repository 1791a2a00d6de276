import { describe, expect, test, vi } from 'vitest';
import { HOUR, type Person, refusalOf } from './testing/market.ts';
import { addMethod, cancel, publish, take } from './testing/story.ts';
import { alice, bob, carol, market, withMarket } from './testing/with-market.ts';

withMarket();

const list = (who: Person | undefined, query: object = {}) =>
  market.call(who, market.otc.handlers.otcAdvertising.otcAdvertisements, { query });
const update = (who: Person, body: object) => market.call(who, market.otc.handlers.otcAdvertising.updateOtcAdvertisement, { body });
const setStatus = (who: Person, advertisingId: string, status: string) =>
  market.call(who, market.otc.handlers.otcAdvertising.setOtcAdvertisementStatus, { body: { advertisingId, status } });

describe('[A11] express', () => {
  test('the first of the list is the best price that takes the total, for either side', async () => {
    const dear = await publish(market, alice, { price: '7.2' });
    const cheap = await publish(market, alice, { price: '7.1', maxTotal: '400' });
    const bid = await publish(market, alice, { side: 'BUY', price: '7.05' });
    const better = await publish(market, alice, { side: 'BUY', price: '7.06' });
    const ids = async (query: object, who: Person | undefined = bob) =>
      (await list(who, query)).list.map(({ advertisingId }) => advertisingId);
    expect(await ids({ side: 'SELL', coin: 'USDC', currency: 'cny' })).toEqual([cheap.advertisingId, dear.advertisingId]);
    expect(await ids({ side: 'SELL', total: '500' })).toEqual([dear.advertisingId]);
    expect(await ids({ side: 'BUY' })).toEqual([better.advertisingId, bid.advertisingId]);
    expect(await ids({ side: 'SELL', coin: 'BTC' })).toEqual([]);
    expect(await ids({ paymentKind: 'BANK' })).toEqual([]);
    expect(await ids({ traderId: dear.trader.traderId }, undefined)).toHaveLength(4);
    expect(await ids({}, alice)).toEqual([]);
    await market.submit({ type: 'SetAccountFlag', account: alice.account, flag: 'blocked', value: true });
    await market.otc.caughtUp();
    await expect.poll(() => ids({})).toEqual([]);
  });

  test('a floating price follows the assist price, is paused while it is old, and is fixed for the order', async () => {
    const one = await publish(market, alice, {
      coin: 'BTC',
      priceType: 'FLOATING',
      price: undefined,
      premium: '0.5',
      amount: '1',
      maxTotal: '100000',
    } as never);
    expect(one).toMatchObject({ priceType: 'FLOATING', premium: '0.5', price: '713550', takeable: true });
    const order = await take(market, bob, one.advertisingId, { total: '7135.5' });
    expect(order).toMatchObject({ price: '713550', amount: '0.01', total: '7135.5' });
    market.prices.splice(3, 1, { coin: 'BTC', currency: 'cny', price: '720000', source: 'outside', ageMs: 1_000 });
    market.clock.now += 20_000;
    await market.otc.feed();
    await market.otc.caughtUp();
    expect((await list(bob)).list).toMatchObject([{ price: '723600' }]);
    expect(await refusalOf(take(market, bob, one.advertisingId, { total: '7135.5', price: '713550' }))).toBe('OtcPriceMoved price');
    // Outside it is too old: nothing is given, and a minute later nothing is taken.
    market.prices.splice(3, 1, { coin: 'BTC', currency: 'cny', price: '900000', source: 'outside', ageMs: 60_001 });
    market.clock.now += 60_001;
    await market.otc.feed();
    expect((await list(bob)).list).toEqual([]);
    expect(await refusalOf(take(market, bob, one.advertisingId, { total: '7135.5' }))).toBe('AssistPriceStale advertisingId');
    const submitted = market.heart.history.filter(({ command }) => command.type === 'SetAssistPrices');
    expect(submitted).toHaveLength(2);
  });

  test('nothing is given to the engine while no advertisement follows a price', async () => {
    await publish(market, alice);
    await market.otc.feed();
    expect(market.heart.history.filter(({ command }) => command.type === 'SetAssistPrices')).toEqual([]);
  });
});

describe('[A11] an advertisement', () => {
  test('is made once under its id, changed, paused and taken down; its coin follows', async () => {
    const method = await addMethod(market, alice);
    const wish = { clientAdvertisingId: 'mine', paymentMethodIds: [method] };
    const one = await publish(market, alice, wish);
    expect((await publish(market, alice, wish)).advertisingId).toBe(one.advertisingId);
    expect(await refusalOf(publish(market, alice, { ...wish, price: '7.13' }))).toBe('KeyConflict clientAdvertisingId');
    const { advertisingId } = one;
    expect(await update(alice, { advertisingId, price: '7.5', amount: '400', autoReply: 'Hello.' })).toMatchObject({
      price: '7.5',
      available: '400',
      autoReply: 'Hello.',
      minTotal: '100',
    });
    expect(await market.free(alice, 'USDC')).toBe('9600');
    expect(await update(alice, { advertisingId, autoReply: ' ' })).toMatchObject({ autoReply: null, price: '7.5' });
    expect(await refusalOf(update(bob, { advertisingId, price: '1' }))).toBe('UnknownThing advertisingId');
    expect(await setStatus(alice, advertisingId, 'PAUSED')).toMatchObject({ status: 'PAUSED', takeable: false });
    expect(await refusalOf(take(market, bob, advertisingId))).toBe('AdvertisementNotOpen advertisingId');
    await setStatus(alice, advertisingId, 'PUBLISHED');
    expect(await setStatus(alice, advertisingId, 'TAKEN_DOWN')).toMatchObject({ status: 'TAKEN_DOWN', available: '0' });
    expect(await market.free(alice, 'USDC')).toBe('10000');
    expect(await refusalOf(take(market, bob, advertisingId))).toBe('UnknownThing advertisingId');
    expect(
      (await market.call(alice, market.otc.handlers.otcAdvertising.otcOwnAdvertisements, { query: { status: 'TAKEN_DOWN' } })).total,
    ).toBe(1);
  });

  test('keeps its payment method while it is live, and refuses those of others', async () => {
    const method = await addMethod(market, alice);
    const foreign = await addMethod(market, bob);
    expect(await refusalOf(publish(market, alice, { paymentMethodIds: [foreign] }))).toBe('UnknownThing paymentMethodIds');
    const { advertisingId } = await publish(market, alice, { paymentMethodIds: [method] });
    const remove = () =>
      market.call(alice, market.otc.handlers.otcPaymentMethod.removeOtcPaymentMethod, { body: { paymentMethodId: method } });
    expect(await refusalOf(remove())).toBe('OtcMethodInUse paymentMethodId');
    await setStatus(alice, advertisingId, 'TAKEN_DOWN');
    expect(await remove()).toEqual({ paymentMethodId: method });
    expect(await refusalOf(remove())).toBe('UnknownThing paymentMethodId');
  });

  test('what the engine refuses leaves no words behind', async () => {
    expect(await refusalOf(publish(market, alice, { amount: '10001' }))).toMatch(/^Insufficient/);
    expect(await market.db.sql.selectFrom('otc_advertisement_text').selectAll().execute()).toEqual([]);
    expect(await refusalOf(publish(market, alice, { minTotal: '600', maxTotal: '500' }))).toBe('MalformedField maxTotal');
    expect(await refusalOf(publish(market, alice, { premium: '1' }))).toBe('MalformedField premium');
    expect(await refusalOf(publish(market, alice, { coin: 'SOL' }))).toBe('UnknownThing coin');
  });
});

describe('[A11] abuse', () => {
  test('ten advertisements an hour, also when they come at once', async () => {
    const method = await addMethod(market, alice);
    const wish = { paymentMethodIds: [method], amount: '10', minTotal: '1' };
    const answers = await Promise.all(Array.from({ length: 12 }, () => refusalOf(publish(market, alice, wish))));
    expect(answers.filter((answer) => answer === undefined)).toHaveLength(10);
    expect(answers.filter((answer) => answer === 'TooManyRequests')).toHaveLength(2);
    market.clock.now += HOUR;
    expect(await refusalOf(publish(market, alice, wish))).toBeUndefined();
  });

  test('nobody takes an advertisement of a cluster of the own, nor an own one', async () => {
    const { advertisingId } = await publish(market, alice);
    market.clusters.push([alice.account, bob.account]);
    expect(await refusalOf(take(market, bob, advertisingId))).toBe('OneOwner advertisingId');
    expect(await refusalOf(take(market, alice, advertisingId))).toBe('OwnAdvertisement advertisingId');
    expect(await refusalOf(take(market, carol, advertisingId))).toBeUndefined();
  });

  test('three open orders without a finished one, and after five cancels within a day a pause of a day', async () => {
    const { advertisingId } = await publish(market, alice);
    for (let nth = 0; nth < 3; nth += 1) await take(market, bob, advertisingId);
    expect(await refusalOf(take(market, bob, advertisingId))).toBe('TooManyOtcOrders');
    for (let nth = 0; nth < 5; nth += 1) await cancel(market, carol, (await take(market, carol, advertisingId)).orderId);
    expect(await refusalOf(take(market, carol, advertisingId))).toBe('OtcPaused account');
    market.clock.now += 24 * HOUR;
    expect(await refusalOf(take(market, carol, advertisingId))).toBeUndefined();
  });

  test('ten payment methods of a person, whose addition takes the second factor where one is bound', async () => {
    for (let nth = 0; nth < 10; nth += 1) await addMethod(market, alice);
    expect(await refusalOf(addMethod(market, alice))).toBe('TooMany paymentMethods');
    const body = { kind: 'BANK', name: 'x', number: '123', google: '000000' };
    expect(await refusalOf(market.call(bob, market.otc.handlers.otcPaymentMethod.addOtcPaymentMethod, { body }))).toBe('InvalidCode');
    expect(
      await refusalOf(
        market.call(bob, market.otc.handlers.otcPaymentMethod.addOtcPaymentMethod, { body: { kind: 'BANK', name: 'x', number: '123' } }),
      ),
    ).toBe('MissingField bank');
  });
});

test('[A11] a change that names no amount fills nothing up, although an order is made at this moment', async () => {
  const { advertisingId, paymentMethodIds } = await publish(market, alice);
  const update = market.otc.handlers.otcAdvertising.updateOtcAdvertisement;
  await Promise.all([
    take(market, bob, advertisingId, { price: '9' }),
    market.call(alice, update, { body: { advertisingId, price: '7.13', paymentMethodIds } }),
  ]);
  expect(await market.free(alice, 'USDC')).toBe('9000');
});

test('[A11] a change that names no amount fills nothing up, although an order is applied right before it', async () => {
  const { advertisingId, paymentMethodIds } = await publish(market, alice);
  const { heart } = market;
  const change = { price: '7.13', paymentMethodIds };
  const submit = vi.spyOn(heart, 'submit');
  submit.mockImplementationOnce(async (command) => {
    await take(market, bob, advertisingId, { price: '9' });
    return heart.submit(command);
  });
  await update(alice, { advertisingId, ...change });
  submit.mockRestore();
  expect(await market.free(alice, 'USDC')).toBe('9000');
  await update(alice, { advertisingId, ...change });
  expect(await market.free(alice, 'USDC')).toBe('9000');
});

test('[A11] a change of a version that has changed since is refused, so that late it makes nothing available again', async () => {
  const first = await publish(market, alice);
  const { advertisingId } = first;
  expect(first.version).toBe(1);
  const change = { advertisingId, amount: '1100', version: first.version };
  expect(await update(alice, change)).toMatchObject({ available: '1100', version: 2 });
  expect(await update(alice, change)).toMatchObject({ available: '1100', version: 2 });
  await take(market, bob, advertisingId);
  expect(await refusalOf(update(alice, change))).toBe('AdvertisementVersionStale version');
  const mine = await market.call(alice, market.otc.handlers.otcAdvertising.otcOwnAdvertisements);
  expect(mine.list).toMatchObject([{ available: '1000', version: 3 }]);
  expect(await market.free(alice, 'USDC')).toBe('8900');
  expect(await update(alice, { ...change, version: 3 })).toMatchObject({ available: '1100', version: 4 });
});
