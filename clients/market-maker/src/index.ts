export { runMarketMaker, type MarketMaker, type MarketMakerOptions } from './market-maker.ts';
export { Life } from './life.ts';
export { smallestOrder } from './contract-sizes.ts';
export { smallestSize } from './sizes.ts';
export { ContractDesk, type QuotedContract } from './contract-desk.ts';
export { Pace } from './pace.ts';
