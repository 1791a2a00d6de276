import { describe, expect, test } from 'vitest';
import { DAY, HOUR, MINUTE, type Person, refusalOf } from './testing/market.ts';
import { appeal, chat, detail, pay, publish, take, upload } from './testing/story.ts';
import { alice, bob, carol, market, withMarket } from './testing/with-market.ts';

withMarket();

/** Alice sells, bob has paid. */
async function paid(): Promise<string> {
  const { advertisingId } = await publish(market, alice);
  const { orderId } = await take(market, bob, advertisingId);
  await pay(market, bob, orderId);
  return orderId;
}

async function disputed(): Promise<string> {
  const orderId = await paid();
  await market.pass(30 * MINUTE);
  await appeal(market, bob, orderId);
  return orderId;
}

const decide = (orderId: string, outcome: 'RELEASED' | 'RETURNED', nth = 1) =>
  market.otc.desk.disputes.decide({ orderId, nth, outcome, reason: 'The receipt is real.' });

describe('[A11] a dispute', () => {
  test('is opened by either side half an hour after the payment, and stops every clock', async () => {
    const orderId = await paid();
    expect(await refusalOf(appeal(market, bob, orderId))).toBe('OtcTooSoon orderId');
    await market.pass(30 * MINUTE);
    const receiptId = await upload(market, bob, orderId);
    const opened = await appeal(market, bob, orderId, [receiptId]);
    expect(opened).toMatchObject({ status: 'DISPUTED', deadline: null, canDisputeAt: null, canAppeal: false, decision: null });
    expect(opened.statements).toEqual([
      { by: 'BUYER', kind: 'DISPUTE', reason: 'OTHER', text: 'Look at this.', receiptIds: [receiptId], at: market.clock.now },
    ]);
    await market.pass(3 * DAY);
    expect(await appeal(market, alice, orderId)).toMatchObject({
      status: 'DISPUTED',
      statements: [{ kind: 'DISPUTE' }, { by: 'SELLER', kind: 'EVIDENCE' }],
    });
  });

  test('said again by a page that got no answer it stands there once, as does evidence; other words are added', async () => {
    const orderId = await disputed();
    const receiptId = await upload(market, bob, orderId);
    await appeal(market, bob, orderId);
    await appeal(market, bob, orderId, [receiptId]);
    expect((await appeal(market, bob, orderId, [receiptId])).statements.map(({ kind, receiptIds }) => [kind, receiptIds])).toEqual([
      ['DISPUTE', []],
      ['EVIDENCE', [receiptId]],
    ]);
    expect((await appeal(market, alice, orderId)).statements.map(({ by }) => by)).toEqual(['BUYER', 'BUYER', 'SELLER']);
  });

  test('opens by itself a day after the payment', async () => {
    const orderId = await paid();
    await market.pass(DAY);
    expect((await detail(market, bob, orderId)).steps.at(-1)).toMatchObject({ status: 'DISPUTED', by: 'EXCHANGE' });
    expect((await market.otc.desk.disputes.list({ page: 1, size: 10 })).list).toMatchObject([
      { orderId, state: 'WAITING', operators: 1, worth: '100' },
    ]);
  });

  test('is shown to an operator with the evidence of both sides, and the words of the arbiter are in the chat', async () => {
    const orderId = await disputed();
    const receiptId = await upload(market, alice, orderId);
    await appeal(market, alice, orderId, [receiptId]);
    market.names.set(bob.account, 'Bob Example');
    await market.otc.desk.disputes.say(orderId, 'Please send a receipt.');
    const shown = await market.otc.desk.disputes.detail(orderId, 'operator-1');
    expect(shown).toMatchObject({
      state: 'WAITING',
      sides: {
        buyer: {
          account: bob.account,
          verifiedName: 'Bob Example',
          statements: [{ kind: 'DISPUTE', text: 'Look at this.' }],
          receipts: [],
        },
        seller: { account: alice.account, receipts: [{ receiptId, url: expect.stringContaining('operator-1') }] },
      },
      paymentMethods: [{ name: 'alice Example', masked: false }],
      messages: [
        { kind: 'SYSTEM' },
        { kind: 'SYSTEM' },
        { kind: 'SYSTEM', text: 'DISPUTED' },
        { by: 'ARBITER', text: 'Please send a receipt.' },
      ],
    });
    expect((await chat(market, alice, orderId)).at(-1)).toMatchObject({ by: 'ARBITER', text: 'Please send a receipt.', own: false });
  });
});

