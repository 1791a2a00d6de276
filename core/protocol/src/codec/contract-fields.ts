/** What the commands and facts of perpetual contracts hold, in bytes. Field order is the format: change it only with a new version. */
import {
  CLOSE_ALL_MODES,
  LIQUIDATION_STAGES,
  MARGIN_DIRECTIONS,
  MARGIN_GROUPS,
  MARGIN_MODES,
  ORDER_SOURCES,
  PAYOFFS,
  POSITION_MODES,
  POSITION_SIDES,
  PRICE_STATES,
  REDUCTION_CAUSES,
  LEFT_REASONS,
  PROTECTION_SCOPES,
  STALL_REASONS,
  TRIGGER_DIRECTIONS,
  TRIGGER_PRICES,
} from '../contract.ts';
import type { Collateral, Contract, ExternalSample, IndexSample, MarginTier, Position } from '../contract.ts';
import { TWAP_ENDS } from '../twap.ts';
import type { TwapTerms } from '../twap.ts';
import { account, amount, asset, count, market, oneOf, position, price, rate, side, size, text, time, truth } from './field.ts';
import { list, record } from './record.ts';
import type { Fields } from './record.ts';

export const payoff = oneOf(PAYOFFS);
export const marginGroup = oneOf(MARGIN_GROUPS);
/** Or all but practice, which came later. */
export const payoffOrAny = oneOf([...PAYOFFS, 'any', 'practice'] as const);
export const positionSide = oneOf(POSITION_SIDES);
export const positionMode = oneOf(POSITION_MODES);
export const marginMode = oneOf(MARGIN_MODES);
export const marginDirection = oneOf(MARGIN_DIRECTIONS);
export const triggerBy = oneOf(TRIGGER_PRICES);
export const triggerDirection = oneOf(TRIGGER_DIRECTIONS);
export const orderSource = oneOf(ORDER_SOURCES);
export const priceState = oneOf(PRICE_STATES);
export const reductionCause = oneOf(REDUCTION_CAUSES);
export const liquidationStage = oneOf(LIQUIDATION_STAGES);
export const closeAllMode = oneOf(CLOSE_ALL_MODES);
export const twapEnd = oneOf(TWAP_ENDS);
export const stallReason = oneOf(STALL_REASONS);
export const leftReason = oneOf(LEFT_REASONS);
export const protectionScope = oneOf(PROTECTION_SCOPES);

export const contractFields = {
  market,
  symbol: text,
  baseCode: text,
  quoteCode: text,
  payoff,
  settle: asset,
  pricePrecision: count,
  sizePrecision: count,
  tickLotAtoms: amount,
  minPrice: price,
  maxPrice: price,
  minSize: size,
  maxSize: size,
  minNotional: amount,
  maxNotional: amount,
  makerFeePpm: rate,
  takerFeePpm: rate,
  limitBandPpm: rate,
  marketBandPpm: rate,
  maxOpenOrders: count,
  initLeverage: count,
  tiers: list(record<MarginTier>({ maxNotional: amount, maxLeverage: count })),
  openInterestCap: size,
  impactNotional: amount,
  fundingIntervalMs: count,
  interestPpm8h: rate,
  fundingCapPpm: rate,
  partialLiquidationAbove: amount,
  partialLiquidationPpm: rate,
  liquidationCooldownMs: count,
} satisfies Fields<Contract>;

export const collateralFields = { asset, ratioPpm: rate, market, cap: amount } satisfies Fields<Collateral>;

export const positionFields = {
  account,
  market,
  positionSide,
  size: position,
  cost: amount,
  margin: amount,
  realised: amount,
  fees: amount,
  funding: amount,
  openedAt: time,
  maxSize: size,
} satisfies Fields<Position>;

const sample = { source: text, price, ageMs: count };
export const indexSamples = list(record<IndexSample>({ ...sample, weight: count }));
export const externalSamples = list(record<ExternalSample>(sample));

export const twapFields = {
  account,
  market,
  key: text,
  side,
  positionSide,
  size,
  minutes: count,
  reduceOnly: truth,
  seed: count,
} satisfies Fields<TwapTerms>;
