import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { atoms, printAtoms, ticks } from '@orrery/units';
import { compareDecimals, multiplyDecimals } from '../../../kit/format/decimal.ts';
import { BTC } from '../../../market/market.fixture.ts';
import { CONTEXT, ticket } from './ticket.fixture.ts';
import { readTicket } from './order-draft.ts';
import { orderRequest, pairRequest } from './order-request.ts';
import { shareOfSize, sizeOfShare } from './size-share.ts';
import type { TicketForm } from './ticket-form.ts';

const read = (part: Partial<TicketForm>, context = CONTEXT) => readTicket(ticket(part), context);
const issueOf = (part: Partial<TicketForm>, context = CONTEXT) => {
  const { issues, draft } = read(part, context);
  expect(draft).toBeUndefined();
  return Object.fromEntries(Object.entries(issues).map(([field, issue]) => [field, issue.message]));
};

test('[S1] a limit buy that rests shows its value, its maker fee and what is left', () => {
  const { draft, receipt, issues } = read({ price: '60000', size: '0.25' });
  expect(issues).toEqual({});
  expect(draft).toEqual({
    symbol: 'BTC_USDC',
    side: 'buy',
    kind: 'limit',
    timeInForce: 'GTC',
    price: '60000',
    trigger: undefined,
    size: '0.25',
    funds: undefined,
  });
  expect(receipt).toMatchObject({
    value: '15000',
    fee: '0.000125',
    feeAsset: 'BTC',
    freeBefore: '25000',
    freeAfter: '10000',
    freeAsset: 'USDC',
  });
});

test('[S1] a limit sell spends the base coin and pays its fee in the quote coin', () => {
  const { receipt } = read(
    { side: 'sell', price: '60000.1', size: '0.00001', unit: 'base' },
    { ...CONTEXT, market: { ...BTC, terms: { ...BTC.terms, minNotional: atoms(100_000n) } } },
  );
  expect(receipt).toMatchObject({ value: '0.600001', fee: '0.000301', feeAsset: 'USDC', freeAfter: '0.39999', freeAsset: 'BTC' });
});

test('a post-only order is reckoned at the maker fee and sent as GTX', () => {
  const { draft, receipt } = read({ price: '60000', size: '0.25', postOnly: 'on', timeInForce: 'IOC' });
  expect(draft?.timeInForce).toBe('GTX');
  expect(receipt.fee).toBe('0.000125');
});

test('[S1] a limit order that crosses trades at the prices of the book and pays the taker fee on them', () => {
  // The best bid is 60,000.0 x 1: ten per cent below it the sell still receives 60,000.
  const sell = read({ side: 'sell', price: '54010', size: '0.3' });
  expect(sell.receipt).toMatchObject({ value: '18000', fee: '18', average: '60000', worst: '60000', freeAfter: '0.1' });
  // Half a coin at 60,010, as much as there is; the rest stands at 60,015.
  const buy = read({ price: '60015', size: '0.6' }, { ...CONTEXT, freeQuote: atoms(99_000_000_000n) });
  expect(buy.receipt).toMatchObject({ value: '36006.5', fee: '0.00055', average: '60010', freeAfter: '62993.5' });
});

test('[S1] of an order that does not rest, what finds no match at once is neither worth nor charged anything', () => {
  const { receipt, draft } = read({ price: '60015', size: '0.6', timeInForce: 'IOC' }, { ...CONTEXT, freeQuote: atoms(99_000_000_000n) });
  expect(receipt).toMatchObject({ size: '0.5', value: '30005', fee: '0.0005' });
  expect(draft?.size).toBe('0.6');
  expect(read({ price: '50000', size: '0.1', timeInForce: 'IOC' }).draft).toBeDefined();
});

test('[S1] the price band is said at the field, measured from the reference price', () => {
  expect(issueOf({ price: '66005.6', size: '0.1' })).toEqual({ price: 'trade.issue.bandHigh' });
  expect(read({ price: '66005.5', size: '0.1' }).issues).toEqual({});
  expect(issueOf({ side: 'sell', price: '54004.4', size: '0.1' })).toEqual({ price: 'trade.issue.bandLow' });
  expect(read({ side: 'sell', price: '54004.5', size: '0.1' }).issues).toEqual({});
  expect(read({ price: '66005.6', size: '0.1' }).issues.price?.values).toEqual({ price: '66005.5', rate: '10%' });
  // Away from the market there is no band, and without a reference the exchange decides.
  expect(read({ side: 'sell', price: '90000', size: '0.1' }).issues).toEqual({});
  expect(read({ price: '90000', size: '0.1' }, { ...CONTEXT, reference: ticks(0) }).issues).toEqual({});
});