describe('[A11] OT1: a decision', () => {
  test('stands for an hour, in which the other side may appeal it once with something new; then it is executed', async () => {
    const orderId = await disputed();
    await decide(orderId, 'RELEASED');
    // Asked for again after a crash nothing happens; otherwise it is refused.
    await decide(orderId, 'RELEASED');
    expect(await refusalOf(decide(orderId, 'RETURNED'))).toBe('UnknownThing orderId');
    expect(await detail(market, bob, orderId)).toMatchObject({
      canAppeal: false,
      decision: { outcome: 'RELEASED', reason: 'The receipt is real.' },
    });
    expect(await detail(market, alice, orderId)).toMatchObject({ canAppeal: true, deadline: market.clock.now + HOUR });
    await market.pass(HOUR);
    const ended = await detail(market, bob, orderId);
    expect(ended).toMatchObject({ status: 'RELEASED', decision: { executesAt: null } });
    expect(ended.steps.at(-1)).toMatchObject({ by: 'ARBITER' });
    expect(await market.free(bob, 'USDC')).toBe('10100');
    expect(await refusalOf(appeal(market, alice, orderId))).toBe('OtcOrderNotInState orderId');
  });

  test('appealed with a new receipt it waits for a second one, which is executed at once', async () => {
    const orderId = await disputed();
    await decide(orderId, 'RELEASED');
    expect(await refusalOf(appeal(market, alice, orderId))).toBe('MissingField receiptIds');
    const receiptId = await upload(market, alice, orderId);
    const appealed = await appeal(market, alice, orderId, [receiptId]);
    expect(appealed).toMatchObject({
      status: 'DISPUTED',
      canAppeal: false,
      deadline: null,
      decision: { appealedBy: 'SELLER', executesAt: null },
    });
    expect(appealed.statements.at(-1)).toMatchObject({ kind: 'APPEAL', by: 'SELLER' });
    await market.pass(DAY);
    expect(await market.otc.desk.disputes.awaited(orderId)).toBe(2);
    expect(await refusalOf(decide(orderId, 'RETURNED', 1))).toBe('UnknownThing orderId');
    await decide(orderId, 'RETURNED', 2);
    expect(await detail(market, alice, orderId)).toMatchObject({ status: 'RETURNED', decision: { outcome: 'RETURNED' } });
    expect(await market.free(bob, 'USDC')).toBe('10000');
    expect(await market.otc.desk.disputes.awaited(orderId)).toBeUndefined();
    expect((await market.otc.desk.disputes.list({ page: 1, size: 10 }, 'ENDED')).total).toBe(1);
  });

  test('leaves each side room for its own receipts, however many the other one uploads', async () => {
    const orderId = await paid();
    for (let nth = 0; nth < 10; nth += 1) await upload(market, alice, orderId);
    expect(await refusalOf(upload(market, alice, orderId))).toBe('TooMany receipts');
    await market.pass(30 * MINUTE);
    const opened = await appeal(market, bob, orderId, [await upload(market, bob, orderId)]);
    expect(opened.statements).toMatchObject([{ by: 'BUYER', receiptIds: [expect.any(String)] }]);
  });

  test('takes two operators above 1,000 USDC, and where the worth is not known', async () => {
    const { advertisingId } = await publish(market, alice, {
      coin: 'BTC',
      price: '710000',
      amount: '1',
      minTotal: '100',
      maxTotal: '700000',
    });
    const orderIds = [
      await take(market, bob, advertisingId, { amount: '0.01' }),
      await take(market, bob, advertisingId, { amount: '0.01000001' }),
    ];
    for (const { orderId } of orderIds) await pay(market, bob, orderId);
    await market.pass(DAY);
    const { list } = await market.otc.desk.disputes.list({ page: 1, size: 10 });
    expect(list.map(({ worth, operators }) => [worth, operators])).toEqual([
      ['1000', 1],
      ['1000.001', 2],
    ]);
    market.prices.splice(0);
    expect((await market.otc.desk.disputes.find(orderIds[0]?.orderId ?? '')).operators).toBe(2);
  });

  test('is not for a side, nor for an account in a cluster with one', async () => {
    const orderId = await disputed();
    const isSide = (person: Person) => market.otc.desk.disputes.isSide(orderId, [person.address]);
    expect(await isSide(bob)).toBe(true);
    expect(await isSide(alice)).toBe(true);
    expect(await isSide(carol)).toBe(false);
    market.clusters.push([bob.account, carol.account]);
    expect(await isSide(carol)).toBe(true);
    expect(await market.otc.desk.disputes.isSide(orderId, [])).toBe(false);
  });
});

