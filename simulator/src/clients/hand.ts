/**
 * Accounts of one owner, who trades with itself: at the leverage that a contract allows at most one account opens what another closes or opens against it, near the
 * price or far from it, waits in the book for what a liquidation sells, and takes out what it may.
 */
import type { Chance } from '../chance.ts';
import { futuresOrder, priceText, sizeText, type FuturesCall, type FuturesSight } from './futures-flow.ts';

type Order = Readonly<Record<string, string | boolean>>;

/** What one account of the hand has put into the book for another. */
interface Offer {
  readonly by: string;
  readonly symbol: string;
  readonly orderSide: 'BUY' | 'SELL';
  readonly price: string;
  readonly origQty: string;
}

export class Hand {
  #offer: Offer | undefined;

  /** The next order of an account of the hand. */
  order(sight: FuturesSight, chance: Chance, by: string): Order {
    const offer = this.#offer;
    if (offer !== undefined && offer.by !== by && chance.oneIn(2)) return this.#take(offer);
    if (chance.oneIn(6)) return futuresOrder(sight, chance, 'ONE_WAY');
    const away = chance.oneIn(4) ? chance.between(-50_000, 50_000) : chance.between(-3_000, 3_000);
    this.#offer = {
      by,
      symbol: sight.contract.symbol,
      orderSide: chance.pick(['BUY', 'SELL']),
      price: priceText(sight, away),
      origQty: sizeText(sight, chance.magnitude(1_000, 300_000)),
    };
    const { symbol, orderSide, price, origQty } = this.#offer;
    return { symbol, orderSide, orderType: 'LIMIT', price, origQty, unit: 'SHEET' };
  }

  #take({ symbol, orderSide, price, origQty }: Offer): Order {
    this.#offer = undefined;
    return {
      symbol,
      orderSide: orderSide === 'BUY' ? 'SELL' : 'BUY',
      orderType: 'LIMIT',
      price,
      origQty,
      unit: 'SHEET',
      timeInForce: 'IOC',
    };
  }
}

/** As much as it likes of what it may have gained, or new margin. */
export const handTransfer = (chance: Chance): Readonly<Record<string, string>> => ({
  coin: 'USDC',
  amount: String(chance.magnitude(10, 20_000) | 0),
  ...(chance.oneIn(3) ? { from: 'spot', to: 'futures' } : { from: 'futures', to: 'spot' }),
});

/** The most leverage, now and then a margin of its own for each position, or an empty book. */
export function handTerms({ contract: { symbol } }: FuturesSight, chance: Chance): FuturesCall {
  const dice = chance.below(6);
  if (dice < 4) return { route: 'adjustLeverage', body: { symbol, leverage: chance.pick([40, 40, 20]) } };
  if (dice < 5) return { route: 'changePositionType', body: { symbol, positionType: chance.pick(['CROSSED', 'ISOLATED']) } };
  return { route: 'cancelAllFuturesOrders', body: { symbol } };
}
