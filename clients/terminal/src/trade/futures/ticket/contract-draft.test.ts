import { ticks } from '@orrery/units';
import { expect, test } from 'vitest';
import { BTC_COIN_MARGINED, BTC_PERPETUAL } from '../../../market/contract.fixture.ts';
import { activateLanguage, addTexts } from '../../../kit/i18n/catalog.ts';
import { en } from '../../../kit/i18n/messages/en/index.ts';
import { say } from '../../../kit/i18n/text.tsx';
import { readContract } from './contract-draft.ts';
import type { ContractMarket } from '../../../market/contract-market.ts';
import type { ContractContext } from './contract-draft.ts';
import { EMPTY_CONTRACT_FORM } from './contract-form.ts';
import type { ContractForm } from './contract-form.ts';
import { contractScaleOrders, readContractScale } from './contract-scale.ts';

addTexts('en', en);
activateLanguage('en');

const CONTEXT: ContractContext = {
  market: BTC_PERPETUAL,
  mode: 'ONE_WAY',
  unit: BTC_PERPETUAL.units[0],
  mark: ticks(600_000),
  last: ticks(600_000),
  bestBid: ticks(599_990),
  bestAsk: ticks(600_010),
  bids: [],
  asks: [],
};
const read = (part: Partial<ContractForm>) => readContract({ ...EMPTY_CONTRACT_FORM, price: '60000', size: '0.1', ...part }, CONTEXT);
const protectedBy = (part: Partial<ContractForm>) => {
  const { draft, issues } = read({ protection: 'on', protectionMode: 'percent', ...part });
  const body = draft?.name === 'createFuturesOrder' ? draft.body : undefined;
  return [body?.triggerProfitPrice, body?.triggerStopPrice, Object.values(issues).map(({ message }) => message)];
};

test.each([
  ['a buy takes its profit above and stops its loss below', { side: 'buy', takeProfit: '2', stopLoss: '1.5' }, ['61200', '59100', []]],
  ['a sell the other way round', { side: 'sell', takeProfit: '2', stopLoss: '1.5' }, ['58800', '60900', []]],
  ['a market order by the best price', { side: 'buy', tab: 'market', takeProfit: '1' }, ['60601', undefined, []]],
  ['down to the grid', { side: 'buy', takeProfit: '0.01', price: '60000.1' }, ['60006.1', undefined, []]],
  ['not below nothing', { side: 'buy', stopLoss: '100' }, [undefined, undefined, ['futures.issue.percent']]],
  ['not by nothing', { side: 'buy', takeProfit: '0' }, [undefined, undefined, ['futures.issue.percent']]],
] as const)('[F6] TP/SL in per cent of the price: %s', (_name, part, found) => {
  expect(protectedBy(part)).toEqual(found);
});

test.each([
  ['as it was taken', { size: '0.1', most: '0.1' }, true],
  ['at the market', { size: '0.1', most: '0.1', tab: 'market' }, true],
  ['another that was typed', { size: '0.1', most: '0.2' }, undefined],
  ['of what only reduces', { size: '0.1', most: '0.1', reduceOnly: 'on' }, undefined],
] as const)('the most is sent as a bound, so that a tick more is no refusal: %s', (_name, part, max) => {
  const { draft } = read(part);
  expect(draft?.name === 'createFuturesOrder' && [draft.body.origQty, draft.body.max]).toEqual(['0.1', max]);
});

test('an order to the market is valued by the book it would walk, not by its best price', () => {
  const asks = [600_010, 10_000, 602_010, 20_000];
  const { expected, price, trade } = readContract({ ...EMPTY_CONTRACT_FORM, tab: 'market', size: '0.3' }, { ...CONTEXT, asks });
  // 0.1 at 60,001 and 0.2 at 60,201.
  expect([expected?.average, expected?.value, trade?.price, price]).toEqual([601_343, 18_040_300_000n, 601_343, 600_010]);
});

test.each([
  ['a price off the grid', { price: '60000.05' }, { price: 'At most 1 decimal' }],
  ['a price beyond the band', { price: '66000.1' }, { price: 'At most 66000: 10% above the market' }],
  ['a size off the grid', { size: '0.000001' }, { size: 'At most 5 decimals' }],
  ['a value below the least', { size: '0.00005' }, { size: 'Order value at least 5 USDC' }],
  ['a value above the most', { size: '70' }, { size: 'Order value at most 4000000 USDC' }],
  ['what only reduces may be small', { size: '0.00005', reduceOnly: 'on' }, {}],
  ['a profit on the losing side', { protection: 'on', takeProfit: '59000' }, { takeProfit: 'Take profit must be above 60000' }],
  ['a stop on the winning side', { protection: 'on', side: 'sell', stopLoss: '59000' }, { stopLoss: 'Stop loss must be above 60000' }],
  // To the market it is measured by the mark, whatever the best price is.
  [
    'at the market by the mark',
    { tab: 'market', protection: 'on', takeProfit: '60000' },
    { takeProfit: 'Take profit must be above 60000' },
  ],
] as const)('by the rules of every form: %s', (_name, part, words) => {
  const { issues, draft } = read(part);
  expect(Object.fromEntries(Object.entries(issues).map(([field, { message, values }]) => [field, say(message, values)]))).toEqual(words);
  expect(draft === undefined).toBe(Object.keys(words).length > 0);
});

