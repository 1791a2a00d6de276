/**
 * Orders as people and programs give them, written from the rules of the product and in the words of its public contract: every kind
 * of order and time in force, amounts from dust to more than anybody has, and what no exchange should take.
 */
import type { CreateOrder, CreatePair } from '@orrery/api';
import type { Market } from '@orrery/protocol';
import { lots, printAtoms, printLots, printTicks, ticks, atoms } from '@orrery/units';
import type { Chance } from '../chance.ts';

export interface Sight {
  readonly market: Market;
  /** The outside price in ticks. */
  readonly price: number;
}

const QUOTE_DECIMALS = 6;
const STP = ['EXPIRE_TAKER', 'EXPIRE_MAKER', 'EXPIRE_BOTH', 'DECREMENT'] as const;
const PPM = 1_000_000;

type Body = { -readonly [Key in keyof CreateOrder]: CreateOrder[Key] };

/** What one lot costs at the price, in quote atoms. */
const lotCost = ({ market, price }: Sight): bigint => BigInt(price) * market.tickLotAtoms;

/** The number of lots that about this amount of the quote coin buys; at least one. */
function lotsFor(sight: Sight, usdc: number): number {
  return Math.max(1, Number((BigInt(Math.round(usdc * 100)) * 10_000n) / lotCost(sight)));
}

const sizeText = ({ market }: Sight, size: number): string =>
  printLots(lots(Math.min(size, Number.MAX_SAFE_INTEGER)), market.sizePrecision);
const priceText = ({ market }: Sight, price: number): string => printTicks(ticks(Math.max(1, Math.round(price))), market.pricePrecision);
const shifted = ({ price }: Sight, ppm: number): number => (price * (PPM + ppm)) / PPM;

function limit(sight: Sight, order: { direction: 'BUY' | 'SELL'; ppm: number; usdc: number }): Body {
  return {
    symbol: sight.market.symbol,
    direction: order.direction,
    tradeType: 'LIMIT',
    price: priceText(sight, shifted(sight, order.ppm)),
    totalAmount: sizeText(sight, lotsFor(sight, order.usdc)),
  };
}

function stop(sight: Sight, chance: Chance, direction: 'BUY' | 'SELL'): Body {
  const away = chance.between(-200, 8_000) * (direction === 'BUY' ? 1 : -1);
  const isLimit = chance.oneIn(2);
  const body: Body = {
    symbol: sight.market.symbol,
    direction,
    tradeType: isLimit ? 'STOP_LIMIT' : 'STOP_MARKET',
    stopPrice: priceText(sight, shifted(sight, away)),
  };
  if (isLimit) body.price = priceText(sight, shifted(sight, away + chance.between(-2_000, 2_000)));
  if (!isLimit && direction === 'BUY' && chance.oneIn(3)) body.funds = fundsText(chance.between(5, 3_000));
  else body.totalAmount = sizeText(sight, lotsFor(sight, chance.magnitude(6, 5_000)));
  const times = isLimit ? (['GTC', 'IOC', 'FOK', 'GTX'] as const) : (['IOC', 'FOK'] as const);
  if (chance.oneIn(2)) body.timeInForce = chance.pick(times);
  return body;
}

/** A take-profit on the winning side of the price, or a trailing stop. */
function waiting(sight: Sight, chance: Chance, direction: 'BUY' | 'SELL'): Body {
  const away = chance.between(-200, 6_000) * (direction === 'BUY' ? -1 : 1);
  const body: Body = {
    symbol: sight.market.symbol,
    direction,
    tradeType: chance.pick(['TAKE_PROFIT_LIMIT', 'TAKE_PROFIT_MARKET', 'TRAILING_STOP_MARKET', 'TRAILING_STOP_MARKET']),
    totalAmount: sizeText(sight, lotsFor(sight, chance.magnitude(6, 5_000))),
  };
  if (body.tradeType === 'TRAILING_STOP_MARKET') {
    body.callbackRate = chance.pick(['0.001', '0.002', '0.005', '0.01', '0.0015']);
    if (chance.oneIn(2)) body.activationPrice = priceText(sight, shifted(sight, away));
  } else body.stopPrice = priceText(sight, shifted(sight, away));
  if (body.tradeType === 'TAKE_PROFIT_LIMIT') body.price = priceText(sight, shifted(sight, away + chance.between(-2_000, 2_000)));
  return body;
}

/** What protects a purchase: most of it on its own side of the price, with and without limits. */
function protect(body: Body, sight: Sight, chance: Chance): Body {
  const profit = chance.between(-200, 6_000);
  const loss = chance.between(-6_000, 200);
  if (!chance.oneIn(4)) body.triggerProfitPrice = priceText(sight, shifted(sight, profit));
  if (body.triggerProfitPrice === undefined || !chance.oneIn(4)) body.triggerStopPrice = priceText(sight, shifted(sight, loss));
  if (body.triggerProfitPrice !== undefined && chance.oneIn(3))
    body.profitPrice = priceText(sight, shifted(sight, profit - chance.below(1_000)));
  if (body.triggerStopPrice !== undefined && chance.oneIn(3)) body.lossPrice = priceText(sight, shifted(sight, loss - chance.below(2_000)));
  return body;
}