test('[S1] a stop market buy holds what it may cost when it triggers', () => {
  const { receipt } = read({ tab: 'stop', stopKind: 'market', trigger: '62000', size: '0.1' });
  expect(receipt).toMatchObject({ value: '6200', freeAfter: '18490' });
});

test('a size in the quote coin buys the whole lots it pays for', () => {
  expect(read({ price: '60000', size: '1000', unit: 'quote' }).draft?.size).toBe('0.01666');
});

test('a market buy for an amount sends the amount and estimates what it buys', () => {
  const { draft, receipt } = read({ tab: 'market', unit: 'quote', size: '12000' });
  expect(draft).toMatchObject({ kind: 'market', timeInForce: 'IOC', funds: '12000', size: undefined, price: undefined });
  expect(receipt).toMatchObject({ size: '0.19996', average: '60010', worst: '60010', value: '11999.5996' });
});

test('a market sell walks the bids', () => {
  const { receipt } = read({ tab: 'market', side: 'sell', size: '2' }, { ...CONTEXT, freeBase: atoms(300_000_000n) });
  expect(receipt).toMatchObject({ value: '119999', average: '59999.5', worst: '59999', freeAfter: '1' });
});

test('[S1] each field says what is wrong with it before anything is sent', () => {
  expect(issueOf({ price: '60000.12', size: '0.1' })).toEqual({ price: 'trade.issue.priceDecimals' });
  expect(issueOf({ price: '0', size: '0.1' })).toEqual({ price: 'trade.issue.priceZero' });
  expect(issueOf({ price: '99999999', size: '0.1' })).toEqual({ price: 'trade.issue.priceHigh' });
  expect(issueOf({ price: '60000', size: '0.000001' })).toEqual({ size: 'trade.issue.sizeDecimals' });
  expect(issueOf({ price: '60000', size: '0' })).toEqual({ size: 'trade.issue.sizeLow' });
  expect(issueOf({ price: '60000', size: '101' }, { ...CONTEXT, freeQuote: atoms(99_999_999_000_000n) })).toEqual({
    size: 'trade.issue.sizeHigh',
  });
  expect(issueOf({ price: '60000', size: '0.00008' })).toEqual({ size: 'trade.issue.valueLow' });
  expect(issueOf({ price: '60000', size: '90' }, { ...CONTEXT, freeQuote: atoms(99_999_999_000_000n) })).toEqual({
    size: 'trade.issue.valueHigh',
  });
  expect(issueOf({ price: '60000', size: '0.41667' })).toEqual({ size: 'trade.issue.tooMuch' });
  expect(issueOf({ side: 'sell', price: '60010', size: '0.40001' })).toEqual({ size: 'trade.issue.tooMuch' });
  expect(issueOf({ tab: 'market', side: 'sell', size: '4' }, { ...CONTEXT, freeBase: atoms(900_000_000n) })).toEqual({
    size: 'trade.issue.thinBook',
  });
});

test('what can be bought to the last cent is not too much', () => {
  expect(read({ price: '50000', size: '0.5' }).receipt.freeAfter).toBe('0');
  expect(read({ price: '50000', size: '0.5' }).draft).toBeDefined();
});

test('a stop triggers ahead of the market, never behind it', () => {
  expect(issueOf({ tab: 'stop', trigger: '60000', price: '60100', size: '0.1' })).toEqual({ trigger: 'trade.issue.triggerBelow' });
  expect(issueOf({ tab: 'stop', side: 'sell', trigger: '61000', price: '60100', size: '0.1' })).toEqual({
    trigger: 'trade.issue.triggerAbove',
  });
  expect(read({ tab: 'stop', trigger: '61000', price: '61100', size: '0.1' }).draft).toMatchObject({
    kind: 'stopLimit',
    trigger: '61000',
    price: '61100',
    timeInForce: 'GTC',
  });
  expect(read({ tab: 'stop', stopKind: 'market', trigger: '61000', size: '0.1' }).draft).toMatchObject({
    kind: 'stopMarket',
    price: undefined,
    timeInForce: 'IOC',
  });
});

test('an empty ticket is neither wrong nor an order', () => {
  expect(read({})).toMatchObject({ issues: {}, draft: undefined });
});

test('a signed-out visitor can still see what an order would cost', () => {
  const { draft, receipt } = read({ price: '60000', size: '0.25' }, { ...CONTEXT, freeQuote: undefined, freeBase: undefined });
  expect(draft).toBeDefined();
  expect(receipt).toMatchObject({ value: '15000', freeBefore: undefined, freeAfter: undefined });
});

