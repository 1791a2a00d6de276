import { expect, test } from 'vitest';
import type { Event, SetMarketTerms } from '@orrery/protocol';
import { atoms, lots, marketId, ppm } from '@orrery/units';
import { decodeSnapshot } from '../snapshot/snapshot-codec.ts';
import { MARKET, Table } from '../testing/tape.ts';

const set = (changes: Partial<SetMarketTerms>): SetMarketTerms => ({
  type: 'SetMarketTerms',
  market: MARKET.market,
  maxSize: MARKET.maxSize,
  minNotional: MARKET.minNotional,
  maxNotional: MARKET.maxNotional,
  makerFeePpm: MARKET.makerFeePpm,
  takerFeePpm: MARKET.takerFeePpm,
  maxOpenOrders: MARKET.maxOpenOrders,
  ...changes,
});

/** The events of a command written as in a tape, after the arrow. */
const went = (table: Table, command: string): string => table.line(`${command} -> `).split('-> ')[1] ?? '';
const feesOf = (events: readonly Event[]): readonly (readonly bigint[])[] =>
  events.flatMap((event) => (event.type === 'Trade' ? [[event.takerFee, event.makerFee] as const] : []));

test('M4, M6: a trade pays the fees of its time, and what orders hold stays as it was', () => {
  const table = new Table();
  went(table, 'alice buy 200 @ 100');
  const held = (): readonly bigint[] => decodeSnapshot(table.engine.encodeState()).balances.map(({ held }) => held);
  const before = held();
  expect(table.give(set({ makerFeePpm: ppm(100_000), takerFeePpm: ppm(20_000) }))).toMatchObject([{ type: 'MarketTermsChanged' }]);
  expect(held()).toEqual(before);
  const order = { account: 2, market: MARKET.market, clientOrderId: '', side: 'sell', orderType: 'limit', timeInForce: 'GTC' } as const;
  const rest = { price: 100, size: 200, funds: 0n, triggerPrice: 0, slippagePpm: 0, selfTradePrevention: 'expireTaker' } as const;
  const events = table.give({ type: 'PlaceOrder', ...order, ...rest } as never);
  // The maker buys 200 lots and pays a tenth of them; the taker receives 20,000 and pays a fiftieth.
  expect(feesOf(events)).toEqual([[400n, 20n]]);
  table.replay();
});

test('new order limits bind new orders, and orders that were accepted before stay, match and trigger', () => {
  const table = new Table();
  expect(went(table, 'alice buy 300 @ 100')).toBe('accepted #1, rested 300');
  expect(went(table, 'alice buy 300 @ 119 stop 109')).toBe('accepted #2, armed');
  table.give(set({ maxSize: lots(10), maxNotional: atoms(900n), minNotional: atoms(500n), maxOpenOrders: 1 }));
  expect(went(table, 'bob buy 11 @ 60')).toBe('rejected InvalidSize size');
  expect(went(table, 'bob buy 10 @ 100')).toBe('rejected InvalidNotional size');
  expect(went(table, 'bob buy 4 @ 100')).toBe('rejected InvalidNotional size');
  expect(went(table, 'alice buy 8 @ 90')).toBe('rejected TooManyOpenOrders');
  expect(went(table, 'alice amend #1 7 @ 99')).toBe('#1 amended to 7 @ 99, #1 rested 7');
  expect(went(table, 'bob sell 5 @ 109')).toBe('accepted #3, rested 5');
  expect(went(table, 'carol buy 5 @ 109')).toBe(
    'accepted #4, trade 5 @ 109 with #3, #3 filled, filled, #2 triggered by 109, #2 rested 300',
  );
  table.replay();
});

test.each([
  ['UnknownMarket', 'market', { market: marketId(9) }],
  ['InvalidField', 'maxSize', { maxSize: lots(0) }],
  ['InvalidField', 'minNotional', { minNotional: atoms(-1n) }],
  ['InvalidField', 'maxNotional', { maxNotional: atoms(49n) }],
  ['InvalidField', 'makerFeePpm', { makerFeePpm: ppm(100_001) }],
  ['InvalidField', 'takerFeePpm', { takerFeePpm: ppm(100_001) }],
  ['InvalidField', 'maxOpenOrders', { maxOpenOrders: 0 }],
] as const)('terms that can not be are refused as %s %s', (reason, field, changes) => {
  expect(new Table().give(set(changes))).toEqual([{ type: 'CommandRejected', reason, field }]);
});

test('under rules that do not know them they are refused', () => {
  expect(new Table({ rules: 2 }).give(set({}))).toEqual([{ type: 'CommandRejected', reason: 'RulesTooOld', field: '' }]);
});
