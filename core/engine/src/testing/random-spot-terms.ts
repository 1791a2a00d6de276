/** Random terms for an order of a spot market: around the middle of the book, mostly on the right side, now and then what no order may have. */
import { lots, NO_TICKS, ppm, ticks, type Ticks } from '@orrery/units';
import {
  NOT_ATTACHED,
  SPOT_SOURCES,
  type AttachedTrigger,
  type PairLeg,
  type PlaceOrder,
  type PlacePair,
  type PlaceSpotOrder,
} from '@orrery/protocol';
import type { Chance } from './chance.ts';

/** @param order what it is but for its terms @param mid in ticks */
export function withTerms(order: PlaceOrder, chance: Chance, mid: number): PlaceSpotOrder | PlacePair {
  const price = (away: number): Ticks => ticks(Math.max(1, mid + away));
  if (chance.oneIn(3)) return pairOf(order, chance, price);
  const isStop = order.orderType === 'stopLimit' || order.orderType === 'stopMarket';
  const wins = order.side === 'sell' ? chance.between(-1, 6) : -chance.between(-1, 6);
  const trails = order.orderType === 'stopMarket' && chance.oneIn(2);
  const odd = chance.oneIn(25);
  const attached = (away: number): AttachedTrigger =>
    chance.oneIn(3)
      ? NOT_ATTACHED
      : { triggerPrice: price(away), triggerBy: 'last', price: chance.oneIn(3) ? price(away - chance.between(-1, 3)) : NO_TICKS };
  const protects = (order.side === 'buy' && !trails) || odd;
  return {
    ...order,
    type: 'PlaceSpotOrder',
    triggerPrice: isStop && !trails ? price(wins) : odd ? order.triggerPrice : NO_TICKS,
    ...(trails && !odd && { price: NO_TICKS }),
    spot: {
      source: isStop && !trails ? 'takeProfit' : odd ? chance.pick(SPOT_SOURCES) : 'plain',
      trailingPpm: ppm(trails || odd ? chance.pick([10_000, 20_000, 30_000, 50_000, odd ? 500 : 10_000]) : 0),
      activationPrice: (trails && chance.oneIn(2)) || odd ? price(wins) : NO_TICKS,
      takeProfit: protects ? attached(chance.between(0, 8)) : NOT_ATTACHED,
      stopLoss: protects ? attached(-chance.between(0, 8)) : NOT_ATTACHED,
    },
  };
}

function pairOf(order: PlaceOrder, chance: Chance, price: (away: number) => Ticks): PlacePair {
  const { account, market, side, size, clientOrderId, selfTradePrevention } = order;
  const isLimited = chance.oneIn(2);
  const named = (name: string): string => (clientOrderId === '' ? '' : `${clientOrderId}${name}`);
  const leg = (away: number, orderType: PairLeg['orderType'], name: string): PairLeg => ({
    clientOrderId: named(name),
    orderType: chance.oneIn(80) ? 'market' : orderType,
    price: orderType === 'stopMarket' ? NO_TICKS : price(away + chance.between(-1, 1)),
    triggerPrice: orderType === 'limit' ? NO_TICKS : price(away),
    slippagePpm: ppm(orderType === 'stopMarket' ? chance.pick([0, 20_000]) : 0),
  });
  const profit = (away: number): PairLeg =>
    leg(away, chance.pick(['limit', 'limit', isLimited ? 'stopLimit' : 'stopMarket']), chance.oneIn(30) ? 'b' : 'a');
  const loss = (away: number): PairLeg => leg(away, isLimited ? 'stopLimit' : 'stopMarket', 'b');
  const [up, down] = [chance.between(-1, 6), -chance.between(-1, 6)];
  return {
    type: 'PlacePair',
    account,
    market,
    side,
    size: lots(size),
    selfTradePrevention,
    above: side === 'sell' ? profit(up) : loss(up),
    below: side === 'sell' ? loss(down) : profit(down),
  };
}
