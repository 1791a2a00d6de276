import { describe, expect, test } from 'vitest';
import { REJECT_REASONS, type Command, type PlaceOrder, type RejectReason } from '@orrery/protocol';
import { accountId, atoms, lots, marketId, NO_ATOMS, orderId, ppm, ticks } from '@orrery/units';
import { Table } from '../testing/tape.ts';
import { accountOf, assetOf } from '../testing/tape-people.ts';

const MARKET = marketId(1);
const alice = accountOf('alice');
const bob = accountOf('bob');

const sound: PlaceOrder = {
  type: 'PlaceOrder',
  account: alice,
  market: MARKET,
  clientOrderId: '',
  side: 'buy',
  orderType: 'limit',
  timeInForce: 'GTC',
  price: ticks(105),
  size: lots(5),
  funds: NO_ATOMS,
  triggerPrice: ticks(0),
  slippagePpm: ppm(0),
  selfTradePrevention: 'expireTaker',
};

/** One order with everything wrong, mended step by step: each time the next reason in the order of the protocol speaks. */
interface Step {
  readonly reason: RejectReason;
  readonly mend: () => void;
}

function climb(
  table: Table,
  first: PlaceOrder,
  steps: (change: (fields: Partial<PlaceOrder>) => void) => readonly Step[],
): readonly RejectReason[] {
  let order = first;
  const met: RejectReason[] = [];
  for (const { reason, mend } of steps((fields) => (order = { ...order, ...fields }))) {
    expect(table.give(order)).toEqual([expect.objectContaining({ type: 'CommandRejected', reason })]);
    met.push(reason);
    mend();
  }
  expect(table.give(order)[0]?.type).toBe('OrderAccepted');
  return met;
}

const inProtocolOrder = (reasons: readonly RejectReason[]): readonly RejectReason[] =>
  [...reasons].sort((left, right) => REJECT_REASONS.indexOf(left) - REJECT_REASONS.indexOf(right));

const flag = (name: 'termsAccepted' | 'whitelisted' | 'connected' | 'blocked', value: boolean): Command => ({
  type: 'SetAccountFlag',
  account: alice,
  flag: name,
  value,
});
const state = (to: 'TRADING' | 'HALT' | 'CANCEL_ONLY'): Command => ({ type: 'SetMarketState', market: MARKET, state: to });

