/** What is checked when an order is placed is checked at each of its changes: a table of what speaks against terms, by both ways to have them. */
import { describe, expect, test } from 'vitest';
import { assetId, atoms, lots, orderId, ticks } from '@orrery/units';
import type { Command } from '@orrery/protocol';
import { Table } from '../testing/tape.ts';
import { accountOf } from '../testing/tape-people.ts';
import { CONTRACT, contractOrder, TriggerTable, type Words } from '../testing/trigger-table.ts';

/** What a line of a tape is answered. */
const answerOf = (table: Table, line: string): string => table.line(`${line} ->`).split('-> ')[1] ?? '';

interface SpotCase {
  readonly against: string;
  readonly before?: readonly string[];
  /** Of a buy. */
  readonly terms: string;
  /** The order that is to have them; `5 @ 95` unless it is given. */
  readonly from?: string;
  readonly answer: string;
}

const SPOT: readonly SpotCase[] = [
  { against: 'the least price', terms: '5 @ 9', answer: 'rejected InvalidPrice price' },
  { against: 'the highest price', terms: '5 @ 1001', answer: 'rejected InvalidPrice price' },
  { against: 'the largest size', terms: '501 @ 95', answer: 'rejected InvalidSize size' },
  { against: 'the least value', terms: '1 @ 49', answer: 'rejected InvalidNotional size' },
  { against: 'the largest value', terms: '450 @ 95', answer: 'rejected InvalidNotional size' },
  { against: 'the band', before: ['carol cancel #1'], terms: '5 @ 112', answer: 'rejected PriceOutOfBand price' },
  { against: 'taking, of a post-only order', from: '5 @ 95 gtx', terms: '5 @ 105 gtx', answer: 'rejected PostOnlyWouldTake timeInForce' },
  { against: 'the money', before: ['alice transfer 99000 USDC spot>funding t'], terms: '50 @ 90', answer: 'rejected InsufficientBalance' },
  {
    against: 'the name',
    before: ['alice buy 5 @ 94 id used'],
    terms: '6 @ 95 id used',
    answer: 'rejected DuplicateClientOrderId clientOrderId',
  },
  {
    against: 'terms that are not accepted',
    before: ['exchange set alice termsAccepted off'],
    terms: '6 @ 95',
    answer: 'rejected TermsNotAccepted account',
  },
  { against: 'the whitelist', before: ['exchange set alice whitelisted off'], terms: '6 @ 95', answer: 'rejected NotWhitelisted account' },
  {
    against: 'the connection',
    before: ['exchange set alice connected off'],
    terms: '6 @ 95',
    answer: 'rejected ConnectionMissing account',
  },
  { against: 'a halt', before: ['exchange halt'], terms: '6 @ 95', answer: 'rejected MarketHalted market' },
  {
    against: 'a market that takes cancels only',
    before: ['exchange cancel-only'],
    terms: '6 @ 95',
    answer: 'rejected MarketCancelOnly market',
  },
];

describe('spot', () => {
  test.each(SPOT)('$against', ({ before = [], terms, from = '5 @ 95', answer }) => {
    const table = new Table();
    // The last price is 100, and somebody sells at 105.
    for (const line of ['carol sell 8 @ 105', 'carol buy 1 @ 100', 'bob sell 1 @ 100', `alice buy ${from}`])
      expect(answerOf(table, line)).toContain('accepted');
    for (const line of before) answerOf(table, line);
    expect(answerOf(table, `alice buy ${terms}`)).toBe(answer);
    expect(answerOf(table, `alice amend #4 ${terms}`)).toBe(answer);
  });
});

interface ContractCase {
  readonly against: string;
  readonly before?: (table: TriggerTable) => void;
  readonly size: number;
  readonly words: Words;
  /** How it changes, and from what. */
  readonly from?: Words & { readonly size?: number };
  readonly answer: string;
}

const degraded = (table: TriggerTable): void => void (table.at += 60_000);
const operator = (command: Command) => (table: TriggerTable) => void table.give(command);
const flagOff = (flag: 'termsAccepted' | 'whitelisted' | 'connected') =>
  operator({ type: 'SetAccountFlag', account: accountOf('alice'), flag, value: false });
