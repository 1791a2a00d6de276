/** What a take-profit or a stop-loss becomes when its price is reached: a limit order, or one to the market where it has no price of its own. */
import { NO_TICKS, ppm, type Ticks } from '@orrery/units';
import type { OrderTerms } from '@orrery/protocol';
import { DEFAULT_SLIPPAGE_PPM } from '@orrery/rules';

export const actingAt = (price: Ticks): Pick<OrderTerms, 'orderType' | 'timeInForce' | 'price' | 'slippagePpm'> =>
  price === NO_TICKS
    ? { orderType: 'stopMarket', timeInForce: 'IOC', price, slippagePpm: DEFAULT_SLIPPAGE_PPM }
    : { orderType: 'stopLimit', timeInForce: 'GTC', price, slippagePpm: ppm(0) };
