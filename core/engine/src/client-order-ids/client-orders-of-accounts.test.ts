import { expect, test } from 'vitest';
import { accountId, atoms, lots, marketId, millis, NO_LOTS, NO_TICKS, orderId, ppm, ticks } from '@orrery/units';
import type { AmendOrder, Order } from '@orrery/protocol';
import { LATEST_RULES } from '@orrery/rules';
import type { OpenOrder } from '../orders/open-order.ts';
import { alice, openOrder, orderOf } from '../testing/alices-orders.ts';
import { ClientOrdersOfAccounts } from './client-orders-of-accounts.ts';

const NAMED = orderOf(7, { clientOrderId: 'n', price: ticks(5), size: lots(3) });
const AGAIN: Order = { ...NAMED, orderId: orderId(8), createdAt: millis(1) };

function withNamed(replaces: 0 | 6 = 0): ClientOrdersOfAccounts<OpenOrder> {
  const orders = new ClientOrdersOfAccounts<OpenOrder>();
  orders.enter(openOrder(NAMED, { replaces: replaces === 0 ? 0 : orderId(replaces) }));
  return orders;
}

test('O7: the same order under the same name was placed before', () => {
  expect(withNamed().placedBefore(AGAIN, LATEST_RULES)).toBe(NAMED);
});

test.each<[field: keyof Order, Partial<Order>]>([
  ['account', { account: accountId(2) }],
  ['clientOrderId', { clientOrderId: 'm' }],
  ['clientOrderId', { clientOrderId: '' }],
  ['market', { market: marketId(2) }],
  ['side', { side: 'sell' }],
  ['orderType', { orderType: 'market' }],
  ['timeInForce', { timeInForce: 'GTX' }],
  ['price', { price: ticks(6) }],
  ['size', { size: lots(4) }],
  ['funds', { funds: atoms(1n) }],
  ['triggerPrice', { triggerPrice: ticks(1) }],
  ['slippagePpm', { slippagePpm: ppm(1) }],
  ['selfTradePrevention', { selfTradePrevention: 'expireBoth' }],
])('O7: one with another %s was not: %o', (_field, different) => {
  expect(withNamed().placedBefore({ ...AGAIN, ...different }, LATEST_RULES)).toBeUndefined();
});

test.each<[what: string, replaces: 0 | 6, Partial<AmendOrder>, before: boolean]>([
  ['asks for the same', 6, {}, true],
  ['leaves the price as it is', 6, { price: NO_TICKS }, true],
  ['leaves the size as it is', 6, { size: NO_LOTS }, true],
  ['asks for another price', 6, { price: ticks(6) }, false],
  ['asks for another size', 6, { size: lots(4) }, false],
  ['is of another order', 6, { orderId: orderId(5) }, false],
  ['is of another account', 6, { account: accountId(2) }, false],
  ['has another name', 6, { clientOrderId: 'm' }, false],
  ['has no name', 6, { clientOrderId: '' }, false],
  ['names an order that replaced none', 0, {}, false],
])('O7, O10: an amendment that %s: made before or not', (_what, replaces, different, before) => {
  const command: AmendOrder = {
    type: 'AmendOrder',
    account: alice,
    orderId: orderId(6),
    clientOrderId: 'n',
    price: ticks(5),
    size: lots(3),
    ...different,
  };
  expect(withNamed(replaces).amendedBefore(command, millis(1))).toBe(before ? NAMED : undefined);
});

test('O7: two open orders of one account have no name in common, those of two accounts may', () => {
  const orders = withNamed();
  expect(() => orders.enter(openOrder(AGAIN))).toThrow('a name names one open order');
  const bobs = openOrder({ ...AGAIN, account: accountId(300) });
  orders.enter(bobs);
  expect(orders.open(accountId(300), 'n')).toBe(bobs);
  expect(orders.open(alice, 'n')?.order).toBe(NAMED);
  expect(orders.open(accountId(299), 'n')).toBeUndefined();
});
