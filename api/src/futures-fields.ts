/** Words and fields that the calls of perpetual contracts share. */
import { Type, type Static } from 'typebox';
import { Cursor, Millis, MinSeq, Page } from './fields.ts';

export const FUTURES_MARKET = '/futures/fapi/market/v1';
export const FUTURES_TRADE = '/futures/fapi/trade/v1';
export const FUTURES_USER = '/futures/fapi/user/v1';

/** Both paths under which a public call of market data is known. */
export const marketPaths = (tail: string): { path: string; aliases: string[] } => ({
  path: `${FUTURES_MARKET}/${tail}`,
  aliases: [`${FUTURES_MARKET}/public/${tail}`],
});

export const ContractType = Type.Enum(['PERPETUAL']);
/** U_BASED is settled in USDC, COIN_BASED in the base coin. */
export const UnderlyingType = Type.Enum(['U_BASED', 'COIN_BASED', 'PRACTICE']);
export type UnderlyingType = Static<typeof UnderlyingType>;

export const OrderSideName = Type.Enum(['BUY', 'SELL']);
export type OrderSideName = Static<typeof OrderSideName>;
/** BOTH is the one position of one-way mode; LONG and SHORT are those of hedge mode. */
export const PositionSideName = Type.Enum(['BOTH', 'LONG', 'SHORT']);
export type PositionSideName = Static<typeof PositionSideName>;
export const PositionTypeName = Type.Enum(['CROSSED', 'ISOLATED']);
export type PositionTypeName = Static<typeof PositionTypeName>;
export const PositionModeName = Type.Enum(['ONE_WAY', 'HEDGE']);
export type PositionModeName = Static<typeof PositionModeName>;

export const TriggerPriceType = Type.Enum(['LATEST_PRICE', 'MARK_PRICE', 'INDEX_PRICE'], {
  description: 'which price triggers; MARK_PRICE unless given',
});
export type TriggerPriceType = Static<typeof TriggerPriceType>;

/**
 * What `origQty` counts. COIN and SHEET are the same of a linear contract, whose sheet is one unit of the coin; of an inverse one a sheet is a lot. USD
 * and USDT are the value at the price of the order, at the mark price of a market order: the largest size whose value is not above it.
 */
export const QuantityUnit = Type.Enum(['COIN', 'USDT', 'USD', 'SHEET'], {
  description:
    'what origQty counts, COIN unless given. SHEET of a linear contract is one unit of the coin, of an inverse one a lot. USDT, USD: the value at the price of the order, ' +
    'or at the mark price of a market order; the size is the largest whose value is not above it. COIN of an inverse contract likewise.',
});
export type QuantityUnit = Static<typeof QuantityUnit>;

/** Any size up to the largest. */
export const FuturesSize = Type.Integer({ minimum: 1, maximum: 100, default: 10 });

export const timeRange = { startTime: Type.Optional(Millis), endTime: Type.Optional(Millis) };

/** Which part of a history is asked for: between two times, by page or from a row on. */
export const historyPage = {
  ...timeRange,
  page: Type.Optional(Page),
  id: Type.Optional(Cursor),
  size: Type.Optional(FuturesSize),
  minSeq: Type.Optional(MinSeq),
};
