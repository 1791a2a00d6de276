/** What a snapshot holds of perpetual contracts, in bytes. The order of the fields is the format of layout 4. */
import { contractFields, fields, list, MARKET_STATES, record } from '@orrery/protocol';
import type { Collateral, Contract } from '@orrery/protocol';
import type { ContractPrices } from '../prices/contract-prices.ts';
import type { Marks } from '../triggers/trigger-ladder.ts';
import type {
  ContractSnapshot,
  ContractsSnapshot,
  ExposureSnapshot,
  HolderSnapshot,
  MarksByPrice,
  PositionSnapshot,
} from './contract-snapshot.ts';

const { account, amount, count, market, oneOf, order, position, price, signedCount, size, time, truth } = fields;
const { marginMode, positionMode, positionSide, priceState } = contractFields;

const marks = record<Marks>({ high: price, low: price });

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
  reached: record<MarksByPrice>({ last: marks, mark: marks, index: marks }),
  resting: list(order),
});

export const contractsFields: { readonly [Part in keyof ContractsSnapshot]: ReturnType<typeof list<ContractsSnapshot[Part][number]>> } = {
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
};
