/** What a snapshot holds of perpetual contracts, in bytes. The order of the fields is the format of layout 4. */
import { anyOrderField, contractFields, fields, list, MARKET_STATES, record } from '@orrery/protocol';
import type { Collateral, Contract, Field, TwapTerms } from '@orrery/protocol';
import type { ContractPrices } from '../prices/contract-prices.ts';
import type { Twap } from '../timers/twaps.ts';
import type { TrailMark } from '../triggers/trail.ts';
import type { Liquidation } from '../risk/liquidations.ts';
import type { Marks } from '../triggers/trigger-ladder.ts';
import type {
  CancelSnapshot,
  ContractSnapshot,
  ContractsSnapshot,
  ExposureSnapshot,
  HolderSnapshot,
  LiquidatorSnapshot,
  MarksByPrice,
  PositionSnapshot,
  TimersSnapshot,
  TrailsByPrice,
} from './contract-snapshot.ts';

const { account, amount, count, market, oneOf, order, position, price, signedCount, size, text, time, truth } = fields;
const { marginMode, positionMode, positionSide, priceState } = contractFields;

const marks = record<Marks>({ high: price, low: price });

const trail = list(record<TrailMark>({ orderId: order, extreme: price, reached: price }));

const twap = record<Omit<Twap, 'missed'>>({
  twapId: count,
  terms: record<TwapTerms>(contractFields.twapFields),
  startedAt: time,
  slice: count,
  filled: size,
  filledNotional: amount,
});

const prices = record<ContractPrices>({
  index: price,
  mark: price,
  state: priceState,
  freshAt: time,
  freshRounds: count,
  basis: signedCount,
  premiums: signedCount,
  samples: count,
  sampledAt: time,
  settledAt: time,
});

const contract = record<ContractSnapshot>({
  terms: record<Contract>(contractFields.contractFields),
  state: oneOf(MARKET_STATES),
  lastPrice: price,
  lastTradeAt: time,
  prices,
  waiting: list(order),
  trailing: record<TrailsByPrice>({ last: trail, mark: trail, index: trail }),
  reached: record<MarksByPrice>({ last: marks, mark: marks, index: marks }),
  resting: list(order),
});

export const contractsFields: { readonly [Part in keyof ContractsSnapshot]: Field<ContractsSnapshot[Part]> } = {
  contracts: list(contract),
  collaterals: list(record<Collateral>(contractFields.collateralFields)),
  holders: list(record<HolderSnapshot>({ account, linear: positionMode, inverse: positionMode, feeTier: count, rebateTier: count })),
  exposures: list(record<ExposureSnapshot>({ account, market, mode: marginMode })),
  positions: list(
    record<PositionSnapshot>({
      account,
      market,
      positionSide,
      leverage: count,
      autoMargin: truth,
      size: position,
      cost: amount,
      margin: amount,
      realised: amount,
      fees: amount,
      funding: amount,
      openedAt: time,
      maxSize: size,
    }),
  ),
  asked: list(anyOrderField),
  timers: record<TimersSnapshot>({
    cancels: list(record<CancelSnapshot>({ account, at: time })),
    twaps: list(twap),
    lastTwapId: count,
    ranAt: time,
  }),
  liquidators: list(record<LiquidatorSnapshot>({ liquidator: count, lastId: count })),
  liquidations: list(record<Liquidation>({ liquidationId: count, account, key: text, isDue: truth, waitsUntil: time })),
};
