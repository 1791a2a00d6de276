import { describe, expect, test } from 'vitest';
import { DAY, HOUR, MINUTE, type Person, refusalOf } from './testing/market.ts';
import { addMethod, appeal, cancel, chat, detail, pay, publish, release, say, take, upload } from './testing/story.ts';
import { alice, bob, carol, market, withMarket } from './testing/with-market.ts';

withMarket();

const escrow = async (coin = 'USDC') => {
  const { escrow: sums } = await market.call(undefined, market.otc.handlers.otcAdvertising.otcInfo);
  return sums.find((each) => each.coin === coin);
};

describe('[A11] OT1: an order', () => {
  test('published, made, paid, released: the coin is with the buyer, and the escrow is what is left of the advertisement', async () => {
    const { advertisingId } = await publish(market, alice, { autoReply: 'Welcome.', conditions: 'No third parties.' });
    expect(await market.free(alice, 'USDC')).toBe('9000');
    const list = await market.call(bob, market.otc.handlers.otcAdvertising.otcAdvertisements, {
      query: { side: 'SELL', currency: 'cny', total: '712' },
    });
    expect(list).toMatchObject({
      total: 1,
      list: [{ advertisingId, price: '7.12', maxTotal: '5000', takeable: true, conditions: 'No third parties.' }],
    });
    const order = await take(market, bob, advertisingId, { total: '712', price: '7.12' });
    expect(order).toMatchObject({
      status: 'CREATED',
      side: 'BUY',
      coin: 'USDC',
      amount: '100',
      total: '712',
      escrow: { amount: '100', state: 'HELD' },
      paymentMethods: [{ kind: 'ALIPAY', name: 'alice Example', number: '6222000012345678', masked: false }],
      conditions: 'No third parties.',
      steps: [{ status: 'CREATED', by: 'BUYER' }],
    });
    expect(order.deadline).toBe(market.clock.now + 15 * MINUTE);
    expect(await escrow()).toEqual({ coin: 'USDC', advertised: '900', inOrders: '100', deposits: '0', total: '1000' });
    const { orderId } = order;
    expect(await pay(market, bob, orderId)).toMatchObject({ status: 'PAID', canDisputeAt: market.clock.now + 30 * MINUTE });
    const released = await release(market, alice, orderId);
    expect(released).toMatchObject({ status: 'RELEASED', side: 'SELL', escrow: { state: 'RELEASED' }, deadline: null });
    expect(released.steps.map(({ status, by }) => `${status} ${by}`)).toEqual(['CREATED BUYER', 'PAID BUYER', 'RELEASED SELLER']);
    expect(await market.free(bob, 'USDC')).toBe('10100');
    expect(await escrow()).toMatchObject({ advertised: '900', inOrders: '0', total: '900' });
    expect((await chat(market, bob, orderId)).map(({ kind, text, by }) => `${kind} ${by} ${text}`)).toEqual([
      'SYSTEM BUYER CREATED',
      'TEXT SELLER Welcome.',
      'SYSTEM BUYER PAID',
      'SYSTEM SELLER RELEASED',
    ]);
    const of = (await detail(market, bob, orderId)).counterpart;
    expect(of).toMatchObject({ finished: 1, completionRate: '100', medianReleaseSeconds: 0 });
  });

  test('of a buy advertisement: the taker says where the money comes, and the coin is held from then on', async () => {
    const { advertisingId } = await publish(market, alice, { side: 'BUY' });
    expect(await market.free(alice, 'USDC')).toBe('10000');
    expect(await refusalOf(take(market, bob, advertisingId))).toBe('MissingField paymentMethodIds');
    const bank = await addMethod(market, bob, 'BANK');
    expect(await refusalOf(take(market, bob, advertisingId, { paymentMethodIds: [bank] }))).toBe('MalformedField paymentMethodIds');
    const method = await addMethod(market, bob);
    const order = await take(market, bob, advertisingId, { paymentMethodIds: [method] });
    expect(order).toMatchObject({ side: 'SELL', paymentMethods: [{ paymentMethodId: method, name: 'bob Example' }] });
    expect(await market.free(bob, 'USDC')).toBe('9900');
    await pay(market, alice, order.orderId);
    await release(market, bob, order.orderId);
    expect(await market.free(alice, 'USDC')).toBe('10100');
  });

  test('is paid later by as long as the exchange was away', async () => {
    const { advertisingId } = await publish(market, alice);
    const { orderId, deadline } = await take(market, bob, advertisingId);
    market.clock.now += 2 * HOUR;
    await market.submit({ type: 'RunOtcTimers' });
    await market.otc.caughtUp();
    expect(await detail(market, bob, orderId)).toMatchObject({ status: 'CREATED', deadline: (deadline ?? 0) + 2 * HOUR });
    expect(market.news.at(-1)).toMatchObject({ news: { kind: 'ORDER', orderId }, notice: null });
    expect(await pay(market, bob, orderId)).toMatchObject({ status: 'PAID' });
  });

  test('of which a time moves after an outage says so in its chat, once, also after a restart; others say nothing', async () => {
    const { advertisingId } = await publish(market, alice);
    const { orderId: ended } = await take(market, bob, advertisingId);
    await cancel(market, bob, ended);
    const { orderId } = await take(market, bob, advertisingId);
    const { orderId: other } = await take(market, bob, advertisingId);
    await pay(market, bob, other);
    await market.pass(30 * MINUTE);
    const { orderId: disputed } = await take(market, carol, advertisingId);
    await pay(market, carol, disputed);
    await market.pass(30 * MINUTE);
    await appeal(market, carol, disputed);
    market.clock.now += 7 * MINUTE;
    await market.submit({ type: 'RunOtcTimers' });
    await market.otc.caughtUp();
    await market.reopen();
    await market.otc.caughtUp();
    const linesOf = async (who: Person, id: string) =>
      (await chat(market, who, id)).filter(({ text }) => text?.startsWith('LATER')).map(({ kind, by, text }) => `${kind} ${by} ${text}`);
    expect(await linesOf(alice, other)).toEqual([`SYSTEM EXCHANGE LATER ${7 * MINUTE}`]);
    expect(await linesOf(bob, other)).toEqual([`SYSTEM EXCHANGE LATER ${7 * MINUTE}`]);
    // Ended before it, or without a time that could move.
    expect(await linesOf(bob, ended)).toEqual([]);
    expect(await linesOf(bob, orderId)).toEqual([]);
    expect(await linesOf(carol, disputed)).toEqual([]);
  });

  test('not paid in time it expires, and cancelled by the buyer the coin is back, also after it was paid', async () => {
    const { advertisingId } = await publish(market, alice);
    const late = await take(market, bob, advertisingId);
    await market.pass(15 * MINUTE);
    expect(await detail(market, bob, late.orderId)).toMatchObject({ status: 'EXPIRED', escrow: { state: 'RETURNED' } });
    expect((await detail(market, bob, late.orderId)).steps.at(-1)).toMatchObject({ status: 'EXPIRED', by: 'EXCHANGE' });
    expect(await refusalOf(pay(market, bob, late.orderId))).toBe('OtcOrderNotInState orderId');
    const other = await take(market, bob, advertisingId);
    await pay(market, bob, other.orderId);
    expect(await refusalOf(cancel(market, alice, other.orderId))).toBe('NotPartyOfOrder account');
    expect(await cancel(market, bob, other.orderId)).toMatchObject({ status: 'CANCELLED' });
    expect(await escrow()).toMatchObject({ advertised: '1000', inOrders: '0' });
  });

  test('each step repeated by its own side answers the same order, and so does an order made again', async () => {
    const { advertisingId } = await publish(market, alice);
    const order = await take(market, bob, advertisingId, { clientOrderId: 'once' });
    expect((await take(market, bob, advertisingId, { clientOrderId: 'once' })).orderId).toBe(order.orderId);
    expect(await refusalOf(take(market, bob, advertisingId, { clientOrderId: 'once', amount: '101' }))).toBe('KeyConflict clientOrderId');
    await pay(market, bob, order.orderId);
    expect(await pay(market, bob, order.orderId)).toMatchObject({ status: 'PAID' });
    await release(market, alice, order.orderId);
    // A second proof is not asked for: the code of the first is used up.
    expect(await release(market, alice, order.orderId, '')).toMatchObject({ status: 'RELEASED' });
    expect(market.proofs.releases).toHaveLength(1);
    expect(await market.free(bob, 'USDC')).toBe('10100');
  });
});