const moneyOut = operator({
  type: 'Transfer',
  account: accountOf('alice'),
  transferId: 'out',
  asset: assetId(1),
  amount: atoms(999_900n),
  from: 'futures',
  to: 'spot',
});
const state = (to: 'HALT' | 'CANCEL_ONLY') => operator({ type: 'SetMarketState', market: CONTRACT.market, state: to });

/** Of buys; bob sells 8 at 105, and the last price is 100. */
const CONTRACTS: readonly ContractCase[] = [
  { against: 'the least price', size: 5, words: { at: 9 }, answer: 'rejected InvalidPrice price' },
  { against: 'the largest size', size: 501, words: { at: 95 }, answer: 'rejected InvalidSize size' },
  { against: 'the least value', size: 1, words: { at: 40 }, answer: 'rejected InvalidNotional size' },
  { against: 'the band', size: 5, words: { at: 195 }, answer: 'rejected PriceOutOfBand price' },
  {
    against: 'a stop-loss above it',
    from: { at: 95, stopLoss: 90 },
    size: 5,
    words: { at: 85, stopLoss: 90 },
    answer: 'rejected InvalidTrigger stopLoss',
  },
  {
    against: 'a take-profit below it',
    from: { at: 90, takeProfit: 95 },
    size: 5,
    words: { at: 99, takeProfit: 95 },
    answer: 'rejected InvalidTrigger takeProfit',
  },
  { against: 'the margin', before: moneyOut, size: 50, words: { at: 99 }, answer: 'rejected InsufficientMargin' },
  { against: 'prices that cannot be relied on', before: degraded, size: 6, words: { at: 95 }, answer: 'rejected PricesDegraded market' },
  {
    against: 'terms that are not accepted',
    before: flagOff('termsAccepted'),
    size: 6,
    words: { at: 95 },
    answer: 'rejected TermsNotAccepted account',
  },
  { against: 'the whitelist', before: flagOff('whitelisted'), size: 6, words: { at: 95 }, answer: 'rejected NotWhitelisted account' },
  { against: 'the connection', before: flagOff('connected'), size: 6, words: { at: 95 }, answer: 'rejected ConnectionMissing account' },
  { against: 'a halt', before: state('HALT'), size: 6, words: { at: 95 }, answer: 'rejected MarketHalted market' },
  {
    against: 'a market that takes cancels only',
    before: state('CANCEL_ONLY'),
    size: 6,
    words: { at: 95 },
    answer: 'rejected MarketCancelOnly market',
  },
];

/** Of plan orders that buy when the price has reached 110 or, with a limit, 90; the last price is 100. */
const PLANS: readonly ContractCase[] = [
  { against: 'the least price', from: { at: 90, stop: 90 }, size: 5, words: { at: 9, stop: 90 }, answer: 'rejected InvalidPrice price' },
  { against: 'the largest size', size: 501, words: { stop: 110 }, answer: 'rejected InvalidSize size' },
  { against: 'the least value', from: { at: 60, stop: 90 }, size: 1, words: { at: 40, stop: 90 }, answer: 'rejected InvalidNotional size' },
  { against: 'a trigger that is reached', size: 5, words: { stop: 100 }, answer: 'rejected InvalidTrigger triggerPrice' },
  {
    against: 'a stop-loss above its limit',
    from: { at: 90, stop: 90, stopLoss: 85 },
    size: 5,
    words: { at: 80, stop: 90, stopLoss: 85 },
    answer: 'rejected InvalidTrigger stopLoss',
  },
  { against: 'prices that cannot be relied on', before: degraded, size: 6, words: { stop: 110 }, answer: 'rejected PricesDegraded market' },
  {
    against: 'terms that are not accepted',
    before: flagOff('termsAccepted'),
    size: 6,
    words: { stop: 110 },
    answer: 'rejected TermsNotAccepted account',
  },
  { against: 'a halt', before: state('HALT'), size: 6, words: { stop: 110 }, answer: 'rejected MarketHalted market' },
];

function scene(): TriggerTable {
  const table = new TriggerTable();
  table.place('bob', 'sell', 3, { at: 100 });
  table.place('carol', 'buy', 3, { at: 100 });
  // Carol is long 3 for the case that reduces.
  table.place('bob', 'sell', 8, { at: 105 });
  return table;
}

