export { openPrices } from './open-prices.ts';
export type { OpenPricesOptions } from './open-prices.ts';
export { OutsidePrices } from './outside-prices.ts';
export type { OutsidePricesOptions } from './outside-prices.ts';
export type { OutsideMarket, OutsidePrice, PriceSource } from './price-source.ts';
export type { PriceLabel } from './month.ts';
