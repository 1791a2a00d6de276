/**
 * What traders of contracts give: orders that open, grow, reduce and turn positions, with and without take-profit and stop-loss, at leverages up to the
 * most, far beyond what they can pay, and what changes their terms.
 */
import type { Contract } from '@orrery/protocol';
import { lots, printLots, printTicks, ticks } from '@orrery/units';
import type { Chance } from '../chance.ts';
import { SECOND } from '../plan.ts';
import type { Route } from './voice.ts';

export interface FuturesSight {
  readonly contract: Contract;
  /** The outside price in ticks. */
  readonly price: number;
}

/** A call without the name that it is given again under. */
export interface FuturesCall {
  readonly route: Route;
  readonly body: Readonly<Record<string, string | number | boolean>>;
}

const PPM = 1_000_000;

export const priceText = ({ contract, price }: FuturesSight, ppm: number): string =>
  printTicks(ticks(Math.max(1, Math.round((price * (PPM + ppm)) / PPM))), contract.pricePrecision);

/** About this amount of dollars; at least one lot. */
export function sizeText({ contract, price }: FuturesSight, dollars: number): string {
  const lotDollars = contract.payoff === 'inverse' ? 1 : price / 10 ** (contract.pricePrecision + contract.sizePrecision);
  return printLots(lots(Math.max(1, Math.round(dollars / lotDollars))), contract.sizePrecision);
}

/** What a trader in hedge mode names; now and then what the mode does not allow. */
export type Mode = 'ONE_WAY' | 'HEDGE';
const sideOf = (mode: Mode, chance: Chance): { positionSide?: string } =>
  (mode === 'HEDGE') === !chance.oneIn(15) ? { positionSide: chance.pick(['LONG', 'SHORT']) } : {};

