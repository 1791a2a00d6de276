/** The most that an order in a spot market may have, by the rule that pages show. */
import type { CreateOrder } from '@orrery/api';
import { MOST_SLACK_PPM, mostOfSpot, stopMarketBound, worseBy } from '@orrery/rules';
import { NO_TICKS, printAtoms, printLots, printTicks, type AccountId, type Ticks } from '@orrery/units';
import type { Market } from '@orrery/protocol';
import type { Floor } from '../floor.ts';
import { listingOf, marketNamed } from '../market-data/listing.ts';
import { priceOf, SIDES } from './parse-order.ts';

type Asked = Pick<CreateOrder, 'symbol' | 'direction' | 'price' | 'stopPrice'>;

export function spotMaxSize(floor: Floor, account: AccountId, asked: Asked) {
  const listing = listingOf(floor, marketNamed(floor, asked.symbol).market);
  const { market, base, quote } = listing;
  const side = SIDES[asked.direction];
  const paid = side === 'buy' ? quote : base;
  const { free } = floor.balances.get({ account, wallet: 'spot', asset: paid.asset });
  const limit = priceOf(asked.price, 'price', listing);
  const trigger = priceOf(asked.stopPrice, 'stopPrice', listing);
  const price =
    limit !== NO_TICKS
      ? limit
      : trigger === NO_TICKS
        ? marketPrice(floor, market, side)
        : stopMarketBound({ side, price: limit, triggerPrice: trigger }, market);
  return {
    symbol: asked.symbol,
    direction: asked.direction,
    maxAmount: printLots(mostOfSpot({ side, price, free, market }), market.sizePrecision),
    price: price === NO_TICKS ? null : printTicks(price, market.pricePrecision),
    free: printAtoms(free, paid.decimals),
  };
}

/** A bit worse than the best price against it. */
function marketPrice(floor: Floor, { market }: Market, side: 'buy' | 'sell'): Ticks {
  const best = floor.depth(market).best(side === 'buy' ? 'sell' : 'buy')?.price ?? NO_TICKS;
  return best === NO_TICKS ? best : worseBy(best, MOST_SLACK_PPM, side);
}