describe('[A11] a merchant', () => {
  const apply = (who: Person, name = 'Good Coins') =>
    market.call(who, market.otc.handlers.otcMerchant.applyAsOtcMerchant, { body: { name, text: 'I trade a lot.' } });
  const fillUp = (who: Person) => market.call(who, market.otc.handlers.otcMerchant.applyAsOtcMerchant, { body: {} });
  const info = (who: Person | undefined, traderId?: string) =>
    traderId === undefined
      ? market.call(who, market.otc.handlers.otcMerchant.ownOtcMerchant)
      : market.call(who, market.otc.handlers.otcMerchant.otcMerchant, { query: { traderId } });

  test('applies with the deposit in escrow, is approved, has the badge, and leaves with the deposit', async () => {
    const applied = await apply(alice);
    expect(applied).toMatchObject({ state: 'WAITING', merchant: false, deposit: '500' });
    expect(await market.free(alice, 'USDC')).toBe('9500');
    expect(await refusalOf(apply(alice))).toBe('AlreadyThere merchant');
    expect(await refusalOf(apply(bob, 'good coins'))).toBe('AlreadyThere name');
    expect((await market.otc.desk.merchants.applications({ page: 1, size: 10 })).list).toMatchObject([
      { name: 'Good Coins', text: 'I trade a lot.', state: 'WAITING' },
    ]);
    await market.otc.desk.merchants.decide({ traderId: applied.traderId, decision: 'APPROVED', reason: null });
    expect(await info(bob, applied.traderId)).toMatchObject({ nickname: 'Good Coins', merchant: true, state: 'APPROVED', answer: null });
    expect((await market.call(undefined, market.otc.handlers.otcMerchant.otcMerchants)).list).toMatchObject([{ nickname: 'Good Coins' }]);
    await publish(market, alice);
    const only = await market.call(bob, market.otc.handlers.otcAdvertising.otcAdvertisements, { query: { merchants: 'ONLY' } });
    expect(only.list).toMatchObject([{ trader: { merchant: true } }]);
    const leave = () => market.call(alice, market.otc.handlers.otcMerchant.leaveOtcMerchants);
    expect(await refusalOf(leave())).toBe('OtcNotIdle account');
    const mine = await market.call(alice, market.otc.handlers.otcAdvertising.otcOwnAdvertisements);
    await market.call(alice, market.otc.handlers.otcAdvertising.setOtcAdvertisementStatus, {
      body: { advertisingId: mine.list[0]?.advertisingId, status: 'TAKEN_DOWN' },
    });
    expect(await leave()).toMatchObject({ state: 'LEFT', merchant: false, deposit: '0' });
    expect(await market.free(alice, 'USDC')).toBe('10000');
    expect(await apply(alice)).toMatchObject({ state: 'WAITING', deposit: '500' });
  });

  test('who is refused reads why and gets the deposit back; without the money nobody applies', async () => {
    const { traderId } = await apply(alice);
    await market.otc.desk.merchants.decide({ traderId, decision: 'REFUSED', reason: 'Too new.' });
    expect(await info(alice)).toMatchObject({ state: 'REFUSED', answer: 'Too new.', deposit: '0' });
    expect(await info(bob, traderId)).toMatchObject({ state: 'NONE', answer: null });
    expect(await market.free(alice, 'USDC')).toBe('10000');
    await publish(market, carol, { amount: '9900' });
    expect(await refusalOf(apply(carol, 'No Money'))).toMatch(/InsufficientBalance|InsufficientFunds/);
    expect(await info(carol)).toMatchObject({ state: 'NONE' });
  });

  test('pays the other side from the deposit when a dispute went against it and the coin is gone: once', async () => {
    const { traderId } = await apply(alice);
    await market.otc.desk.merchants.decide({ traderId, decision: 'APPROVED', reason: null });
    const orderId = await disputed();
    const payment = { orderId, amount: '100' };
    expect(await refusalOf(market.otc.desk.disputes.checkPayment(payment))).toBe('OtcOrderNotInState orderId');
    await decide(orderId, 'RELEASED');
    await market.pass(HOUR);
    expect(await refusalOf(market.otc.desk.disputes.checkPayment({ orderId, amount: '500.000001' }))).toBe('MalformedField amount');
    await market.otc.desk.disputes.pay(payment);
    await market.otc.desk.disputes.pay(payment);
    expect(await market.free(bob, 'USDC')).toBe('10200');
    expect(await market.otc.desk.disputes.detail(orderId, 'x')).toMatchObject({ deposit: '400', depositPaid: true });
    expect(await refusalOf(market.otc.desk.disputes.checkPayment(payment))).toBe('AlreadyThere orderId');
    // Filled up by the same call as an application, once.
    const before = Number(await market.free(alice, 'USDC'));
    const filled = await Promise.all([fillUp(alice), fillUp(alice)]);
    expect(filled).toMatchObject([1, 2].map(() => ({ state: 'APPROVED', deposit: '500', merchant: true })));
    expect(await market.free(alice, 'USDC')).toBe(`${before - 100}`);
    expect(await refusalOf(apply(alice))).toBe('AlreadyThere merchant');
    // Who is none, or no longer, applies for nothing by it.
    expect(await refusalOf(fillUp(bob))).toBe('MissingField name');
  });

  test('fills up a deposit of which nothing is left, and not without the money', async () => {
    const { traderId } = await apply(alice);
    await market.otc.desk.merchants.decide({ traderId, decision: 'APPROVED', reason: null });
    const orderId = await disputed();
    await decide(orderId, 'RELEASED');
    await market.pass(HOUR);
    await market.otc.desk.disputes.pay({ orderId, amount: '500' });
    expect(await info(alice)).toMatchObject({ state: 'APPROVED', deposit: '0' });
    const free = Number(await market.free(alice, 'USDC'));
    const { advertisingId } = await publish(market, alice, { amount: `${free - 499}` });
    expect(await refusalOf(fillUp(alice))).toBe('InsufficientBalance amount');
    expect(await info(alice)).toMatchObject({ deposit: '0' });
    await market.call(alice, market.otc.handlers.otcAdvertising.setOtcAdvertisementStatus, {
      body: { advertisingId, status: 'TAKEN_DOWN' },
    });
    expect(await fillUp(alice)).toMatchObject({ state: 'APPROVED', deposit: '500' });
    expect(await market.free(alice, 'USDC')).toBe(`${free - 500}`);
  });

  test('pays from the deposit of who lost, although the other side has advertised', async () => {
    const { traderId } = await apply(bob);
    await market.otc.desk.merchants.decide({ traderId, decision: 'APPROVED', reason: null });
    const orderId = await disputed();
    await decide(orderId, 'RETURNED');
    await market.pass(HOUR);
    expect(await market.otc.desk.disputes.detail(orderId, 'x')).toMatchObject({ deposit: '500', depositPaid: false });
    const before = Number(await market.free(alice, 'USDC'));
    await market.otc.desk.disputes.pay({ orderId, amount: '100' });
    expect(await market.free(alice, 'USDC')).toBe(`${before + 100}`);
    expect(await market.otc.desk.disputes.detail(orderId, 'x')).toMatchObject({ deposit: '400', depositPaid: true });
  });

  test('an appraisal counts once, is changed within a day, and is for orders with an outcome', async () => {
    const orderId = await disputed();
    const appraise = (who: Person, appraisal: string, text?: string) =>
      market.call(who, market.otc.handlers.otcOrder.appraiseOtcOrder, { body: { orderId, appraisal, text } });
    expect(await refusalOf(appraise(bob, 'NEGATIVE'))).toBe('OtcOrderNotInState orderId');
    await decide(orderId, 'RELEASED');
    await market.pass(HOUR);
    await appraise(bob, 'NEGATIVE', 'Slow.');
    expect(await appraise(bob, 'POSITIVE', 'Kind.')).toMatchObject({ appraisal: 'POSITIVE' });
    const { counterpart } = await detail(market, bob, orderId);
    expect(counterpart).toMatchObject({ positive: 1, negative: 0, finished: 1, completionRate: '0' });
    expect(await info(undefined, counterpart.traderId)).toMatchObject({ appraisals: [{ appraisal: 'POSITIVE', text: 'Kind.' }] });
    market.clock.now += DAY + 1;
    expect(await refusalOf(appraise(bob, 'NEGATIVE'))).toBe('AlreadyThere appraisal');
  });
});
