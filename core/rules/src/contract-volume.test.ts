import { expect, test } from 'vitest';
import { atoms, lots } from '@orrery/units';
import { contractVolume } from './contract-volume.ts';

test('a trade counts its notional in a linear contract and its dollars in an inverse one', () => {
  const trade = { notional: atoms(31_415_926n), size: lots(250) };
  expect(contractVolume(trade, { payoff: 'linear', sizePrecision: 5 }, 6)).toBe(31_415_926n);
  // 250 lots of one dollar, and of a hundredth.
  expect(contractVolume(trade, { payoff: 'inverse', sizePrecision: 0 }, 6)).toBe(250_000_000n);
  expect(contractVolume(trade, { payoff: 'inverse', sizePrecision: 2 }, 6)).toBe(2_500_000n);
  expect(() => contractVolume(trade, { payoff: 'inverse', sizePrecision: 7 }, 6)).toThrow('whole number');
});