describe('a contract', () => {
  test.each(CONTRACTS)('$against', ({ before, size, words, from = { at: 95 }, answer }) => {
    const table = scene();
    const { size: fromSize = 5, ...fromWords } = from;
    expect(table.place('alice', 'buy', fromSize, fromWords)).toBe(`accepted #4, rested ${fromSize}`);
    before?.(table);
    const give = (command: Command): string => (before === degraded ? table.alone(command) : table.emit(command));
    expect(give(contractOrder('alice', 'buy', size, words))).toBe(answer);
    expect(
      give({
        type: 'AmendOrder',
        account: accountOf('alice'),
        orderId: orderId(4),
        clientOrderId: '',
        price: ticks(words.at ?? 0),
        size: lots(size),
      }),
    ).toBe(answer);
  });

  test.each(PLANS)('$against, of a plan order', ({ before, size, words, from = { stop: 110 }, answer }) => {
    const table = scene();
    expect(table.place('alice', 'buy', 5, { source: 'plan', ...from })).toBe('accepted #4, armed');
    before?.(table);
    const give = (command: Command): string => (before === degraded ? table.alone(command) : table.emit(command));
    expect(give(contractOrder('alice', 'buy', size, { source: 'plan', ...words }))).toBe(answer);
    const change = { triggerPrice: ticks(words.stop ?? 0), price: ticks(words.at ?? 0), size: lots(size) };
    expect(give({ type: 'AmendTrigger', account: accountOf('alice'), orderId: orderId(4), ...change })).toBe(answer);
  });

  test('what only reduces is cut to what there is to reduce, whichever way it gets its size', () => {
    const table = scene();
    const carol = { account: accountOf('carol') };
    expect(table.place('carol', 'sell', 9, { at: 110, reduceOnly: true, id: 'once' })).toBe('accepted #4, rested 3');
    expect(table.place('carol', 'sell', 9, { at: 110, reduceOnly: true, id: 'once' })).toBe('repeated #4');
    // Nothing is left to reduce for another one that rests.
    expect(table.place('carol', 'sell', 1, { at: 111, reduceOnly: true })).toBe('rejected ReduceOnlyRefused size');
    const amended = (size: number) =>
      ({ type: 'AmendOrder', ...carol, orderId: orderId(4), clientOrderId: '', price: ticks(0), size: lots(size) }) as const;
    expect(table.emit(amended(2))).toBe('#4 amended to 2 @ 110 in its place');
    expect(table.emit(amended(9))).toBe('#4 amended to 3 @ 110, #4 rested 3');
    // A stop stands by itself, and so does what takes at once.
    expect(table.place('carol', 'sell', 9, { stop: 90, reduceOnly: true, source: 'stopLoss' })).toBe('accepted #5, armed');
    const stop = { type: 'AmendTrigger', ...carol, orderId: orderId(5), triggerPrice: ticks(0), price: ticks(0) } as const;
    expect(table.emit({ ...stop, size: lots(2) })).toBe('#5 amended to 2 @ market stop 90');
    expect(table.emit({ ...stop, size: lots(9) })).toBe('#5 amended to 3 @ market stop 90');
    table.place('alice', 'buy', 20, { at: 99 });
    table.restart();
    expect(table.place('carol', 'sell', 9, { reduceOnly: true })).toContain('accepted #7, trade 3 @ 99 with #6');
    expect(table.position('carol')).toBe(0);
    expect(table.place('carol', 'sell', 9, { reduceOnly: true })).toBe('rejected ReduceOnlyRefused reduceOnly');
  });

  test('a plan order stays on its side of the present price', () => {
    const table = scene();
    expect(table.place('alice', 'buy', 5, { source: 'plan', stop: 110 })).toBe('accepted #4, armed');
    const change = { price: ticks(0), size: lots(0) };
    expect(table.emit({ type: 'AmendTrigger', account: accountOf('alice'), orderId: orderId(4), triggerPrice: ticks(90), ...change })).toBe(
      'rejected InvalidTrigger triggerPrice',
    );
    expect(
      table.emit({ type: 'AmendTrigger', account: accountOf('alice'), orderId: orderId(4), triggerPrice: ticks(108), ...change }),
    ).toBe('#4 amended to 5 @ market stop 108');
  });
});