describe('[A11] the release', () => {
  test('needs its proof, over exactly this amount, coin, order and buyer; no key of a program releases', async () => {
    const { advertisingId } = await publish(market, alice);
    const { orderId } = await take(market, bob, advertisingId);
    const { counterpart } = await detail(market, alice, orderId);
    await pay(market, bob, orderId);
    const body = { orderId };
    expect(await refusalOf(market.call(alice, market.otc.handlers.otcOrder.releaseOtcOrder, { body }))).toBe('MissingField google');
    expect(await refusalOf(release(market, alice, orderId, '222222'))).toBe('InvalidCode');
    const byKey = market.call(alice, market.otc.handlers.otcOrder.releaseOtcOrder, { body: { ...body, google: '111111' }, via: 'apiKey' });
    expect(await refusalOf(byKey)).toBe('PermissionMissing');
    expect(await detail(market, alice, orderId)).toMatchObject({ status: 'PAID' });
    expect(await refusalOf(release(market, bob, orderId))).toBe('NotPartyOfOrder orderId');
    await release(market, alice, orderId);
    expect(market.proofs.releases).toEqual([{ orderId, amount: '100', coin: 'USDC', buyer: counterpart.traderId }]);
  });

  test('is refused before the payment and after a dispute', async () => {
    const { advertisingId } = await publish(market, alice);
    const { orderId } = await take(market, bob, advertisingId);
    expect(await refusalOf(release(market, alice, orderId))).toBe('OtcOrderNotInState orderId');
    await pay(market, bob, orderId);
    await market.pass(30 * MINUTE);
    await appeal(market, bob, orderId);
    expect(await refusalOf(release(market, alice, orderId))).toBe('OtcOrderNotInState orderId');
  });
});

