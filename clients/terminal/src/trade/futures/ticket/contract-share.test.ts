import { atoms, lots, ticks } from '@orrery/units';
import { expect, test } from 'vitest';
import type { ContractMarket } from '../../../market/contract-market.ts';
import { sizeUnits } from '../../../market/size-units.ts';
import type { SizeUnit } from '../../../market/size-units.ts';
import { mostLots, shareOfSize, sizeOfShare } from './contract-share.ts';
import type { Room } from './contract-share.ts';

/** A tick and a lot are worth one atom; prices have 1 decimal, sizes 3, money 2; a taker pays 0.05 %. */
const MARKET = {
  pricePrecision: 1,
  sizePrecision: 3,
  settleDecimals: 2,
  terms: { takerFeePpm: 500, maxSize: lots(1_000_000) },
  margin: { payoff: 'linear', tickLotAtoms: atoms(1n), tiers: [{ maxNotional: atoms(10n ** 12n), maxLeverage: 20 }] },
} as unknown as ContractMarket;

const room = (part: Partial<Room>): Room => ({
  market: MARKET,
  price: ticks(100),
  mark: ticks(100),
  side: 'buy',
  leverage: 10,
  available: atoms(100_500n),
  closes: lots(0),
  isReducing: false,
  ...part,
});

test.each([
  // 100,500 = n / 10 + 0.0005 n for n = 1,000,000: 10,000 lots at 100.
  ['10× of what is free, its fee counted', {}, 10_000],
  ['at 1× a tenth of it', { leverage: 1 }, 1_004],
  ['what it closes first comes on top', { closes: lots(50) }, 10_050],
  ['an order that only closes takes the position', { closes: lots(50), isReducing: true }, 50],
  ['without money it closes alone', { available: atoms(0n), closes: lots(7) }, 7],
  ['never more than the contract takes', { available: atoms(10n ** 12n) }, 1_000_000],
  // 12,600 = n / 10 + 0.0005 n + n × 10 / 125 for n = 69,806.09…: 558 lots at 125.
  ['what a buy above the mark loses at once is counted', { price: ticks(125), mark: ticks(115), available: atoms(12_600n) }, 558],
  // 8,820 = n / 10 + 0.0005 n + n × 20 / 80 for n = 25,164.05…: 314 lots at 80.
  ['what a sell below the mark loses at once is counted', { price: ticks(80), side: 'sell', available: atoms(8_820n) }, 314],
  ['a buy below the mark loses nothing', { mark: ticks(120) }, 10_000],
  ['without a mark nothing is lost', { mark: ticks(0) }, 10_000],
  ['without a price nothing opens', { price: ticks(0) }, 0],
] as const)('the most: %s', (_name, part, most) => {
  expect(mostLots(room(part))).toBe(most);
});

const [COIN, VALUE] = sizeUnits('linear', { coin: 'BTC', settle: 'USDC', sizePrecision: 3, settleDecimals: 2 }) as [SizeUnit, SizeUnit];

test('a share is in the unit of the field, rounded down', () => {
  expect(sizeOfShare(room({}), COIN, 25)).toBe('2.5');
  expect(sizeOfShare(room({}), VALUE, 25)).toBe('2500');
  expect(sizeOfShare(room({ available: atoms(0n) }), COIN, 100)).toBe('');
  expect([
    shareOfSize(room({}), lots(2_500)),
    shareOfSize(room({}), lots(20_000)),
    shareOfSize(room({ available: atoms(0n) }), lots(5)),
  ]).toEqual([25, 100, 0]);
});
