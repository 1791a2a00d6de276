/** Each kind of field at random, over its whole range. */
import * as fc from 'fast-check';
import { accountId, assetId, atoms, lots, marketId, orderId, parseAddress, ppm, ticks } from '@orrery/units';
import { ACCOUNT_FLAGS, BUDGETS, CLAIM_OUTCOMES, WALLETS } from '../../commands.ts';
import { MARKET_STATES } from '../../market.ts';
import { ORDER_TYPES, SELF_TRADE_PREVENTIONS, SIDES, TIMES_IN_FORCE } from '../../order.ts';

/** Of each field; what a record may leave out may be left out here. */
export type Arbitraries<Value> = { readonly [Key in keyof Value as Exclude<Key, 'type'>]: fc.Arbitrary<Value[Key]> };

export const whole = fc.oneof(
  fc.integer({ min: 0, max: 300 }),
  fc.maxSafeNat(),
  fc.constantFrom(0, 127, 128, 16_383, 16_384, 2 ** 31 - 1, 2 ** 31, 2 ** 32, Number.MAX_SAFE_INTEGER),
);
export const positive = whole.filter((value) => value > 0);
export const text = fc.string({ unit: 'binary-ascii', maxLength: 90 });
export const amount = fc
  .oneof(
    fc.bigInt(),
    fc.bigInt({ min: -300n, max: 300n }),
    fc.bigInt({ min: -(2n ** 120n), max: 2n ** 120n }),
    fc.constantFrom(0n, 255n, 256n, 2n ** 48n - 1n, 2n ** 48n, 2n ** 53n - 1n, 2n ** 53n, 2n ** 64n, 10n ** 28n, -(2n ** 53n), 2n ** 1000n),
  )
  .map(atoms);
export const address = fc.stringMatching(/^0x[0-9a-f]{40}$/).map((value) => parseAddress(value) ?? expect(value));
export const account = positive.map(accountId);
export const asset = positive.map(assetId);
export const market = positive.map(marketId);
export const order = positive.map(orderId);
export const price = whole.map(ticks);
export const size = whole.map(lots);
export const rate = whole.map(ppm);
export const side = fc.constantFrom(...SIDES);
export const wallet = fc.constantFrom(...WALLETS);
export const budget = fc.constantFrom(...BUDGETS);
export const outcome = fc.constantFrom(...CLAIM_OUTCOMES);
export const flag = fc.constantFrom(...ACCOUNT_FLAGS);
export const state = fc.constantFrom(...MARKET_STATES);

export const orderWords = {
  side,
  orderType: fc.constantFrom(...ORDER_TYPES),
  timeInForce: fc.constantFrom(...TIMES_IN_FORCE),
  price,
  size,
  funds: amount,
  triggerPrice: price,
  slippagePpm: rate,
  selfTradePrevention: fc.constantFrom(...SELF_TRADE_PREVENTIONS),
};
function expect(value: string): never {
  throw new Error(`the generator of addresses made ${value}`);
}
