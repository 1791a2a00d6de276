import type { Event, Order } from '@orrery/protocol';
import { accountId, atoms, lots, marketId, millis, NO_ATOMS, NO_LOTS, NO_TICKS, orderId, ppm, seq, ticks, tradeId } from '@orrery/units';
import { describe, expect, test } from 'vitest';
import { OrdersView } from './orders.ts';

const market = marketId(1);
const [alice, bob] = [accountId(1), accountId(2)];
const moment = (at: number) => ({ seq: seq(at), at: millis(at) });

const order = (id: number, account: typeof alice, size: number, clientOrderId = ''): Order => ({
  orderId: orderId(id),
  account,
  market,
  clientOrderId,
  side: 'buy',
  orderType: 'limit',
  timeInForce: 'GTC',
  price: ticks(100),
  size: lots(size),
  funds: NO_ATOMS,
  triggerPrice: NO_TICKS,
  slippagePpm: ppm(0),
  selfTradePrevention: 'expireTaker',
  createdAt: millis(1),
  contract: undefined,
  spot: undefined,
});

const rested = (id: number, account: typeof alice, remaining: number): Event => ({
  type: 'OrderRested',
  orderId: orderId(id),
  account,
  market,
  side: 'buy',
  price: ticks(100),
  remaining: lots(remaining),
  filled: NO_LOTS,
  filledNotional: NO_ATOMS,
});

const trade = (taker: number, maker: number, size: number, makerRemaining: number): Event => ({
  type: 'Trade',
  tradeId: tradeId(1),
  market,
  price: ticks(100),
  size: lots(size),
  notional: atoms(BigInt(size) * 100n),
  takerSide: 'sell',
  takerOrderId: orderId(taker),
  takerAccount: bob,
  takerFee: NO_ATOMS,
  makerOrderId: orderId(maker),
  makerAccount: alice,
  makerFee: NO_ATOMS,
  makerRemaining: lots(makerRemaining),
});

describe('an open order', () => {
  test('is emitted as it is after each event, both sides of a trade, and once more when it is closed', () => {
    const view = new OrdersView();
    view.apply({ type: 'OrderAccepted', ...order(1, alice, 10, 'mine') }, moment(1));
    view.apply(rested(1, alice, 10), moment(1));
    view.apply({ type: 'OrderAccepted', ...order(2, bob, 4) }, moment(2));
    const emitted = view.apply(trade(2, 1, 4, 6), moment(2));
    expect(emitted.map(({ order: { orderId: id }, remaining, filled, filledNotional }) => [id, remaining, filled, filledNotional])).toEqual(
      [
        [2, 0, 4, 400n],
        [1, 6, 4, 400n],
      ],
    );
    expect(view.findByClientOrderId(alice, 'mine')).toMatchObject({ status: 'open', remaining: 6, updatedAt: 2 });
    expect(view.findByClientOrderId(bob, 'mine')).toBeUndefined();
    const [closed] = view.apply(
      {
        type: 'OrderClosed',
        orderId: orderId(1),
        account: alice,
        market,
        clientOrderId: 'mine',
        reason: 'canceledByAccount',
        side: 'buy',
        price: ticks(100),
        removed: lots(6),
        filled: lots(4),
        filledNotional: atoms(400n),
      },
      moment(3),
    );
    expect(closed).toMatchObject({ status: 'closed', closeReason: 'canceledByAccount', remaining: 6, filled: 4, updatedAt: 3 });
    expect([view.open(alice), view.find(orderId(1)), view.open(bob).length]).toEqual([[], undefined, 1]);
  });

  test('waits for its trigger, then stands open', () => {
    const view = new OrdersView();
    view.apply({ type: 'OrderAccepted', ...order(1, alice, 10) }, moment(1));
    expect(view.apply({ type: 'OrderArmed', orderId: orderId(1), account: alice, market }, moment(1))[0]?.status).toBe('armed');
    expect(
      view.apply({ type: 'OrderTriggered', orderId: orderId(1), account: alice, market, lastPrice: ticks(90) }, moment(2))[0]?.status,
    ).toBe('open');
  });

  test('has other terms under its id when it is amended while it waits, and when it is cut to its position as it triggers', () => {
    const view = new OrdersView();
    view.apply({ type: 'OrderAccepted', ...order(1, alice, 10) }, moment(1));
    view.apply({ type: 'OrderArmed', orderId: orderId(1), account: alice, market }, moment(1));
    const amended = { orderId: orderId(1), account: alice, market, triggerPrice: ticks(90), price: ticks(89), size: lots(4) };
    const [changed] = view.apply({ type: 'TriggerAmended', ...amended }, moment(2));
    expect(changed).toMatchObject({ status: 'armed', remaining: 4, updatedAt: 2 });
    expect(view.find(orderId(1))?.order).toMatchObject({ ...order(1, alice, 4), triggerPrice: 90, price: 89 });
  });

  test('has another price, size and name under its id when it is amended while it rests', () => {
    const view = new OrdersView();
    view.apply({ type: 'OrderAccepted', ...order(1, alice, 10) }, moment(1));
    const terms = { clientOrderId: 'new', side: 'buy', price: ticks(89), size: lots(7), remaining: lots(4) } as const;
    const amended = { orderId: orderId(1), account: alice, market, ...terms, oldPrice: ticks(90), removed: lots(7), keepsPlace: false };
    const [changed] = view.apply({ type: 'OrderAmended', ...amended }, moment(2));
    expect(changed).toMatchObject({ status: 'open', remaining: 4, updatedAt: 2 });
    expect(view.findByClientOrderId(alice, 'new')?.order).toMatchObject({ size: 7, price: 89 });
    // An amendment that ends its order names it by its closing alone.
    const ended = {
      reason: 'amendedToFilled',
      side: 'buy',
      price: ticks(89),
      removed: lots(4),
      filled: lots(3),
      filledNotional: atoms(1n),
    } as const;
    const [closed] = view.apply(
      { type: 'OrderClosed', orderId: orderId(1), account: alice, market, clientOrderId: 'last', ...ended },
      moment(3),
    );
    expect(closed).toMatchObject({ status: 'closed', order: { clientOrderId: 'last' } });
  });

  test('is listed in order of acceptance however the facts came', () => {
    const view = new OrdersView();
    for (const id of [7, 3, 5]) view.apply({ type: 'OrderAccepted', ...order(id, alice, 1) }, moment(1));
    expect(view.open(alice).map(({ order: { orderId: id } }) => id)).toEqual([3, 5, 7]);
  });
});
