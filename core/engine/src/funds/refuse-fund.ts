/** What the account of a fund may not do, and what its orders may not exceed. Since rules 9: before, there is no fund. */
import {
  atoms,
  divFloor,
  NO_ATOMS,
  NO_LOTS,
  NO_TICKS,
  lots,
  type AccountId,
  type AssetId,
  type Atoms,
  type Lots,
  type MarketId,
  type Millis,
} from '@orrery/units';
import type { CommandRejected, Market, Order } from '@orrery/protocol';
import { contractNotional, FUND_CONTRACT_PERCENT_MAX, FUND_LEVERAGE_MAX, reject, rejectBeyond, valueBeyond } from '@orrery/rules';
import type { ContractState } from '../positions/contract-state.ts';
import type { Exposure, PositionRow } from '../positions/position-row.ts';
import type { Funds } from './funds.ts';
import { worthOfFund, type WorthState } from './worth.ts';

interface Known {
  readonly funds: Funds;
}

/** Money reaches and leaves a fund by its shares alone. */
export const refuseFundAccount = ({ funds }: Known, account: AccountId, field = 'account'): CommandRejected | undefined =>
  funds.of(account) === undefined ? undefined : reject('FundAccount', field);

/** Shares leave their holder by a redemption alone. */
export const refuseFundShare = ({ funds }: Known, asset: AssetId, field = 'asset'): CommandRejected | undefined =>
  funds.shares.has(asset) ? reject('FundShare', field) : undefined;

/** A fund that closes is traded no more by its manager. */
export const refuseClosingFund = ({ funds }: Known, account: AccountId): CommandRejected | undefined =>
  funds.of(account)?.end === undefined ? undefined : reject('FundNotOpen', 'account');

interface Tradable extends Known {
  readonly markets: ReadonlyMap<MarketId, { readonly terms: Pick<Market, 'quote'> }>;
  readonly contracts: ReadonlyMap<MarketId, { readonly contract: Pick<ContractState, 'group' | 'terms'> }>;
}

/** A fund trades what is settled in its asset: linear contracts, and spot markets quoted in it. */
export function refuseFundMarket(
  { funds, markets, contracts }: Tradable,
  account: AccountId,
  market: MarketId,
): CommandRejected | undefined {
  const fund = funds.of(account);
  if (fund === undefined) return undefined;
  const contract = contracts.get(market)?.contract;
  const isSettled =
    contract === undefined
      ? markets.get(market)?.terms.quote === fund.asset
      : contract.group === 'linear' && contract.terms.settle === fund.asset;
  return isSettled ? refuseClosingFund({ funds }, account) : reject('FundMarketRefused', 'market');
}

export interface LimitState extends WorthState, Known {}

/** An order that may open, with what of it would trade or rest. */
export interface Opening {
  readonly order: Order;
  readonly size: Lots;
  /** What the order that it replaces has in the book, on the same side. */
  readonly leaving: Lots;
  readonly at: Millis;
}

/** Every order of a fund counts as if it were filled: what it holds and has in the book stays within the limits, at mark. */
export function refuseFundLimits(state: LimitState, row: PositionRow, opening: Opening): CommandRejected | undefined {
  const { account } = row.exposure.holder;
  const fund = state.funds.of(account);
  if (fund === undefined) return undefined;
  const grows = exposureOf(row, opening) - exposureOf(row, undefined);
  // What makes nothing larger is within the limits whatever the worth is now.
  if (grows <= 0n) return undefined;
  const { worth } = worthOfFund(state, fund, opening.at);
  const ofContract = exposuresOf(row.exposure) + grows;
  const limit = divFloor(worth * FUND_CONTRACT_PERCENT_MAX, 100n);
  if (ofContract > limit) return beyond('FundContractExceeded', row, ofContract, limit);
  let all = grows;
  for (const exposure of row.exposure.holder.exposures) all += exposuresOf(exposure);
  const most = worth * FUND_LEVERAGE_MAX;
  return all > most ? beyond('FundLeverageExceeded', row, all, most) : undefined;
}

const exposuresOf = ({ rows }: Exposure): bigint =>
  rows.reduce((sum, row) => (row === undefined ? sum : sum + exposureOf(row, undefined)), 0n);

const beyond = (reason: 'FundContractExceeded' | 'FundLeverageExceeded', row: PositionRow, asked: bigint, limit: bigint): CommandRejected =>
  rejectBeyond(reason, 'size', valueBeyond(row.exposure.contract.terms.market, { asked: atoms(asked), limit: atoms(limit) }));

/** Notional at mark of the larger of what a row would be with all its buys and with all its sells filled. */
function exposureOf({ size, buys, sells, exposure }: PositionRow, opening: Opening | undefined): Atoms {
  const more = opening === undefined ? 0 : opening.size - opening.leaving;
  const isBuy = opening?.order.side === 'buy';
  const long = size + buys.size + (isBuy ? more : 0);
  const short = sells.size - size + (isBuy ? 0 : more);
  const { mark } = exposure.contract.prices;
  const held = lots(Math.max(0, long, short));
  return held === NO_LOTS || mark === NO_TICKS ? NO_ATOMS : contractNotional(mark, held, exposure.contract.terms);
}