describe('[A11] what others see', () => {
  test('a foreign order is unknown on every route, and so are its receipts', async () => {
    const { advertisingId } = await publish(market, alice);
    const { orderId } = await take(market, bob, advertisingId);
    const receiptId = await upload(market, bob, orderId);
    await market.call(bob, market.otc.handlers.otcOrder.sendOtcMessage, { body: { orderId, receiptId, clientMessageId: 'receipt-1' } });
    for (const call of [
      () => detail(market, carol, orderId),
      () => pay(market, carol, orderId),
      () => cancel(market, carol, orderId),
      () => release(market, carol, orderId),
      () => appeal(market, carol, orderId),
      () => say(market, carol, orderId, 'hello'),
      () => chat(market, carol, orderId),
      () => upload(market, carol, orderId),
      () => market.call(carol, market.otc.handlers.otcOrder.appraiseOtcOrder, { body: { orderId, appraisal: 'NEGATIVE' } }),
    ])
      expect(await refusalOf(call())).toBe('UnknownThing orderId');
    const receipt = (who: Person) => market.call(who, market.otc.handlers.otcReceipt.otcReceipt, { query: { receiptId } });
    expect(await refusalOf(receipt(carol))).toBe('UnknownThing receiptId');
    expect(await receipt(alice)).toMatchObject({ receiptId, own: false, url: expect.stringContaining('/file/') });
    expect((await market.call(carol, market.otc.handlers.otcOrder.otcOrders)).total).toBe(0);
    expect(
      await refusalOf(
        market.call(carol, market.otc.handlers.otcPaymentMethod.removeOtcPaymentMethod, { body: { paymentMethodId: receiptId } }),
      ),
    ).toBe('UnknownThing paymentMethodId');
    expect(
      await refusalOf(
        market.call(carol, market.otc.handlers.otcAdvertising.setOtcAdvertisementStatus, { body: { advertisingId, status: 'PAUSED' } }),
      ),
    ).toBe('UnknownThing advertisingId');
  });

  test('where the seller is paid is masked once the order has ended, whatever becomes of the method meanwhile', async () => {
    const { advertisingId } = await publish(market, alice);
    const { orderId } = await take(market, bob, advertisingId);
    await pay(market, bob, orderId);
    await release(market, alice, orderId);
    expect((await detail(market, bob, orderId)).paymentMethods).toEqual([
      { paymentMethodId: expect.any(String), kind: 'ALIPAY', name: 'a*** E***', number: '…78', bank: null, masked: true },
    ]);
    expect(await market.db.sql.selectFrom('otc_order_method').select('sealed').execute()).toEqual([{ sealed: null }]);
  });

  test('a receipt is seen by the other side once a message or a statement names it', async () => {
    const { advertisingId } = await publish(market, alice);
    const { orderId } = await take(market, bob, advertisingId);
    const receiptId = await upload(market, bob, orderId);
    const receipt = market.call(alice, market.otc.handlers.otcReceipt.otcReceipt, { query: { receiptId } });
    expect(await refusalOf(receipt)).toBe('UnknownThing receiptId');
    expect(
      await refusalOf(
        market.call(alice, market.otc.handlers.otcOrder.sendOtcMessage, { body: { orderId, receiptId, clientMessageId: 'foreign-1' } }),
      ),
    ).toBe('UnknownThing receiptId');
  });

  test("the payer's verified name is shown to a seller who is verified too, while the order is live", async () => {
    const { advertisingId } = await publish(market, alice);
    const { orderId } = await take(market, bob, advertisingId);
    market.names.set(bob.account, 'Bob Example');
    expect((await detail(market, alice, orderId)).payerName).toBeNull();
    market.names.set(alice.account, 'Alice Example');
    expect((await detail(market, alice, orderId)).payerName).toBe('Bob Example');
    expect((await detail(market, bob, orderId)).payerName).toBeNull();
    await cancel(market, bob, orderId);
    expect((await detail(market, alice, orderId)).payerName).toBeNull();
  });
});