/** Two orders of which one acts, now and then on the wrong sides of the price. */
export function pairOf(sight: Sight, chance: Chance): CreatePair {
  const direction = chance.pick(['BUY', 'SELL']);
  const [up, down] = [chance.between(-200, 4_000), chance.between(-4_000, 200)];
  const at = (ppm: number): string => priceText(sight, shifted(sight, ppm));
  const profit = (ppm: number): CreatePair['above'] =>
    chance.pick<CreatePair['above']>([
      { tradeType: 'LIMIT', price: at(ppm) },
      { tradeType: 'TAKE_PROFIT_MARKET', stopPrice: at(ppm) },
      { tradeType: 'TAKE_PROFIT_LIMIT', stopPrice: at(ppm), price: at(ppm + chance.between(-500, 500)) },
    ]);
  const loss = (ppm: number): CreatePair['above'] =>
    chance.pick<CreatePair['above']>([
      { tradeType: 'STOP_MARKET', stopPrice: at(ppm) },
      { tradeType: 'STOP_LIMIT', stopPrice: at(ppm), price: at(ppm + chance.between(-1_000, 1_000)) },
    ]);
  return {
    symbol: sight.market.symbol,
    direction,
    totalAmount: sizeText(sight, lotsFor(sight, chance.magnitude(6, 5_000))),
    above: direction === 'SELL' ? profit(up) : loss(up),
    below: direction === 'SELL' ? loss(down) : profit(down),
    ...(chance.oneIn(4) ? { selfTradePrevention: chance.pick(STP) } : {}),
  };
}

const fundsText = (usdc: number): string => printAtoms(atoms(BigInt(usdc) * 1_000_000n + 1n), QUOTE_DECIMALS);

function marketOrder(sight: Sight, chance: Chance, { direction, usdc }: { direction: 'BUY' | 'SELL'; usdc: number }): Body {
  const body: Body = { symbol: sight.market.symbol, direction, tradeType: 'MARKET' };
  if (direction === 'BUY' && chance.oneIn(2)) body.funds = fundsText(Math.ceil(usdc));
  else body.totalAmount = sizeText(sight, lotsFor(sight, usdc));
  if (chance.oneIn(3)) body.timeInForce = chance.pick(['IOC', 'FOK']);
  if (chance.oneIn(3)) body.slippage = chance.pick(['0.0001', '0.002', '0.05', '1']);
  if (chance.oneIn(6)) body.price = priceText(sight, shifted(sight, chance.between(-1_000, 1_000)));
  return body;
}

/** Somebody with a view: mostly limits near the price, all else now and then. */
export function traderOrder(sight: Sight, chance: Chance): CreateOrder {
  const direction = chance.pick(['BUY', 'SELL']);
  const body = ((): Body => {
    switch (chance.below(12)) {
      case 0:
      case 1:
        return marketOrder(sight, chance, { direction, usdc: chance.magnitude(6, 10_000) });
      case 2:
        return stop(sight, chance, direction);
      case 3:
        return waiting(sight, chance, direction);
      case 4:
        return protect(
          limit(sight, { direction: 'BUY', ppm: chance.between(-1_500, 1_500), usdc: chance.magnitude(6, 10_000) }),
          sight,
          chance,
        );
      default: {
        const order = limit(sight, { direction, ppm: chance.between(-1_500, 1_500), usdc: chance.magnitude(6, 10_000) });
        if (chance.oneIn(3)) order.timeInForce = chance.pick(['GTC', 'IOC', 'FOK', 'GTX']);
        return order;
      }
    }
  })();
  if (chance.oneIn(4)) body.selfTradePrevention = chance.pick(STP);
  return body;
}

/** One more level on each side of the price, post-only. */
export function quote(sight: Sight, chance: Chance, level: { readonly direction: 'BUY' | 'SELL'; readonly depth: number }): CreateOrder {
  const away = (200 + 300 * level.depth + chance.below(200)) * (level.direction === 'BUY' ? -1 : 1);
  return { ...limit(sight, { direction: level.direction, ppm: away, usdc: chance.magnitude(200, 20_000) }), timeInForce: 'GTX' };
}

/** As little as is taken, at odd prices, over and over: whatever rounding gives away, it gathers. */
export function dustOrder(sight: Sight, chance: Chance): CreateOrder {
  const order = limit(sight, { direction: chance.pick(['BUY', 'SELL']), ppm: chance.between(-700, 700), usdc: 5 });
  const least = lotsFor(sight, 5) + chance.below(3);
  return { ...order, totalAmount: sizeText(sight, least), timeInForce: chance.pick(['GTC', 'IOC', 'GTC']) };
}

/** Too large for the book, too far from the price, or more than there is. */
export function whaleOrder(sight: Sight, chance: Chance): CreateOrder {
  const direction = chance.pick(['BUY', 'SELL']);
  const usdc = chance.magnitude(20_000, 8_000_000);
  if (chance.oneIn(3)) return limit(sight, { direction, ppm: chance.between(-150_000, 150_000), usdc });
  return marketOrder(sight, chance, { direction, usdc });
}

/** One of a ring: the others stand on the other side at the same price. */
export function washOrder(sight: Sight, chance: Chance): CreateOrder {
  return {
    ...limit(sight, { direction: chance.pick(['BUY', 'SELL']), ppm: chance.between(-2, 2) * 50, usdc: chance.between(50, 500) }),
    selfTradePrevention: chance.pick(STP),
  };
}

/** What must be refused before it becomes a command, or by the engine for its form. */
export function malformedOrder(sight: Sight, chance: Chance): unknown {
  const sound = { ...traderOrder(sight, chance), clientOrderId: 'malformed' };
  return chance.pick<unknown>([
    { ...sound, price: '1e5' },
    { ...sound, totalAmount: '0.0000000000001' },
    { ...sound, totalAmount: '-1' },
    { ...sound, symbol: 'DOGE_USDC' },
    { ...sound, tradeType: 'LIMIT', price: undefined, totalAmount: '1' },
    { ...sound, clientOrderId: 'not a name' },
    { ...sound, funds: '1', tradeType: 'LIMIT', price: '1' },
    { ...sound, extra: true },
    { ...sound, price: '0' },
    {},
    [],
    'order',
  ]);
}
