import { expect, test } from 'vitest';
import { MarketMakerPart } from './liquidity.ts';

test('the market-maker is not ready before its first quotes stand, nor after it has ended', () => {
  const part = new MarketMakerPart();
  expect(part.unready()).toMatch(/first quotes/);
  part.quoted();
  expect(part.unready()).toBeUndefined();
  part.ended();
  expect(part.unready()).toMatch(/has ended/);
});