describe('[A11] the chat', () => {
  test('is of both sides, counts what is unread, marks what leads elsewhere, and takes each message once', async () => {
    const { advertisingId } = await publish(market, alice);
    const { orderId } = await take(market, bob, advertisingId);
    market.clock.now += 1;
    await say(market, bob, orderId, 'Add me on telegram @bob_example', 'same-message');
    await say(market, bob, orderId, 'Add me on telegram @bob_example', 'same-message');
    await say(market, bob, orderId, 'I have paid from my own account.');
    expect((await detail(market, alice, orderId)).unread).toBe(2);
    expect((await chat(market, alice, orderId)).filter(({ kind }) => kind === 'TEXT')).toMatchObject([
      { text: 'Add me on telegram @bob_example', hint: true, own: false, by: 'BUYER' },
      { text: 'I have paid from my own account.', hint: false },
    ]);
    expect((await detail(market, alice, orderId)).unread).toBe(0);
    expect((await detail(market, bob, orderId)).unread).toBe(0);
    const rows = await market.db.sql.selectFrom('otc_message').selectAll().where('kind', '=', 'TEXT').execute();
    for (const row of rows) expect(row.sealed?.includes(Buffer.from('telegram'))).toBe(false);
  });

  test('is read by a cursor: while newer messages arrive none comes twice and none is missing', async () => {
    const { advertisingId } = await publish(market, alice);
    const { orderId } = await take(market, bob, advertisingId);
    for (let nth = 0; nth < 24; nth += 1) await say(market, bob, orderId, `message ${nth}`);
    const texts: (string | null)[] = [];
    for (let id: string | null | undefined; id !== null;) {
      const query = { orderId, pageSize: 10, ...(id !== undefined && { id }) };
      const { list, next } = await market.call(alice, market.otc.handlers.otcOrder.otcMessages, { query });
      texts.push(...list.map(({ text }) => text));
      await say(market, alice, orderId, 'meanwhile');
      id = next;
    }
    expect(texts).toEqual([...Array.from({ length: 24 }, (_, nth) => `message ${nth}`).toReversed(), 'CREATED']);
  });

  test('takes 30 messages a minute of a person', async () => {
    const { advertisingId } = await publish(market, alice);
    const { orderId } = await take(market, bob, advertisingId);
    for (let nth = 0; nth < 30; nth += 1) await say(market, bob, orderId, `message ${nth}`);
    expect(await refusalOf(say(market, bob, orderId, 'one more'))).toBe('TooManyRequests');
    expect(await refusalOf(say(market, alice, orderId, 'the other side'))).toBeUndefined();
    market.clock.now += MINUTE;
    expect(await refusalOf(say(market, bob, orderId, 'a minute later'))).toBeUndefined();
  });

  test('has room for both sides, however much one of them writes', async () => {
    const { advertisingId } = await publish(market, alice);
    const { orderId } = await take(market, bob, advertisingId);
    for (let nth = 0; nth < 500; nth += 1) {
      if (nth % 30 === 0) market.clock.now += MINUTE;
      await say(market, bob, orderId, 'again');
    }
    market.clock.now += MINUTE;
    expect(await refusalOf(say(market, bob, orderId, 'one more'))).toBe('TooMany messages');
    expect(await refusalOf(say(market, alice, orderId, 'the other side'))).toBeUndefined();
  });

  test('goes 180 days after the end of its order, with its receipts; the order stays', async () => {
    const { advertisingId } = await publish(market, alice);
    const { orderId } = await take(market, bob, advertisingId);
    const receiptId = await upload(market, bob, orderId);
    await say(market, bob, orderId, 'hello');
    await cancel(market, bob, orderId);
    market.clock.now += 180 * DAY - 1;
    await market.otc.sweep();
    expect(await chat(market, bob, orderId)).not.toEqual([]);
    market.clock.now += 1;
    await market.otc.sweep();
    expect(await chat(market, bob, orderId)).toEqual([]);
    expect(market.files.kept.size).toBe(0);
    expect(await refusalOf(market.call(bob, market.otc.handlers.otcReceipt.otcReceipt, { query: { receiptId } }))).toBe(
      'UnknownThing receiptId',
    );
    expect(await detail(market, bob, orderId)).toMatchObject({ status: 'CANCELLED', paymentMethods: [] });
  });
});

