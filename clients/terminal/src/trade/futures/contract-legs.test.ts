import { expect, test } from 'vitest';
import type { Position, PositionTerms } from '@orrery/api';
import { legsOf } from './contract-legs.ts';
import type { Legs } from './contract-legs.ts';

const MARKET = { wire: 'BTC_USDC', info: { underlyingType: 'U_BASED', settleCoin: 'USDC' } } as Parameters<typeof legsOf>[0];
const terms = (positionSide: PositionTerms['positionSide'], leverage: number, symbol = 'BTC_USDC'): PositionTerms => ({
  symbol,
  positionSide,
  positionType: 'CROSSED',
  leverage,
  autoMargin: false,
});
const TERMS = [terms('BOTH', 10), terms('LONG', 20), terms('SHORT', 5), terms('BOTH', 3, 'ETH_USDC')];
const LONG = { ...terms('LONG', 20), positionSize: '0.5' } as Position;

test.each<[string, Legs, readonly string[]]>([
  ['one way has one leg', { terms: TERMS, positions: [], mode: 'ONE_WAY' }, ['BOTH 0 at 10']],
  ['hedge has two, and not that of the mode before', { terms: TERMS, positions: [], mode: 'HEDGE' }, ['LONG 0 at 20', 'SHORT 0 at 5']],
  ['an open position is its leg', { terms: TERMS, positions: [LONG], mode: 'HEDGE' }, ['LONG 0.5 at 20', 'SHORT 0 at 5']],
  ['of unknown terms there is none', { terms: [], positions: [], mode: 'ONE_WAY' }, []],
])('%s', (_name, known, legs) => {
  expect(legsOf(MARKET, known).map(({ positionSide, positionSize, leverage }) => `${positionSide} ${positionSize} at ${leverage}`)).toEqual(
    legs,
  );
});