test('[S3] a buy is measured against the best bid and a sell against the best ask, from one per cent on', () => {
  expect(read({ price: '60599.9', size: '0.1' }).notBestPriceRate).toBeUndefined();
  expect(read({ price: '60600', size: '0.1' }).notBestPriceRate).toBe('1.00%');
  expect(read({ price: '61350.5', size: '0.1' }).notBestPriceRate).toBe('2.25%');
  expect(read({ side: 'sell', price: '59409.9', size: '0.1' }).notBestPriceRate).toBe('1.00%');
  expect(read({ side: 'sell', price: '61000', size: '0.1' }).notBestPriceRate).toBeUndefined();
  expect(read({ tab: 'market', size: '0.1' }).notBestPriceRate).toBeUndefined();
});

test('the shares of the slider never spend more than there is, and the slider stands where it was put', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 100 }),
      fc.integer({ min: 10_000, max: 2_000_000 }),
      fc.integer({ min: 100, max: 100_000_000 }),
      (percent, price, cents) => {
        const context = { ...CONTEXT, freeQuote: atoms(BigInt(cents) * 10_000n) };
        const form = ticket({ price: String(price / 10) });
        const size = sizeOfShare(form, context, percent);
        expect(size?.unit).toBe('base');
        if (size === undefined || size.size === '') return;
        expect(compareDecimals(multiplyDecimals(size.size, form.price), printAtoms(context.freeQuote, 6))).not.toBe(1);
        const { receipt } = readTicket({ ...form, ...size }, context);
        expect(shareOfSize(receipt, { ...form, ...size }, context)).toBeLessThanOrEqual(percent);
      },
    ),
  );
});

test('the most is sent as a bound, also when there is less money by then; a size of the person’s own, and a pair, are not', () => {
  const form = ticket({ price: '60000' });
  const { size = '' } = sizeOfShare(form, CONTEXT, 100) ?? {};
  const most = { ...form, size, most: size };
  const less = { ...CONTEXT, freeQuote: atoms((CONTEXT.freeQuote ?? 0n) - 1_000_000n) };
  expect(readTicket(most, less)).toMatchObject({ issues: {}, draft: { size, max: true } });
  expect(readTicket({ ...most, most: '' }, less).issues.size).toMatchObject({ message: 'trade.issue.tooMuch' });
  expect(readTicket({ ...most, most: '' }, CONTEXT).draft?.max).toBeUndefined();
  const pair = ticket({ tab: 'stop', waits: 'pair', side: 'sell', price: '70000', trigger: '50000', size: '0.1', most: '0.1' });
  expect(readTicket(pair, CONTEXT).draft?.max).toBeUndefined();
});

test('a share of a market buy is an amount to spend; a share of a sell is a size', () => {
  expect(sizeOfShare(ticket({ tab: 'market' }), CONTEXT, 25)).toEqual({ size: '6250', unit: 'quote' });
  expect(sizeOfShare(ticket({ side: 'sell', price: '60000' }), CONTEXT, 50)).toEqual({ size: '0.2', unit: 'base' });
  expect(sizeOfShare(ticket({ price: '' }), CONTEXT, 50)).toBeUndefined();
});

test.each<[string, Partial<TicketForm>, string, number]>([
  // A market stop is held at 5 % above its trigger price: 65,625.
  ['a buy stop at the market', { tab: 'stop', stopKind: 'market', trigger: '62500' }, '0.38095', 100],
  ['a buy stop with a limit', { tab: 'stop', trigger: '62500', price: '62500' }, '0.4', 100],
  ['a sell stop at the market', { tab: 'stop', stopKind: 'market', side: 'sell', trigger: '59000' }, '0.4', 100],
  ['a limit buy', { price: '50000' }, '0.5', 100],
  ['a market buy', { tab: 'market' }, '25000', 100],
])('the most of %s is taken by the exchange', (_name, part, size, share) => {
  const form = ticket(part);
  const most = sizeOfShare(form, CONTEXT, 100);
  expect(most?.size).toBe(size);
  const filled = { ...form, ...most };
  const { issues, receipt } = readTicket(filled, CONTEXT);
  expect([issues, shareOfSize(receipt, filled, CONTEXT)]).toEqual([{}, share]);
});

test('the most is within what one order of the market may have', () => {
  const rich = { ...CONTEXT, freeQuote: atoms(9_000_000_000_000n), freeBase: atoms(100_000_000_000_000n) };
  expect(sizeOfShare(ticket({ price: '50000' }), rich, 100)?.size).toBe('80');
  expect(sizeOfShare(ticket({ tab: 'market' }), rich, 100)?.size).toBe('4000000');
  expect(sizeOfShare(ticket({ side: 'sell', price: '10000' }), rich, 100)?.size).toBe('100');
});

const WAITS = { tab: 'stop', size: '0.1' } as const;
const sentOf = (part: Partial<TicketForm>): unknown => {
  const { draft, issues } = read({ ...WAITS, ...part });
  if (draft === undefined) return Object.fromEntries(Object.entries(issues).map(([field, issue]) => [field, issue.message]));
  const { symbol: _, clientOrderId: __, timeInForce: ___, ...sent } = orderRequest(draft, 'a');
  return draft.kind === 'pair' ? pairRequest(draft, 'a') : sent;
};

