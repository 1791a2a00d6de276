/** What a market and an asset are: data of the commands that register them. */
import type { AssetId, Atoms, Lots, MarketId, Ppm, Ticks } from '@orrery/units';

/**
 * `chain` assets are backed one to one by the vault on the chain; `internal` ones (points, faucet claims) exist in the ledger only.
 */
export type AssetKind = 'chain' | 'internal';
export const ASSET_KINDS = ['chain', 'internal'] as const satisfies readonly AssetKind[];

export interface Asset {
  readonly asset: AssetId;
  /** Upper-case code such as `USDC`; unique. */
  readonly code: string;
  /** An atom is 10^-decimals of the asset; 0 to 18. */
  readonly decimals: number;
  readonly kind: AssetKind;
}

/** What can change of a listed market while orders rest in it: nothing that a hold or the grid of prices and sizes is computed from. */
export type ChangeableTerms = Pick<
  Market,
  'market' | 'maxSize' | 'minNotional' | 'maxNotional' | 'makerFeePpm' | 'takerFeePpm' | 'maxOpenOrders'
>;

/** In atoms; 0 lets nothing out. */
export interface WithdrawalCaps {
  readonly asset: AssetId;
  /** The most within any hour, at most `daily`. */
  readonly hourly: Atoms;
  /** The most within any day. */
  readonly daily: Atoms;
}

/** TRADING takes everything; CANCEL_ONLY takes cancels; HALT takes nothing. */
export type MarketState = 'TRADING' | 'HALT' | 'CANCEL_ONLY';
export const MARKET_STATES = ['TRADING', 'HALT', 'CANCEL_ONLY'] as const satisfies readonly MarketState[];

/** What a book needs of an instrument, of a spot market and of a contract alike. */
export interface BookTerms {
  readonly market: MarketId;
  /** `BASE_QUOTE`, such as `BTC_USDC`; unique among the spot markets and among the contracts. */
  readonly symbol: string;
  /** A tick is 10^-pricePrecision of the quote per unit of base. */
  readonly pricePrecision: number;
  /** A lot is 10^-sizePrecision of the base; of an inverse contract, of the quote. */
  readonly sizePrecision: number;
  /** Quote atoms (of a contract settle atoms) of one lot at one tick; at least 1, so that every notional of a price per lot is exact. */
  readonly tickLotAtoms: Atoms;
  readonly minPrice: Ticks;
  readonly maxPrice: Ticks;
  readonly minSize: Lots;
  readonly maxSize: Lots;
  readonly minNotional: Atoms;
  readonly maxNotional: Atoms;
  readonly makerFeePpm: Ppm;
  readonly takerFeePpm: Ppm;
  /** A limit buy may stand at most this far above the reference price, a limit sell this far below it. */
  readonly limitBandPpm: Ppm;
  /** A market order never trades further than this from the reference price. */
  readonly marketBandPpm: Ppm;
  /** Open orders one account may have in this market. */
  readonly maxOpenOrders: number;
}

/** A spot market. */
export interface Market extends BookTerms {
  readonly base: AssetId;
  readonly quote: AssetId;
  /** Base atoms in one lot. */
  readonly lotAtoms: Atoms;
}
