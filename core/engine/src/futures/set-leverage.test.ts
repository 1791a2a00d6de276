import { describe, expect, test } from 'vitest';
import { marketId, type MarketId } from '@orrery/units';
import { contractOrder, FuturesTable, LINEAR } from '../testing/futures-table.ts';
import { accountOf } from '../testing/tape-people.ts';

const ETH = { ...LINEAR, market: marketId(13), symbol: 'ETH_USDC', baseCode: 'ETH' };
const alice = accountOf('alice');

/** alice has 50,000 USDC, both contracts stand at 100. */
function opened(mode: 'cross' | 'isolated' = 'cross'): FuturesTable {
  const table = new FuturesTable();
  table.give({ type: 'RegisterContract', ...ETH });
  table.marks(100);
  table.marks(100, ETH);
  if (mode === 'isolated') table.give({ type: 'SetMarginMode', account: alice, market: LINEAR.market, mode });
  return table;
}

const leverage = (table: FuturesTable, market: MarketId, to: number): string => {
  const [event] = table.emitted({ type: 'SetLeverage', account: alice, market, positionSide: 'both', leverage: to });
  return event?.type === 'CommandRejected' ? `${event.reason} ${event.field}` : (event?.type ?? 'nothing');
};

/** alice is long some lots at 100, bob short. */
function hold(table: FuturesTable, size: number, contract = LINEAR): void {
  table.give(contractOrder('bob', 'sell', size, 100, { contract }));
  table.give(contractOrder('alice', 'buy', size, 100, { contract }));
}

describe('a change of leverage is refused only for what it changes itself', () => {
  // Of 400,000 a tenth is 40,000; a fifth is 80,000, more than she has.
  const stretched = (): FuturesTable => {
    const table = opened();
    hold(table, 4_000);
    return table;
  };
  test.each<[string, () => FuturesTable, MarketId, number, string]>([
    ['lower, in a contract where nothing is held', stretched, ETH.market, 1, 'LeverageSet'],
    ['higher, in a contract where nothing is held', stretched, ETH.market, 20, 'LeverageSet'],
    ['lower, as far as there is margin: 400,000 / 9 is 44,445', stretched, LINEAR.market, 9, 'LeverageSet'],
    [
      'lower, and more than there is: 400,000 / 8 is 50,000, and she paid a fee of 200',
      stretched,
      LINEAR.market,
      8,
      'InsufficientMargin leverage',
    ],
    ['P4: higher, what it frees is not secure: she has less than a fifth', stretched, LINEAR.market, 11, 'PositionTooLarge leverage'],
  ])('%s', (_what, table, market, to, answer) => {
    expect(leverage(table(), market, to)).toBe(answer);
  });

  test('P4: higher is refused while less than a fifth of the notional stays, and set when it does', () => {
    const table = opened();
    // 900 lots: 90,000 allow 20. With 2,700 more in the other contract the notional is 360,000: a fifth is 72,000.
    hold(table, 900);
    hold(table, 2_700, ETH);
    expect(leverage(table, LINEAR.market, 20)).toBe('InsufficientMargin leverage');
    const smaller = opened();
    hold(smaller, 900);
    expect(leverage(smaller, LINEAR.market, 20)).toBe('LeverageSet');
  });

  test('a lower leverage counts profits, as an order does', () => {
    const table = opened();
    hold(table, 4_000);
    // By 1 a lot she has gained 4,000: 404,000 / 8 is 50,500 of 53,800.
    table.marks(101);
    expect(leverage(table, LINEAR.market, 8)).toBe('LeverageSet');
  });

  test('orders count: a lower leverage that they lack margin for is refused', () => {
    const table = opened();
    // 4,000 at 100 need 40,000 and a fee of 200.
    table.give(contractOrder('alice', 'buy', 4_000, 100));
    expect(leverage(table, LINEAR.market, 8)).toBe('InsufficientMargin leverage');
    expect(leverage(table, LINEAR.market, 9)).toBe('LeverageSet');
  });

  test('of an isolated contract: lower takes what is missing from the wallet, higher takes and refuses nothing', () => {
    const table = opened('isolated');
    hold(table, 900);
    // 90,000 / 10 = 9,000; at 5 it is 18,000; at 1 it is 90,000.
    expect(table.position('alice')).toMatchObject({ margin: 9_000n });
    expect(leverage(table, LINEAR.market, 5)).toBe('LeverageSet');
    expect(table.position('alice')).toMatchObject({ margin: 18_000n });
    expect(leverage(table, LINEAR.market, 1)).toBe('InsufficientMargin leverage');
    expect(leverage(table, LINEAR.market, 20)).toBe('LeverageSet');
    expect(table.position('alice')).toMatchObject({ margin: 18_000n });
    table.replay();
  });
});
