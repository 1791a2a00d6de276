/**
 * What traders of contracts give: orders that open, grow, reduce and turn positions, with and without take-profit and stop-loss, at leverages up to the
 * most, far beyond what they can pay, and what changes their terms.
 */
import type { Contract } from '@orrery/protocol';
import { lots, printLots, printTicks, ticks } from '@orrery/units';
import type { Chance } from '../chance.ts';
import type { Route } from './voice.ts';

export interface FuturesSight {
  readonly contract: Contract;
  /** The outside price in ticks. */
  readonly price: number;
}

/** A call without the name that it is given again under. */
export interface FuturesCall {
  readonly route: Route;
  readonly body: Readonly<Record<string, string | number>>;
}

const PPM = 1_000_000;

const priceText = ({ contract, price }: FuturesSight, ppm: number): string =>
  printTicks(ticks(Math.max(1, Math.round((price * (PPM + ppm)) / PPM))), contract.pricePrecision);

/** About this amount of dollars; at least one lot. */
function sizeText({ contract, price }: FuturesSight, dollars: number): string {
  const lotDollars = contract.payoff === 'inverse' ? 1 : price / 10 ** (contract.pricePrecision + contract.sizePrecision);
  return printLots(lots(Math.max(1, Math.round(dollars / lotDollars))), contract.sizePrecision);
}

export function futuresOrder(sight: FuturesSight, chance: Chance): Readonly<Record<string, string | boolean>> {
  const orderSide = chance.pick(['BUY', 'SELL']);
  const isMarket = chance.oneIn(3);
  const away = chance.between(-3_000, 3_000);
  return {
    symbol: sight.contract.symbol,
    orderSide,
    orderType: isMarket ? 'MARKET' : 'LIMIT',
    ...(isMarket ? {} : { price: priceText(sight, away) }),
    ...(chance.oneIn(12) ? { closePosition: true } : { origQty: sizeText(sight, chance.magnitude(100, 500_000)), unit: 'SHEET' }),
    ...(chance.oneIn(8) ? { reduceOnly: true } : {}),
    ...(chance.oneIn(4) ? attached(sight, chance, orderSide) : {}),
    ...(chance.oneIn(4) ? { selfTradePrevention: chance.pick(['EXPIRE_TAKER', 'EXPIRE_MAKER', 'EXPIRE_BOTH', 'DECREMENT']) } : {}),
    ...(!isMarket && chance.oneIn(4) ? { timeInForce: chance.pick(['IOC', 'FOK', 'GTX']) } : {}),
  };
}

/** Now and then on the wrong side of the price. */
function attached(sight: FuturesSight, chance: Chance, side: 'BUY' | 'SELL'): Readonly<Record<string, string>> {
  const towardsProfit = side === 'BUY' ? 1 : -1;
  const distance = (): number => chance.between(-500, 20_000);
  return {
    ...(chance.oneIn(3) ? {} : { triggerProfitPrice: priceText(sight, towardsProfit * distance()) }),
    ...(chance.oneIn(3) ? {} : { triggerStopPrice: priceText(sight, 0 - towardsProfit * distance()) }),
    triggerPriceType: chance.pick(['MARK_PRICE', 'LATEST_PRICE', 'INDEX_PRICE']),
  };
}

/** Changes the terms of positions, or closes them. */
export function futuresTerms({ contract: { symbol } }: FuturesSight, chance: Chance): FuturesCall {
  const dice = chance.below(10);
  if (dice < 5) return { route: 'adjustLeverage', body: { symbol, leverage: chance.pick([1, 3, 10, 20, 40]) } };
  if (dice < 7) return { route: 'changePositionType', body: { symbol, positionType: chance.pick(['CROSSED', 'ISOLATED']) } };
  if (dice < 9) return { route: 'cancelAllFuturesOrders', body: chance.oneIn(2) ? { symbol } : {} };
  return {
    route: 'closeAllPositions',
    body: { contractType: 'PERPETUAL', mode: chance.pick(['MARKET', 'LIMIT_AT_MID']), key: `close-${chance.below(PPM)}` },
  };
}