test('[A11] history stays when the engine has forgotten the order, and after a restart', async () => {
  const { advertisingId } = await publish(market, alice);
  const { orderId } = await take(market, bob, advertisingId);
  await pay(market, bob, orderId);
  await release(market, alice, orderId);
  await market.pass(8 * DAY);
  await market.reopen();
  expect(await detail(market, bob, orderId)).toMatchObject({ status: 'RELEASED', amount: '100' });
  expect(await refusalOf(cancel(market, bob, orderId))).toBe('OtcOrderNotInState orderId');
  expect((await market.call(bob, market.otc.handlers.otcOrder.otcOrders, { query: { side: 'BUY', status: 'RELEASED' } })).total).toBe(1);
});

test('[A11] an erased person leaves orders to the other side, and no word and no account number', async () => {
  const { advertisingId } = await publish(market, alice, { autoReply: 'Welcome.' });
  const { orderId } = await take(market, bob, advertisingId);
  await say(market, alice, orderId, 'hello');
  await upload(market, alice, orderId);
  await market.otc.erase(alice);
  market.keys.erase(alice.account);
  await market.otc.erase(alice);
  expect(await detail(market, bob, orderId)).toMatchObject({ status: 'CREATED', paymentMethods: [{ name: '', number: '', masked: true }] });
  expect((await chat(market, bob, orderId)).filter(({ kind, text }) => kind === 'TEXT' && text !== null)).toEqual([]);
  expect(market.files.kept.size).toBe(0);
  expect(await market.db.sql.selectFrom('otc_payment_method').selectAll().execute()).toEqual([]);
  expect((await market.call(bob, market.otc.handlers.otcAdvertising.otcAdvertisements)).total).toBe(0);
});

test('[A11] each step is announced to both sides, notified to the other one, and sent by e-mail to who does not look for a minute', async () => {
  const { advertisingId } = await publish(market, alice);
  const { orderId } = await take(market, bob, advertisingId);
  const announced = market.news
    .filter(({ news }) => news.kind === 'ORDER')
    .map(({ account, news, notice }) => [account, news.status, notice !== null]);
  expect(announced).toEqual([
    [bob.account, 'CREATED', false],
    [alice.account, 'CREATED', true],
  ]);
  market.clock.now += MINUTE - 1;
  await market.otc.sweep();
  expect(market.letters).toEqual([]);
  market.clock.now += 1;
  await market.otc.sweep();
  await market.otc.sweep();
  expect(market.letters).toMatchObject([{ account: alice.account, subject: `OTC order ${orderId}: created` }]);
  await pay(market, bob, orderId);
  await detail(market, alice, orderId);
  market.clock.now += HOUR;
  await market.otc.sweep();
  expect(market.letters).toHaveLength(1);
});