export function futuresOrder(sight: FuturesSight, chance: Chance, mode: Mode): Readonly<Record<string, string | boolean>> {
  const orderSide = chance.pick(['BUY', 'SELL']);
  const isMarket = chance.oneIn(3);
  const away = chance.between(-3_000, 3_000);
  return {
    symbol: sight.contract.symbol,
    orderSide,
    ...sideOf(mode, chance),
    orderType: isMarket ? 'MARKET' : 'LIMIT',
    ...(isMarket ? {} : { price: priceText(sight, away) }),
    ...(chance.oneIn(12) ? { closePosition: true } : { origQty: sizeText(sight, chance.magnitude(100, 500_000)), unit: 'SHEET' }),
    ...(chance.oneIn(8) ? { reduceOnly: true } : {}),
    ...(chance.oneIn(8) ? { max: true } : {}),
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

/** An order that waits for a price, mostly near enough to be reached. */
export function plan(sight: FuturesSight, chance: Chance, mode: Mode): Readonly<Record<string, string | boolean>> {
  const entrustType = chance.pick(['TAKE_PROFIT', 'STOP', 'TAKE_PROFIT_MARKET', 'STOP_MARKET', 'TRAILING_STOP_MARKET']);
  const hasLimit = entrustType === 'TAKE_PROFIT' || entrustType === 'STOP';
  const isTrailing = entrustType === 'TRAILING_STOP_MARKET';
  return {
    symbol: sight.contract.symbol,
    orderSide: chance.pick(['BUY', 'SELL']),
    entrustType,
    ...sideOf(mode, chance),
    ...(isTrailing
      ? { callbackRate: chance.pick(['0.001', '0.01', '0.05']) }
      : { stopPrice: priceText(sight, chance.between(-5_000, 5_000)) }),
    ...(hasLimit ? { price: priceText(sight, chance.between(-8_000, 8_000)) } : {}),
    triggerPriceType: chance.pick(['MARK_PRICE', 'LATEST_PRICE', 'INDEX_PRICE']),
    ...(chance.oneIn(6) ? { closePosition: true } : { origQty: sizeText(sight, chance.magnitude(100, 100_000)), unit: 'SHEET' }),
    ...(chance.oneIn(4) ? { reduceOnly: true } : {}),
  };
}

/** Take-profit and stop-loss of a position, and what cancels what waits. */
export function futuresProtection(sight: FuturesSight, chance: Chance, mode: Mode): FuturesCall {
  const { symbol } = sight.contract;
  const dice = chance.below(14);
  if (dice >= 10) return pair(sight, chance, mode);
  if (dice < 6) {
    const side = chance.pick(['BUY', 'SELL']);
    const size = chance.oneIn(3) ? { origQty: sizeText(sight, chance.magnitude(100, 20_000)), unit: 'SHEET' } : {};
    return { route: 'createProfitStop', body: { symbol, ...sideOf(mode, chance), ...attached(sight, chance, side), ...size } };
  }
  if (dice < 7) return { route: 'cancelAllPlans', body: { symbol } };
  return { route: 'cancelAllProfitStops', body: { symbol } };
}

/** Set, in the place of the one before, or taken away. */
function pair(sight: FuturesSight, chance: Chance, mode: Mode): FuturesCall {
  const { symbol } = sight.contract;
  const scope = chance.pick(['WHOLE', 'WHOLE', 'PART', 'FURTHER_PART']);
  const size = scope === 'WHOLE' ? {} : { origQty: sizeText(sight, chance.magnitude(100, 20_000)), unit: 'SHEET' };
  const triggers = chance.oneIn(5) ? {} : attached(sight, chance, chance.pick(['BUY', 'SELL']));
  return {
    route: 'setProtection',
    body: { symbol, ...sideOf(mode, chance), scope, ...size, ...triggers, key: `pair-${chance.below(PPM)}` },
  };
}

/** A TWAP order of a few minutes. */
export const twap = (sight: FuturesSight, chance: Chance, mode: Mode): Readonly<Record<string, string | number | boolean>> => ({
  symbol: sight.contract.symbol,
  orderSide: chance.pick(['BUY', 'SELL']),
  ...sideOf(mode, chance),
  origQty: sizeText(sight, chance.magnitude(1_000, 100_000)),
  unit: 'SHEET',
  minutes: chance.between(1, 6),
  ...(chance.oneIn(4) ? { reduceOnly: true } : {}),
});

/** Changes the terms of positions, or closes them. `now`: unix milliseconds. */
export function futuresTerms({ contract }: FuturesSight, chance: Chance, { mode, now }: { mode: Mode; now: number }): FuturesCall {
  const { symbol, payoff } = contract;
  const dice = chance.below(19);
  if (dice < 5) return { route: 'adjustLeverage', body: { symbol, leverage: chance.pick([1, 3, 10, 20, 40]) } };
  if (dice < 7) return { route: 'changePositionType', body: { symbol, positionType: chance.pick(['CROSSED', 'ISOLATED']) } };
  if (dice < 9) return { route: 'cancelAllFuturesOrders', body: chance.oneIn(2) ? { symbol } : {} };
  if (dice < 11) {
    const margin = payoff === 'inverse' ? `0.00${chance.between(1, 99)}` : String(chance.between(1, 500));
    const body = { symbol, ...sideOf(mode, chance), margin, type: chance.pick(['ADD', 'SUB']), key: `margin-${chance.below(PPM)}` };
    return { route: 'adjustPositionMargin', body };
  }
  if (dice < 12) return { route: 'setAutoMargin', body: { symbol, ...sideOf(mode, chance), autoMargin: chance.oneIn(2) } };
  if (dice < 14) return { route: 'scheduleCancel', body: chance.oneIn(3) ? {} : { time: now + chance.between(4, 120) * SECOND } };
  if (dice >= 16) return { route: 'reversePosition', body: { symbol, from: chance.pick(['LONG', 'SHORT']) } };
  if (dice < 15)
    return { route: 'changePositionMode', body: { positionMode: mode, underlyingType: payoff === 'inverse' ? 'COIN_BASED' : 'U_BASED' } };
  return {
    route: 'closeAllPositions',
    body: { contractType: 'PERPETUAL', mode: chance.pick(['MARKET', 'LIMIT_AT_MID']), key: `close-${chance.below(PPM)}` },
  };
}
