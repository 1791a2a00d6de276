/** A refusal of a number beyond another one has both, in the units of their market or asset. Amounts are by hand. */
import { describe, expect, test } from 'vitest';
import { assetId, atoms, lots, marketId, ticks } from '@orrery/units';
import { decodeEvent, encodeEvent, type Command, type Event, type RejectFigures } from '@orrery/protocol';
import { contractOrder, FuturesTable, LINEAR } from '../testing/futures-table.ts';
import { accountOf } from '../testing/tape-people.ts';

const alice = accountOf('alice');
const USDC = assetId(1);

function figuresOf([first]: readonly Event[]): RejectFigures | undefined {
  if (first?.type !== 'CommandRejected') return undefined;
  // As they are written and read again.
  expect(decodeEvent(encodeEvent(first))).toEqual(first);
  return first.figures;
}

const leverage = (value: number): Command => ({
  type: 'SetLeverage',
  account: alice,
  market: LINEAR.market,
  positionSide: 'both',
  leverage: value,
});
const transfer = (from: 'spot' | 'futures', amount: bigint): Command => ({
  type: 'Transfer',
  account: alice,
  transferId: `t${amount}`,
  asset: USDC,
  amount: atoms(amount),
  from,
  to: from === 'spot' ? 'futures' : 'spot',
});

describe('a contract', () => {
  test('the margin that is short is what would have to be added', () => {
    const table = new FuturesTable();
    table.marks(498);
    // At leverage 10: 1,000 lots at 499 are 499,000: margin 49,900, fee 249.5, up to 250, and 1,000 lost against the mark.
    const order = contractOrder('alice', 'buy', 1_000, 499);
    expect(figuresOf(table.give(order))).toEqual({ unit: 'atoms', id: USDC, asked: 51_150n, limit: 50_000n });
    table.give({ ...transfer('spot', 1_149n), transferId: 'more' } as Command);
    expect(figuresOf(table.give(order))).toMatchObject({ asked: 51_150n, limit: 51_149n });
    table.give({ ...transfer('spot', 1n), transferId: 'last' } as Command);
    expect(table.give(order)[0]).toMatchObject({ type: 'OrderAccepted' });
  });

  test('an isolated one needs free money', () => {
    const table = new FuturesTable();
    table.marks(498);
    table.give({ type: 'SetMarginMode', account: alice, market: LINEAR.market, mode: 'isolated' });
    const figures = figuresOf(table.give(contractOrder('alice', 'buy', 1_000, 499)));
    expect(figures).toMatchObject({ unit: 'atoms', id: USDC, limit: 50_000n });
    expect(figures!.asked).toBeGreaterThan(50_000n);
  });

  test('its size, its leverage and its open interest have limits', () => {
    const table = new FuturesTable();
    table.marks(101);
    const { market } = LINEAR;
    // Leverage 10 allows 1,000,000.
    expect(figuresOf(table.give(contractOrder('alice', 'buy', 10_000, 101)))).toEqual({
      unit: 'value',
      id: market,
      asked: 1_010_000n,
      limit: 1_000_000n,
    });
    expect(figuresOf(table.give(leverage(21)))).toEqual({ unit: 'count', id: 0, asked: 21n, limit: 20n });
    expect(figuresOf(table.give(contractOrder('alice', 'buy', 10_001, 101)))).toEqual({
      unit: 'lots',
      id: market,
      asked: 10_001n,
      limit: 10_000n,
    });
    expect(figuresOf(table.give(contractOrder('alice', 'buy', 4, 10)))).toEqual({ unit: 'value', id: market, asked: 40n, limit: 50n });
    expect(figuresOf(table.give(contractOrder('alice', 'buy', 10, 9)))).toEqual({ unit: 'ticks', id: market, asked: 9n, limit: 10n });
    const cheap = new FuturesTable();
    cheap.marks(10);
    cheap.give(contractOrder('bob', 'sell', 6_000, 10));
    expect(figuresOf(cheap.give(contractOrder('alice', 'buy', 5_001, 10)))).toEqual({
      unit: 'lots',
      id: market,
      asked: 5_001n,
      limit: 5_000n,
    });
  });

  test('what leaves its wallet is beyond margin and loss', () => {
    const table = new FuturesTable();
    table.marks(1_000);
    table.give(contractOrder('bob', 'sell', 100, 1_000));
    table.give(contractOrder('alice', 'buy', 100, 1_000));
    // 100,000 of notional: a fifth is 20,000. 50,000 less 50 of fee less 20,000.
    expect(figuresOf(table.give(transfer('futures', 29_951n)))).toEqual({ unit: 'atoms', id: USDC, asked: 29_951n, limit: 29_950n });
  });

  test('what only reduces has what is left to close', () => {
    const table = new FuturesTable({ rules: 7 });
    table.marks(50);
    table.give(contractOrder('bob', 'sell', 10, 50));
    table.give(contractOrder('alice', 'buy', 10, 50));
    const sell = (size: number): Command => contractOrder('alice', 'sell', size, 100, { reduceOnly: true });
    table.give(sell(6));
    expect(figuresOf(table.give(sell(5)))).toEqual({ unit: 'lots', id: LINEAR.market, asked: 5n, limit: 4n });
  });
});

describe('a spot market', () => {
  const order = (fields: object): Command =>
    ({
      type: 'PlaceOrder',
      account: alice,
      market: marketId(1),
      clientOrderId: '',
      side: 'buy',
      orderType: 'limit',
      timeInForce: 'GTC',
      price: ticks(100),
      size: lots(5),
      funds: atoms(0n),
      triggerPrice: ticks(0),
      slippagePpm: 0,
      selfTradePrevention: 'expireTaker',
      ...fields,
    }) as Command;

  test('one of several that are placed together has them too', () => {
    const table = new FuturesTable();
    const together = {
      type: 'PlaceOrders',
      account: alice,
      orders: [order({ timeInForce: 'GTX' }), order({ size: lots(501) })],
    } as Command;
    const refused = table.give(together);
    expect(refused[0]).toMatchObject({ reason: 'InvalidSize', field: '1.size' });
    expect(figuresOf(refused)).toEqual({ unit: 'lots', id: marketId(1), asked: 501n, limit: 500n });
  });

  test('money that is short, of either coin', () => {
    const table = new FuturesTable();
    // 100,000 less the 50,000 of margin, and less the 30,000 of an order; all 1,000 BTC are in the wallet of coins.
    const buy = order({ price: ticks(100), size: lots(300) });
    table.give(buy);
    expect(figuresOf(table.give(buy))).toEqual({ unit: 'atoms', id: USDC, asked: 30_000n, limit: 20_000n });
    expect(figuresOf(table.give(order({ side: 'sell', size: lots(3) })))).toMatchObject({ unit: 'atoms', id: assetId(2), limit: 0n });
    expect(figuresOf(table.give(transfer('spot', 50_001n)))).toEqual({ unit: 'atoms', id: USDC, asked: 50_001n, limit: 20_000n });
  });

  test('a price beyond the band has its bound', () => {
    const table = new FuturesTable();
    table.give({ type: 'SetIndexPrice', market: marketId(1), price: ticks(100) });
    const figures = figuresOf(table.give(order({ price: ticks(900), size: lots(1) })));
    expect(figures).toMatchObject({ unit: 'ticks', id: marketId(1), asked: 900n });
    expect(table.give(order({ price: ticks(Number(figures!.limit)), size: lots(1) }))[0]).toMatchObject({ type: 'OrderAccepted' });
  });
});
