import { NO_TERMS, type Order } from '@orrery/api';
import { lots, ticks } from '@orrery/units';
import { describe, expect, test } from 'vitest';
import { OwnAccount } from './own-account.ts';
import { PriceWatch } from './price-watch.ts';
import { BTC } from './testing/markets.ts';

const reported = (orderId: string, state: Order['state'], dealQty = '0'): Order => ({
  orderId,
  clientOrderId: '',
  symbol: 'BTC_USDC',
  orderSide: 'BUY',
  orderType: 'LIMIT',
  timeInForce: 'GTC',
  price: '100000.5',
  stopPrice: null,
  origQty: '0.5',
  funds: null,
  avgPrice: null,
  executedQty: dealQty,
  dealQty,
  executedValue: '0',
  ...NO_TERMS,
  stallReason: null,
  state,
  closeReason: null,
  createdTime: 1,
  updatedTime: 1,
});
const quote = { side: 'buy', price: ticks(1_000_005), size: lots(50_000) } as const;

describe('the own orders', () => {
  test('are those of the stream, whichever of answer and stream came first', () => {
    const account = new OwnAccount([BTC]);
    account.hearOrder(reported('1', 1));
    account.placed('1', quote, BTC);
    account.placed('2', quote, BTC);
    account.hearOrder(reported('2', 2, '0.2'));
    expect([...account.orders(BTC)]).toEqual([
      { orderId: '1', side: 'buy', price: 1_000_005, remaining: 50_000 },
      { orderId: '2', side: 'buy', price: 1_000_005, remaining: 30_000 },
    ]);
  });

  test('that were over before the answer came stay over', () => {
    const account = new OwnAccount([BTC]);
    account.hearOrder(reported('1', 3, '0.5'));
    account.placed('1', quote, BTC);
    expect([...account.orders(BTC)]).toEqual([]);
  });

  test('are forgotten with the stream', () => {
    const account = new OwnAccount([BTC]);
    account.hearOrder(reported('1', 1));
    account.ready();
    account.reset();
    expect([account.isKnown, ...account.orders(BTC)]).toEqual([false]);
  });
});

describe('an outside price', () => {
  test('is good until it has not been updated for a while', () => {
    let now = 1_000;
    const watch = new PriceWatch({ staleMs: 15_000, now: () => now });
    expect(watch.price('BTC_USDC')).toBeUndefined();
    expect(watch.hear({ s: 'BTC_USDC', t: 5, p: '100000.1' }, BTC)).toBe(true);
    now += 15_000;
    expect(watch.price('BTC_USDC')).toBe(1_000_001);
    now += 1;
    expect(watch.price('BTC_USDC')).toBeUndefined();
  });

  test('whose time is not known, as after a start of the exchange, is good all the same', () => {
    const watch = new PriceWatch({ staleMs: 15_000, now: () => 1_000 });
    expect(watch.hear({ s: 'BTC_USDC', t: 0, p: '100000.1' }, BTC)).toBe(true);
    expect(watch.price('BTC_USDC')).toBe(1_000_001);
  });

  test('repeated with the same time it is no update, with a later time it is good for longer', () => {
    let now = 1_000;
    const watch = new PriceWatch({ staleMs: 15_000, now: () => now });
    watch.hear({ s: 'BTC_USDC', t: 5, p: '100000.1' }, BTC);
    now += 15_000;
    expect(watch.hear({ s: 'BTC_USDC', t: 5, p: '100000.1' }, BTC)).toBe(false);
    expect(watch.silence('BTC_USDC')).toBe(15_000);
    expect(watch.hear({ s: 'BTC_USDC', t: 6, p: '100000.1' }, BTC)).toBe(false);
    expect(watch.silence('BTC_USDC')).toBe(0);
  });
});
