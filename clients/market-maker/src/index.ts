export { runMarketMaker, type MarketMaker, type MarketMakerOptions } from './market-maker.ts';