describe('the first reason that applies is the one that is given', () => {
  test('to a limit order with everything wrong', () => {
    const table = new Table({ terms: { maxOpenOrders: 1 } });
    for (const command of [
      { type: 'SetIndexPrice', market: MARKET, price: ticks(100) } as const,
      state('HALT'),
      flag('blocked', true),
      flag('termsAccepted', false),
      flag('whitelisted', false),
      flag('connected', false),
    ])
      table.give(command);
    const wrong: PlaceOrder = {
      ...sound,
      account: accountId(99),
      clientOrderId: 'not a name',
      price: ticks(1),
      size: lots(0),
      timeInForce: 'FOK',
      triggerPrice: ticks(5),
    };
    const met = climb(table, wrong, (change) => [
      { reason: 'InvalidField', mend: () => change({ clientOrderId: 'taken' }) },
      { reason: 'InvalidPrice', mend: () => change({ price: ticks(111) }) },
      { reason: 'InvalidSize', mend: () => change({ size: lots(500) }) },
      { reason: 'InvalidNotional', mend: () => change({ size: lots(360) }) },
      { reason: 'InvalidCombination', mend: () => change({ triggerPrice: ticks(0) }) },
      { reason: 'UnknownAccount', mend: () => change({ account: alice }) },
      { reason: 'AccountBlocked', mend: () => table.give(flag('blocked', false)) },
      { reason: 'TermsNotAccepted', mend: () => table.give(flag('termsAccepted', true)) },
      { reason: 'NotWhitelisted', mend: () => table.give(flag('whitelisted', true)) },
      {
        reason: 'ConnectionMissing',
        mend: () => {
          for (const command of [
            flag('connected', true),
            state('TRADING'),
            { ...sound, clientOrderId: 'taken', price: ticks(100), size: lots(400) },
            state('HALT'),
          ])
            table.give(command);
        },
      },
      { reason: 'MarketHalted', mend: () => table.give(state('CANCEL_ONLY')) },
      { reason: 'MarketCancelOnly', mend: () => table.give(state('TRADING')) },
      { reason: 'DuplicateClientOrderId', mend: () => change({ clientOrderId: '' }) },
      { reason: 'FillOrKillUnfilled', mend: () => change({ timeInForce: 'GTC' }) },
      { reason: 'PriceOutOfBand', mend: () => change({ price: ticks(110) }) },
      {
        reason: 'TooManyOpenOrders',
        mend: () => {
          table.give({ type: 'CancelAllOrders', account: alice, market: 0 });
          table.give({
            type: 'Transfer',
            account: alice,
            transferId: 'away',
            asset: assetOf('USDC'),
            amount: atoms(99_000n),
            from: 'spot',
            to: 'funding',
          });
        },
      },
      { reason: 'InsufficientBalance', mend: () => change({ size: lots(9) }) },
    ]);
    expect(met).toEqual(inProtocolOrder(met));
  });

  test('to a market order', () => {
    const table = new Table();
    const wrong: PlaceOrder = {
      ...sound,
      orderType: 'market',
      price: ticks(0),
      slippagePpm: ppm(1_000_001),
      size: lots(501),
      funds: atoms(9n),
    };
    table.give({ type: 'SetIndexPrice', market: MARKET, price: ticks(100) });
    table.give({
      type: 'Transfer',
      account: alice,
      transferId: 'away',
      asset: assetOf('USDC'),
      amount: atoms(99_000n),
      from: 'spot',
      to: 'funding',
    });
    const met = climb(table, wrong, (change) => [
      { reason: 'InvalidField', mend: () => change({ slippagePpm: ppm(0) }) },
      { reason: 'InvalidSize', mend: () => change({ size: lots(500) }) },
      { reason: 'InvalidNotional', mend: () => change({ size: lots(300) }) },
      { reason: 'InvalidCombination', mend: () => change({ timeInForce: 'FOK', funds: NO_ATOMS }) },
      { reason: 'FillOrKillUnfilled', mend: () => change({ timeInForce: 'IOC' }) },
      { reason: 'NoLiquidity', mend: () => table.give({ ...sound, account: bob, side: 'sell', price: ticks(106), size: lots(300) }) },
      { reason: 'PriceOutOfBand', mend: () => table.give({ type: 'SetIndexPrice', market: MARKET, price: ticks(104) }) },
      { reason: 'InsufficientBalance', mend: () => change({ size: lots(9) }) },
    ]);
    expect(met).toHaveLength(8);
  });

  test('to a post-only order: that it would take, before that its price is out of the band', () => {
    const table = new Table();
    table.give({ type: 'SetIndexPrice', market: MARKET, price: ticks(100) });
    table.give({ ...sound, account: bob, side: 'sell', price: ticks(108) });
    climb(table, { ...sound, timeInForce: 'GTX', price: ticks(111), size: lots(360) }, (change) => [
      { reason: 'PostOnlyWouldTake', mend: () => table.give({ type: 'CancelAllOrders', account: bob, market: 0 }) },
      { reason: 'PriceOutOfBand', mend: () => change({ price: ticks(110) }) },
    ]);
  });

  test('to a stop order', () => {
    const table = new Table();
    table.give({ ...sound, account: bob, side: 'sell', price: ticks(100), size: lots(1) });
    table.give({ ...sound, price: ticks(100), size: lots(1) });
    climb(
      table,
      { ...sound, orderType: 'stopMarket', price: ticks(0), triggerPrice: ticks(100), size: lots(0), timeInForce: 'GTC' },
      (change) => [
        { reason: 'InvalidSize', mend: () => change({ size: lots(500) }) },
        { reason: 'InvalidNotional', mend: () => change({ size: lots(390) }) },
        { reason: 'InvalidTrigger', mend: () => change({ triggerPrice: ticks(101) }) },
        { reason: 'InvalidCombination', mend: () => change({ timeInForce: 'IOC' }) },
      ],
    );
  });

  test('to an order for a market that does not exist: only what is wrong in any market comes before', () => {
    const table = new Table();
    climb(table, { ...sound, market: marketId(7), price: ticks(1), triggerPrice: ticks(5) }, (change) => [
      { reason: 'InvalidCombination', mend: () => change({ triggerPrice: ticks(0) }) },
      { reason: 'UnknownMarket', mend: () => change({ market: MARKET }) },
      { reason: 'InvalidPrice', mend: () => change({ price: ticks(100) }) },
    ]);
  });
});

describe('an order is named by one id', () => {
  test.each([
    ['neither', 0, '', 'InvalidField', 'orderId'],
    ['both', orderId(1), 'a', 'InvalidCombination', 'clientOrderId'],
    ['no name', 0, 'not a name', 'InvalidField', 'clientOrderId'],
    ['an unknown one', orderId(1), '', 'UnknownOrder', 'orderId'],
  ] as const)('given %s it is refused', (_what, id, clientOrderId, reason, field) => {
    const command: Command = { type: 'CancelOrder', account: alice, orderId: id, clientOrderId };
    expect(new Table().give(command)).toEqual([{ type: 'CommandRejected', reason, field }]);
  });
});