test.each([
  ['a sell follows the highest price', { side: 'sell', callback: '1.5' }, ['TRAILING_STOP_MARKET', '0.015', undefined], 591_000, {}],
  ['a buy the lowest', { callback: '0.1' }, ['TRAILING_STOP_MARKET', '0.001', undefined], 600_600, {}],
  ['in steps of a tenth', { callback: '0.15' }, undefined, 0, { callback: 'From 0.1% to 20%, in steps of 0.1%' }],
  ['within 20 %', { callback: '20.1' }, undefined, 0, { callback: 'From 0.1% to 20%, in steps of 0.1%' }],
] as const)('a trailing order: %s', (_name, part, body, trails, words) => {
  const { draft, issues, trails: at } = read({ tab: 'trailing', ...part });
  const plan = draft?.name === 'createPlan' ? draft.body : undefined;
  expect(plan && [plan.entrustType, plan.callbackRate, plan.stopPrice]).toEqual(body);
  expect(at).toBe(trails);
  expect(Object.fromEntries(Object.entries(issues).map(([field, { message, values }]) => [field, say(message, values)]))).toEqual(words);
});

test('a scale is limit orders on the grid, each under an id of its own, or what is wrong with it', () => {
  const form = { side: 'buy', lower: '59000', upper: '60000', size: '0.3', count: 3, distribution: 'flat' } as const;
  const { rungs, issue, value } = readContractScale(form, CONTEXT);
  expect([issue, value]).toEqual([undefined, 17_850_000_000n]);
  const orders = contractScaleOrders('buy', CONTEXT, rungs, ['a', 'b', 'c']);
  expect(orders.map(({ price, origQty, positionSide, clientOrderId }) => [price, origQty, positionSide, clientOrderId])).toEqual([
    ['59000', '0.1', 'BOTH', 'a'],
    ['59500', '0.1', 'BOTH', 'b'],
    ['60000', '0.1', 'BOTH', 'c'],
  ]);
  expect(readContractScale({ ...form, upper: '59000.1' }, CONTEXT).issue?.message).toBe('scale.tooNarrow');
  expect(readContractScale({ ...form, upper: '70000' }, CONTEXT).issue?.message).toBe('trade.issue.bandHigh');
  expect(readContractScale({ ...form, size: '0.00002' }, CONTEXT).issue?.message).toBe('trade.issue.sizeLow');
});

/** The order that is sent when a number is typed in a unit, by the name that stands behind it, with the price at 60,000. */
function sentOf(market: ContractMarket, unitName: string, size: string): readonly unknown[] {
  const unit = market.units.find(({ name }) => name === unitName);
  if (unit === undefined) return ['no such unit'];
  const { draft, issues } = readContract({ ...EMPTY_CONTRACT_FORM, price: '60000', size }, { ...CONTEXT, market, unit });
  return [draft?.body.origQty, draft?.body.unit, Object.values(issues).map(({ message }) => message)];
}

test.each([
  ['Cont', '4', ['4', 'SHEET', []]],
  ['Cont', '100', ['100', 'SHEET', []]],
  ['Cont', '0.5', [undefined, undefined, ['trade.issue.sizeDecimals']]],
  // 0.01 BTC at 60,000.
  ['BTC', '0.01', ['600', 'SHEET', []]],
  ['BTC', '0.00001', [undefined, undefined, ['trade.issue.sizeLow']]],
  ['USD', '1', ['no such unit']],
  ['USDT', '1', ['no such unit']],
  ['Sheet', '1', ['no such unit']],
])('[F5] coin-margined: %s %s is what its name says', (name, size, sent) => {
  expect(sentOf(BTC_COIN_MARGINED, name, size)).toEqual(sent);
});

test.each([
  ['BTC', '0.01', ['0.01', 'COIN', []]],
  // 600.99 is worth 0.0100165 BTC: the largest size that is not worth more.
  ['USDC', '600.99', ['0.01001', 'COIN', []]],
  ['USDT', '600', ['no such unit']],
  ['Cont', '1', ['no such unit']],
])('[F5] margined in USDC: %s %s is what its name says', (name, size, sent) => {
  expect(sentOf(BTC_PERPETUAL, name, size)).toEqual(sent);
});

test('[F5] a coin-margined contract is counted in contracts unless another unit is chosen, and bought by its name', () => {
  const { units, sizeName, tradedName, valueName, wallet } = BTC_COIN_MARGINED;
  expect([units[0].name, sizeName, tradedName, valueName, wallet]).toEqual(['Cont', 'Cont', 'BTC/USD', 'BTC', 'coinFutures']);
});
