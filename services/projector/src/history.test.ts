import { accountId, assetId, atoms, lots, marketId, millis, NO_TICKS, orderId, parseAddress, ppm, seq, ticks } from '@orrery/units';
import { LATEST_RULES } from '@orrery/rules';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { MemoryHeart } from '../../../exchange/src/testing/memory-heart.ts';
import { Room, type StartedProjector } from './testing/room.ts';

let room: Room;
let heart: MemoryHeart;
let projector: StartedProjector;

beforeAll(async () => {
  room = await Room.open();
});
afterAll(() => room.db.close());
beforeEach(async () => {
  heart = await room.begin();
});

describe('queries of history', () => {
  const [alice, bob] = [accountId(1), accountId(2)];
  const order = {
    type: 'PlaceOrder',
    market: 1 as never,
    clientOrderId: '',
    orderType: 'limit',
    timeInForce: 'GTC',
    price: 1_000_000 as never,
    size: 10_000 as never,
    funds: atoms(0n),
    triggerPrice: 0 as never,
    slippagePpm: 0 as never,
    selfTradePrevention: 'expireTaker',
  } as const;

  async function place(account: typeof alice, change: object) {
    const { events } = await heart.submit({ ...order, account, side: 'buy', ...change });
    const accepted = events.find((event) => event.type === 'OrderAccepted');
    return accepted?.type === 'OrderAccepted' ? accepted.orderId : orderId(999_999);
  }

  beforeEach(async () => {
    projector = await room.start();
  });

  test('[S3] the steps of an order have the numbers and times of their commands, open or over, for its own account only', async () => {
    const resting = await place(alice, { side: 'sell', size: 20_000 });
    const acceptedSeq = heart.status().seq;
    const taking = await place(bob, { side: 'buy' });
    const tradedSeq = heart.status().seq;
    // At once: history is waited for.
    const { timelines } = projector;
    expect(await timelines.of({ account: alice, orderId: resting })).toEqual({
      orderId: String(resting),
      steps: [
        { step: 'ACCEPTED', seq: acceptedSeq, time: expect.any(Number) },
        { step: 'MATCHED', seq: tradedSeq, time: expect.any(Number), execId: expect.any(String), price: '100000', quantity: '0.1' },
      ],
    });
    // Written by another batch than its acceptance.
    await heart.submit({ type: 'CancelOrder', account: alice, orderId: resting, clientOrderId: '' });
    await room.caughtUp(projector);
    const { steps } = await timelines.of({ account: alice, orderId: resting });
    expect(steps[0]).toMatchObject({ step: 'ACCEPTED', seq: acceptedSeq });
    expect(steps.at(-1)).toMatchObject({ step: 'CLOSED', seq: tradedSeq + 1, reason: 'canceledByAccount' });
    expect((await timelines.of({ account: bob, orderId: taking })).steps.map(({ step, seq: at }) => [step, at])).toEqual([
      ['ACCEPTED', tradedSeq],
      ['MATCHED', tradedSeq],
      ['CLOSED', tradedSeq],
    ]);
    await expect(timelines.of({ account: bob, orderId: resting })).rejects.toMatchObject({ data: { reason: 'UnknownOrder' } });
  });

  test('orders with terms of their own are kept whole over a restart, and end with their reasons', async () => {
    const leg = { clientOrderId: '', slippagePpm: ppm(0) };
    const above = { ...leg, orderType: 'limit', price: ticks(1_010_000), triggerPrice: NO_TICKS } as const;
    const below = { ...leg, orderType: 'stopMarket', price: NO_TICKS, triggerPrice: ticks(990_000) } as const;
    const size = lots(10_000);
    const pair = {
      type: 'PlacePair',
      account: alice,
      market: marketId(1),
      side: 'sell',
      size,
      selfTradePrevention: 'expireTaker',
      above,
      below,
    } as const;
    const { events } = await heart.submit(pair);
    const [first, second] = events.flatMap((event) => (event.type === 'OrderAccepted' ? [event.orderId] : []));
    await room.caughtUp(projector);
    await projector.stop();
    projector = await room.start();
    await heart.submit({ type: 'CancelOrder', account: alice, orderId: second!, clientOrderId: '' });
    await room.caughtUp(projector);
    const groupId = String(first);
    expect(await projector.history.order({ account: alice, orderId: first! })).toMatchObject({
      orderType: 'LIMIT',
      groupId,
      closeReason: 'groupClosed',
    });
    const stop = { orderType: 'STOP_MARKET', stopPrice: '99000', groupId, closeReason: 'canceledByAccount' };
    expect(await projector.history.order({ account: alice, orderId: second! })).toMatchObject(stop);
  });

  test('[S2] an order that is over, with its fills, for its own account only', async () => {
    const resting = await place(alice, { side: 'sell', clientOrderId: 'mine', size: 20_000 });
    const taking = await place(bob, { side: 'buy' });
    const canceled = await place(bob, { price: 999_000 });
    await heart.submit({ type: 'CancelOrder', account: bob, orderId: canceled, clientOrderId: '' });
    await room.caughtUp(projector);
    const { history } = projector;
    expect(await history.order({ account: alice, orderId: resting })).toBeUndefined();
    expect(await history.order({ account: alice, orderId: taking })).toBeUndefined();
    expect(await history.order({ account: bob, orderId: taking })).toMatchObject({
      orderId: String(taking),
      symbol: 'BTC_USDC',
      orderSide: 'BUY',
      orderType: 'LIMIT',
      timeInForce: 'GTC',
      price: '100000',
      origQty: '0.1',
      executedQty: '0.1',
      executedValue: '10000',
      avgPrice: '100000',
      state: 3,
      closeReason: 'filled',
      stopPrice: null,
      funds: null,
    });
    const page = { account: bob, page: 1, size: 10 };
    expect((await history.orders(page)).items.map((each) => [each.orderId, each.state])).toEqual([
      [String(canceled), 4],
      [String(taking), 3],
    ]);
    expect((await history.orders({ ...page, state: 3 })).items.map((each) => each.orderId)).toEqual([String(taking)]);
    expect(await history.orders({ ...page, symbol: 'ETH_USDC' })).toEqual({ items: [], total: 0, next: null });
    expect(await history.orders({ ...page, symbol: 'NO_SUCH' })).toEqual({ items: [], total: 0, next: null });
    expect((await history.fills(page)).items).toMatchObject([
      {
        orderId: String(taking),
        execId: '1',
        symbol: 'BTC_USDC',
        quantity: '0.1',
        price: '100000',
        value: '10000',
        fee: '0.0001',
        feeCoin: 'BTC',
        orderSide: 'BUY',
        takerMaker: 'TAKER',
      },
    ]);
    expect((await history.fills({ ...page, account: alice })).items).toMatchObject([
      { orderId: String(resting), clientOrderId: 'mine', fee: '5', feeCoin: 'USDC', orderSide: 'SELL', takerMaker: 'MAKER' },
    ]);
    const at = (await history.fills(page)).items[0]?.timestamp ?? 0;
    const paidFee = (from: number, until: number) => history.hasPaidFee({ account: bob, from, until });
    expect([await paidFee(at, at + 1), await paidFee(at + 1, at + 9), await paidFee(0, at)]).toEqual([true, false, false]);
    await projector.stop();
  });

  test('[A9] bills list every change with the balance after it; pages follow each other', async () => {
    await place(alice, { side: 'sell' });
    await place(bob, { side: 'buy' });
    await room.caughtUp(projector);
    const { history } = projector;
    const { items, total } = await history.bills({ account: bob, page: 1, size: 3 });
    expect(items.map(({ coin, account, type, amount, afterAmount }) => [coin, account, type, amount, afterAmount])).toEqual([
      ['BTC', 'spot', 'FEE', '-0.0001', '50.0999'],
      ['BTC', 'spot', 'TRADE', '0.1', '50.1'],
      ['USDC', 'spot', 'TRADE', '-10000', '4990000'],
    ]);
    const rest = await history.bills({ account: bob, page: 2, size: 100 });
    expect(rest).toEqual({ items: [], total, next: null });
    expect(total).toBe(9);
    expect((await history.bills({ account: bob, page: 1, size: 10, kind: 'DEPOSIT', coin: 'USDC' })).items).toMatchObject([
      { amount: '10000000' },
    ]);
    expect((await history.bills({ account: bob, page: 1, size: 10, wallet: 'funding', kind: 'TRANSFER' })).total).toBe(2);
    expect((await history.bills({ account: bob, page: 1, size: 10, reference: 'first-2' })).items.map(({ coin }) => coin)).toEqual([
      'BTC',
      'BTC',
    ]);
    expect((await history.bills({ account: bob, page: 1, size: 10, endTime: millis(1) })).total).toBe(0);
    await projector.stop();
  });

  test('[A9] transfers and withdrawals with their state', async () => {
    const withdrawalId = `0x${'7'.repeat(64)}`;
    await heart.submit({
      type: 'RequestWithdrawal',
      account: alice,
      withdrawalId,
      asset: 1 as never,
      amount: atoms(2_500_000n),
      to: `0x${'9'.repeat(40)}` as never,
    });
    await room.caughtUp(projector);
    const page = { account: alice, page: 1, size: 10 };
    expect((await projector.history.withdrawals(page)).items).toMatchObject([
      { withdrawalId, coin: 'USDC', amount: '2.5', state: 'HELD', txHash: null, internal: false },
    ]);
    await heart.submit({ type: 'MarkWithdrawalSent', withdrawalId, txHash: `0x${'a'.repeat(64)}` });
    await room.caughtUp(projector);
    expect((await projector.history.withdrawals(page)).items).toMatchObject([{ state: 'SENT', txHash: `0x${'a'.repeat(64)}` }]);
    await heart.submit({ type: 'RefundWithdrawal', withdrawalId });
    await room.caughtUp(projector);
    expect((await projector.history.withdrawals(page)).items).toMatchObject([{ state: 'REFUNDED' }]);
    expect((await projector.history.transfers({ ...page, coin: 'BTC' })).items).toMatchObject([
      { transferId: 'first-2', amount: '50', from: 'funding', to: 'spot' },
    ]);
    await projector.stop();
  });

  test('[A9] a withdrawal to another account: a bill of each of the two, and arrived without a transaction', async () => {
    const withdrawalId = `0x${'6'.repeat(64)}`;
    const asset = assetId(1);
    const to = parseAddress(`0x${'9'.repeat(40)}`)!;
    await heart.submit({ type: 'OpenAccount', address: to });
    const amount = atoms(2_500_000n);
    const { events } = await heart.submit({ type: 'WithdrawInternally', account: alice, withdrawalId, asset, amount, to });
    const reported = events[0]!;
    const recipient = reported.type === 'WithdrawnInternally' ? reported.recipient : expect.fail(reported.type);
    await room.caughtUp(projector);
    const { history } = projector;
    const billsOf = async (account: typeof alice) =>
      (await history.bills({ account, page: 1, size: 9, kind: 'INTERNAL' })).items.map((bill) => [
        bill.account,
        bill.amount,
        bill.reference,
      ]);
    expect(await billsOf(alice)).toEqual([['funding', '-2.5', withdrawalId]]);
    expect(await billsOf(recipient)).toEqual([['funding', '2.5', withdrawalId]]);
    expect((await history.withdrawals({ account: alice, page: 1, size: 9 })).items).toMatchObject([
      { withdrawalId, coin: 'USDC', amount: '2.5', state: 'POSTED', txHash: null, internal: true },
    ]);
    expect((await history.withdrawals({ account: recipient, page: 1, size: 9 })).total).toBe(0);
    expect(await history.internalWithdrawals()).toEqual([{ withdrawalId, account: alice, to, asset, amount: 2_500_000n }]);
    await projector.stop();
  });

  test('J4, D2: a deposit whose block is gone is taken from the wallets where it is, and is a deposit again when it is back', async () => {
    const asset = assetId(2);
    const address = parseAddress(`0x${'9'.repeat(40)}`)!;
    const deposit = { type: 'CreditDeposit', key: 'gone', address, asset, amount: atoms(70n * 10n ** 8n) } as const;
    const { events } = await heart.submit(deposit);
    const { account } = events.find((event) => event.type === 'AccountOpened')!;
    const amount = atoms(30n * 10n ** 8n);
    await heart.submit({ type: 'SetAccountFlag', account, flag: 'termsAccepted', value: true });
    await heart.submit({ type: 'Transfer', account, transferId: 'on', asset, amount, from: 'funding', to: 'spot' });
    await heart.submit({ type: 'SuspendDeposit', key: 'gone' });
    await heart.submit(deposit);
    await room.caughtUp(projector);
    const { items } = await projector.history.bills({ account, page: 1, size: 9 });
    expect(items.map((bill) => [bill.type, bill.account, bill.amount, bill.afterAmount, bill.reference])).toEqual([
      ['DEPOSIT', 'funding', '70', '70', 'gone'],
      ['DEPOSIT_SUSPENDED', 'spot', '-30', '0', 'gone'],
      ['DEPOSIT_SUSPENDED', 'funding', '-40', '0', 'gone'],
      ['TRANSFER', 'spot', '30', '30', 'on'],
      ['TRANSFER', 'funding', '-30', '40', 'on'],
      ['DEPOSIT', 'funding', '70', '70', 'gone'],
    ]);
    await projector.stop();
  });

  test('J4, D2: what of it went to coin futures is a bill of that wallet', async () => {
    const asset = assetId(2);
    const address = parseAddress(`0x${'8'.repeat(40)}`)!;
    const deposit = { type: 'CreditDeposit', key: 'coins', address, asset, amount: atoms(70n * 10n ** 8n) } as const;
    const { events } = await heart.submit(deposit);
    const { account } = events.find((event) => event.type === 'AccountOpened')!;
    const amount = atoms(30n * 10n ** 8n);
    await heart.submit({ type: 'UpgradeRules', version: LATEST_RULES });
    await heart.submit({ type: 'SetAccountFlag', account, flag: 'termsAccepted', value: true });
    await heart.submit({ type: 'Transfer', account, transferId: 'on', asset, amount, from: 'funding', to: 'spot' });
    await heart.submit({ type: 'Transfer', account, transferId: 'coins', asset, amount, from: 'spot', to: 'coinFutures' });
    await heart.submit({ type: 'SuspendDeposit', key: 'coins' });
    await room.caughtUp(projector);
    const { items } = await projector.history.bills({ account, page: 1, size: 2 });
    expect(items.map((bill) => [bill.type, bill.account, bill.amount, bill.afterAmount, bill.reference])).toEqual([
      ['DEPOSIT_SUSPENDED', 'coinFutures', '-30', '0', 'coins'],
      ['DEPOSIT_SUSPENDED', 'funding', '-40', '0', 'coins'],
    ]);
    await projector.stop();
  });

  test('J4, D2: what its write-off takes of a deposit is a bill of the wallet where it was, and its return is a deposit again', async () => {
    const [asset, address] = [assetId(2), parseAddress(`0x${'7'.repeat(40)}`)!];
    const deposit = { type: 'CreditDeposit', key: 'lost', address, asset, amount: atoms(7_000n) } as const;
    const { events } = await heart.submit(deposit);
    const { account } = events.find((event) => event.type === 'AccountOpened')!;
    await heart.submit({ type: 'UpgradeRules', version: LATEST_RULES });
    await heart.submit({ type: 'SetAccountFlag', account, flag: 'termsAccepted', value: true });
    await heart.submit({
      type: 'RequestWithdrawal',
      account,
      withdrawalId: `0x${'17'.repeat(32)}`,
      asset,
      to: address,
      amount: atoms(6_000n),
    });
    await heart.submit({ type: 'SuspendDeposit', key: 'lost' });
    await heart.submit({ type: 'RefundWithdrawal', withdrawalId: `0x${'17'.repeat(32)}` });
    await heart.submit({ type: 'WriteOffDeposit', key: 'lost' });
    await heart.submit(deposit);
    await room.caughtUp(projector);
    const { items } = await projector.history.bills({ account, page: 1, size: 3 });
    expect(items.map((bill) => [bill.type, bill.account, bill.amount, bill.afterAmount, bill.reference])).toEqual([
      ['DEPOSIT', 'funding', '0.00007', '0.00007', 'lost'],
      ['DEPOSIT_WRITTEN_OFF', 'funding', '-0.00006', '0', 'lost'],
      ['DEPOSIT_SUSPENDED', 'funding', '-0.00001', '0.00006', 'lost'],
    ]);
    await projector.stop();
  });

  test('F4: an award that was taken back is a bill and a line of the history of points, below zero', async () => {
    const points = 7 as never;
    const budget = 'rewards';
    await heart.submit({ type: 'FundBudget', key: 'f', budget, asset: points, amount: atoms(1_000n) });
    await heart.submit({ type: 'AwardFromBudget', key: 'a', budget, account: alice, asset: points, amount: atoms(700n) });
    await heart.submit({ type: 'AwardFromBudget', key: 'b', budget, account: alice, asset: points, amount: atoms(200n) });
    await heart.submit({ type: 'ReverseAward', key: 'a', awardKey: 'a' });
    await room.caughtUp(projector);
    expect(await projector.history.points(alice)).toBe(200n);
    const { items } = await projector.history.bills({ account: alice, page: 1, size: 3, coin: 'POINTS' });
    expect(items.map(({ type, amount, afterAmount, reference }) => [type, amount, afterAmount, reference])).toEqual([
      ['AWARD_REVERSAL', '-700', '200', 'a'],
      ['AWARD', '200', '900', 'b'],
      ['AWARD', '700', '700', 'a'],
    ]);
    const rows = await room.db.sql.selectFrom('projector_award').select(['key', 'amount']).orderBy('seq').execute();
    expect(rows.map(({ key, amount }) => [key, amount])).toEqual([
      ['a', '700'],
      ['b', '200'],
      ['a reversed', '-700'],
    ]);
    await projector.stop();
  });

  test('of orders that closed without a fill the latest 10,000 are kept, however history was written', async () => {
    const placed: number[] = [];
    for (let n = 0; n < 10_005; n++) {
      const id = await place(alice, { price: 950_000, size: 1_000 });
      await heart.submit({ type: 'CancelOrder', account: alice, orderId: id, clientOrderId: '' });
      placed.push(id);
      if (n % 2_500 === 0) await room.caughtUp(projector);
    }
    await room.caughtUp(projector);
    const { total } = await projector.history.orders({ account: alice, page: 1, size: 10 });
    expect(total).toBe(10_000);
    expect(await projector.history.order({ account: alice, orderId: orderId(placed[4] ?? 0) })).toBeUndefined();
    expect(await projector.history.order({ account: alice, orderId: orderId(placed[5] ?? 0) })).toMatchObject({
      state: 4,
      closeReason: 'canceledByAccount',
    });
    await projector.stop();
  });

  test('[S4] minutes and trades of a market, oldest first', async () => {
    await place(alice, { side: 'sell', size: 20_000 });
    await place(bob, { size: 10_000 });
    room.clock.now += 60_000;
    await place(bob, { size: 10_000 });
    await room.caughtUp(projector);
    const trades = await projector.history.trades({ market: 1 as never });
    expect(trades.map(({ tradeId, price, size, takerSide }) => [tradeId, price, size, takerSide])).toEqual([
      [1, 1_000_000, 10_000, 'buy'],
      [2, 1_000_000, 10_000, 'buy'],
    ]);
    const minutes = await projector.history.minutes({ market: 1 as never });
    expect(minutes.map(({ open, close, volume, quoteVolume }) => [open, close, volume, quoteVolume])).toEqual([
      [1_000_000, 1_000_000, 10_000, 10_000_000_000n],
      [1_000_000, 1_000_000, 10_000, 10_000_000_000n],
    ]);
    expect(await projector.history.trades({ market: 2 as never })).toEqual([]);
    await projector.stop();
  });

  test('[T4] what an account has done so far', async () => {
    await place(alice, { side: 'sell' });
    await place(bob, { side: 'buy' });
    await room.caughtUp(projector);
    expect(await projector.history.activity(bob)).toMatchObject({
      orders: 1,
      volume: 10_000_000_000n,
      firstDepositAt: expect.any(Number),
      firstClaimAt: undefined,
    });
    expect(await projector.history.activity(accountId(77))).toMatchObject({ orders: 0, volume: 0n, firstOrderAt: undefined });
    await projector.stop();
  });

  describe('J2, R9: a database that crashed, and has lost the newest commands', () => {
    /** As it stands after the crash, until history is written again. */
    const stepBack = (from: number): Promise<unknown> =>
      room.db.sql
        .updateTable('projector_offset')
        .set({ seq: from - 1 })
        .execute();
    const page = { account: bob, page: 1, size: 10 };

    test('returns nothing older than what was read before, and returns it again once it is rewritten', async () => {
      await room.caughtUp(projector);
      const { seq: newest } = projector.status();
      // The reader sees more than the projector has reported so far.
      const history = projector.historyOf({ status: () => ({ ...projector.status(), seq: seq(0) }) });
      const { total } = await history.bills(page);
      await stepBack(newest);
      for (const ask of [() => history.bills(page), () => history.orders(page), () => history.points(bob), () => history.activity(bob)])
        await expect(ask()).rejects.toThrow('history is being written again');
      await room.db.sql.updateTable('projector_offset').set({ seq: newest }).execute();
      expect((await history.bills(page)).total).toBe(total);
      await projector.stop();
    });

    test('is no reason to refuse a read that began before one which sees more was answered', async () => {
      await room.caughtUp(projector);
      const { seq: newest } = projector.status();
      const gate = Promise.withResolvers<void>();
      let held = 0;
      const db = room.db.sql.withPlugin({
        transformQuery: ({ node }) => node,
        async transformResult({ result }) {
          held += 1;
          if (held === 1) await gate.promise;
          return result;
        },
      });
      const history = projector.historyOf({ status: () => ({ ...projector.status(), seq: seq(0) }) }, db);
      const first = history.bills(page);
      await expect.poll(() => held).toBe(1);
      await room.db.sql
        .updateTable('projector_offset')
        .set({ seq: newest + 1 })
        .execute();
      const { total } = await history.bills(page);
      gate.resolve();
      expect((await first).total).toBe(total);
      await room.db.sql.updateTable('projector_offset').set({ seq: newest }).execute();
      await projector.stop();
    });

    test('returns nothing older than what was promised', async () => {
      await room.caughtUp(projector);
      await stepBack(projector.status().seq);
      await expect(projector.history.bills(page)).rejects.toThrow('history is being written again');
      await projector.stop();
    });
  });

  test('reading waits for what was written: reached resolves at the command, not before', async () => {
    const wanted = seq(heart.history.length + 2);
    let there = false;
    const wait = async () => {
      await projector.reached(wanted);
      there = true;
    };
    const waiting = wait();
    await place(alice, { side: 'sell' });
    await projector.reached(seq(wanted - 1));
    expect(there).toBe(false);
    await place(bob, { side: 'buy' });
    await waiting;
    expect((await projector.history.fills({ account: bob, page: 1, size: 10 })).total).toBe(1);
    await projector.stop();
  });
});
