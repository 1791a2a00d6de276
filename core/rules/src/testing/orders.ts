/** A market and an order to vary in tests: a tick is 0.1 USDC, a lot 0.00001 BTC, so one lot at one tick is one atom of USDC. */
import { accountId, assetId, atoms, lots, marketId, millis, NO_ATOMS, orderId, ppm, ticks } from '@orrery/units';
import type { Market, Order } from '@orrery/protocol';

export const BTC_USDC: Market = {
  market: marketId(1),
  symbol: 'BTC_USDC',
  base: assetId(2),
  quote: assetId(1),
  pricePrecision: 1,
  sizePrecision: 5,
  lotAtoms: atoms(1_000n),
  tickLotAtoms: atoms(1n),
  minPrice: ticks(10),
  maxPrice: ticks(100_000_000),
  minSize: lots(2),
  maxSize: lots(10_000_000),
  minNotional: atoms(5_000_000n),
  maxNotional: atoms(4_000_000_000_000n),
  makerFeePpm: ppm(500),
  takerFeePpm: ppm(1_000),
  limitBandPpm: ppm(100_000),
  marketBandPpm: ppm(50_000),
  maxOpenOrders: 200,
};

const LIMIT: Order = {
  orderId: orderId(1),
  account: accountId(1),
  market: BTC_USDC.market,
  clientOrderId: '',
  side: 'buy',
  orderType: 'limit',
  timeInForce: 'GTC',
  price: ticks(1_000_000),
  size: lots(100),
  funds: NO_ATOMS,
  triggerPrice: ticks(0),
  slippagePpm: ppm(0),
  selfTradePrevention: 'expireTaker',
  createdAt: millis(0),
  contract: undefined,
  spot: undefined,
};

export const limitOrder = (change: Partial<Order> = {}): Order => ({ ...LIMIT, ...change });
export const marketOrder = (change: Partial<Order> = {}): Order => ({
  ...LIMIT,
  orderType: 'market',
  timeInForce: 'IOC',
  price: ticks(0),
  slippagePpm: ppm(10_000),
  ...change,
});
export const stopLimit = (change: Partial<Order> = {}): Order => ({
  ...LIMIT,
  orderType: 'stopLimit',
  triggerPrice: ticks(1_000_000),
  ...change,
});
export const stopMarket = (change: Partial<Order> = {}): Order => ({
  ...marketOrder(),
  orderType: 'stopMarket',
  triggerPrice: ticks(1_000_000),
  ...change,
});