test.each<[string, Partial<TicketForm>, unknown]>([
  [
    'a take-profit sells above the last price',
    { side: 'sell', waits: 'takeProfit', stopKind: 'market', trigger: '65000' },
    { direction: 'SELL', tradeType: 'TAKE_PROFIT_MARKET', stopPrice: '65000', totalAmount: '0.1' },
  ],
  [
    'and buys below it, by a limit too',
    { waits: 'takeProfit', trigger: '55000', price: '55000' },
    { direction: 'BUY', tradeType: 'TAKE_PROFIT_LIMIT', stopPrice: '55000', price: '55000', totalAmount: '0.1' },
  ],
  [
    'not below it to sell',
    { side: 'sell', waits: 'takeProfit', stopKind: 'market', trigger: '60005' },
    { trigger: 'trade.issue.profitOfSell' },
  ],
  ['nor above it to buy', { waits: 'takeProfit', stopKind: 'market', trigger: '60005' }, { trigger: 'trade.issue.profitOfBuy' }],
  [
    'a trailing stop follows by a ratio',
    { side: 'sell', waits: 'trailing', callback: '1.5', activation: '61000' },
    { direction: 'SELL', tradeType: 'TRAILING_STOP_MARKET', callbackRate: '0.015', activationPrice: '61000', totalAmount: '0.1' },
  ],
  ['in steps of a tenth', { side: 'sell', waits: 'trailing', callback: '1.55' }, { callback: 'trade.issue.callback' }],
  [
    'a pair of a sell rests above and stops below',
    { side: 'sell', waits: 'pair', stopKind: 'market', price: '65000', trigger: '55000' },
    {
      symbol: 'BTC_USDC',
      direction: 'SELL',
      totalAmount: '0.1',
      above: { tradeType: 'LIMIT', price: '65000', clientOrderId: 'a' },
      below: { tradeType: 'STOP_MARKET', stopPrice: '55000', clientOrderId: 'a-s' },
    },
  ],
  [
    'a pair of a buy the other way round, its stop with a limit',
    { waits: 'pair', price: '55000', trigger: '65000', legPrice: '65100' },
    {
      symbol: 'BTC_USDC',
      direction: 'BUY',
      totalAmount: '0.1',
      above: { tradeType: 'STOP_LIMIT', stopPrice: '65000', price: '65100', clientOrderId: 'a-s' },
      below: { tradeType: 'LIMIT', price: '55000', clientOrderId: 'a' },
    },
  ],
  [
    'a pair on the wrong sides',
    { waits: 'pair', stopKind: 'market', price: '65000', trigger: '55000' },
    { price: 'trade.issue.profitOfBuy', trigger: 'trade.issue.triggerBelow' },
  ],
  [
    'a purchase with what sells it again',
    { tab: 'limit', price: '59000', protection: 'on', takeProfit: '65000', stopLoss: '55000' },
    { direction: 'BUY', tradeType: 'LIMIT', price: '59000', totalAmount: '0.1', triggerProfitPrice: '65000', triggerStopPrice: '55000' },
  ],
  [
    'which stands on both sides of its price',
    { tab: 'limit', price: '59000', protection: 'on', takeProfit: '58000', stopLoss: '59500' },
    { takeProfit: 'trade.issue.profitAbove', stopLoss: 'trade.issue.stopBelow' },
  ],
  [
    'and is not of a sell',
    { tab: 'limit', side: 'sell', price: '62000', protection: 'on', takeProfit: '1' },
    { direction: 'SELL', tradeType: 'LIMIT', price: '62000', totalAmount: '0.1' },
  ],
])('%s', (_name, part, sent) => {
  expect(sentOf(part)).toEqual(sent);
});

test.each<[string, Partial<TicketForm>, string]>([
  // 1 % above the last price, 5 % for the market, and 0.05 % for its way.
  ['a trailing buy', { waits: 'trailing', callback: '1' }, '0.39266'],
  ['one that follows from below', { waits: 'trailing', callback: '1', activation: '50000' }, '0.47124'],
  // Both are held at the worse of their prices.
  ['a pair that buys', { waits: 'pair', stopKind: 'market', price: '55000', trigger: '62500' }, '0.38095'],
  ['a pair that buys by limits', { waits: 'pair', price: '55000', trigger: '62000', legPrice: '62500' }, '0.4'],
])('the most of %s is what it reserves', (_name, part, size) => {
  expect(sizeOfShare(ticket({ ...WAITS, ...part }), CONTEXT, 100)?.size).toBe(size);
});
