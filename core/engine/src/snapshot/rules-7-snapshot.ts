/**
 * What a snapshot holds beside what earlier rules kept: since layout 5, which came with rules 7. Each part is a list of its own, so that the parts of earlier
 * layouts keep their bytes. The order of the fields is the format of the layout.
 */
import { contractFields, fields, list, record, type Field, type PositionSide } from '@orrery/protocol';
import {
  assert,
  NO_LOTS,
  type AccountId,
  type AssetId,
  type Atoms,
  type Lots,
  type MarketId,
  type Millis,
  type OrderId,
  type Ticks,
} from '@orrery/units';
import { countResting } from '../clearing/perpetual.ts';
import type { Exchange } from '../exchange.ts';
import type { FundLoss, Holding } from '../risk/fund-losses.ts';
import type { UnpaidSettlement } from '../positions/contract-funding.ts';
import { owesFunding } from '../positions/unpaid-funding.ts';
import { byId } from './in-order.ts';

/** A settlement of funding that some positions have not paid. */
export interface SettlementSnapshot extends Readonly<Omit<UnpaidSettlement, 'left'>> {
  readonly market: MarketId;
}

/** A position that has not paid the settlement of its contract. */
export interface UnpaidPosition {
  readonly market: MarketId;
  readonly account: AccountId;
  readonly positionSide: PositionSide;
}

/** When the day began for which an account was last given of the practice asset. */
export interface GrantSnapshot {
  readonly account: AccountId;
  readonly day: Millis;
}

/** What a collateral is valued by. */
export interface CollateralPriceSnapshot {
  readonly asset: AssetId;
  readonly price: Ticks;
  readonly at: Millis;
}

export interface TwapMissedSnapshot {
  readonly twapId: number;
  readonly missed: Lots;
}

export interface Rules7Snapshot {
  readonly practiceAssets: readonly AssetId[];
  /** By account. */
  readonly practiceGrants: readonly GrantSnapshot[];
  /** Accounts in hedge mode in practice contracts, by id. */
  readonly practiceHedges: readonly AccountId[];
  /** By market. */
  readonly settlements: readonly SettlementSnapshot[];
  /** By account, market and side. */
  readonly unpaidPositions: readonly UnpaidPosition[];
  /** By contract and minute. */
  readonly fundLosses: readonly FundLoss[];
  /** By contract. */
  readonly liquidatorHoldings: readonly Holding[];
  /** Orders that have more to trade than one command may; the first goes on next. */
  readonly matching: readonly MatchingSnapshot[];
  /** By asset. */
  readonly collateralPrices: readonly CollateralPriceSnapshot[];
  /** Of TWAP orders that make something up, by id. */
  readonly twapsMissed: readonly TwapMissedSnapshot[];
}

export interface MatchingSnapshot {
  readonly orderId: OrderId;
  readonly bound: Ticks;
  readonly fundsLeft: Atoms;
}

export const NOTHING_OF_RULES_7: Rules7Snapshot = {
  practiceAssets: [],
  practiceGrants: [],
  practiceHedges: [],
  settlements: [],
  unpaidPositions: [],
  fundLosses: [],
  liquidatorHoldings: [],
  matching: [],
  collateralPrices: [],
  twapsMissed: [],
};

export const rules7Fields: { readonly [Part in keyof Rules7Snapshot]: Field<Rules7Snapshot[Part]> } = {
  practiceAssets: list(fields.asset),
  practiceGrants: list(record<GrantSnapshot>({ account: fields.account, day: fields.time })),
  practiceHedges: list(fields.account),
  settlements: list(
    record<SettlementSnapshot>({
      market: fields.market,
      interval: fields.time,
      ratePpb: fields.signedCount,
      price: fields.price,
      nextAccount: fields.account,
      received: fields.amount,
    }),
  ),
  unpaidPositions: list(
    record<UnpaidPosition>({ market: fields.market, account: fields.account, positionSide: contractFields.positionSide }),
  ),
  fundLosses: list(record<FundLoss>({ market: fields.market, minute: fields.count, loss: fields.amount })),
  liquidatorHoldings: list(record<Holding>({ market: fields.market, since: fields.time, taken: fields.size })),
  matching: list(record<MatchingSnapshot>({ orderId: fields.order, bound: fields.price, fundsLeft: fields.amount })),
  collateralPrices: list(record<CollateralPriceSnapshot>({ asset: fields.asset, price: fields.price, at: fields.time })),
  twapsMissed: list(record<TwapMissedSnapshot>({ twapId: fields.count, missed: fields.size })),
};

export function takeRules7(exchange: Exchange): Rules7Snapshot {
  const { collaterals, timers } = exchange;
  const { fund } = exchange.liquidations;
  return {
    ...takePractice(exchange),
    ...takeFunding(exchange),
    fundLosses: fund.list(),
    liquidatorHoldings: fund.holdings(),
    matching: takeMatching(exchange),
    collateralPrices: [...collaterals].flatMap(({ terms: { asset }, own }) => (own === undefined ? [] : [{ asset, ...own }])),
    twapsMissed: timers.twaps.list().flatMap(({ twapId, missed }) => (missed === NO_LOTS ? [] : [{ twapId, missed }])),
  };
}

function takePractice({
  practiceAssets,
  money,
  positions,
}: Exchange): Pick<Rules7Snapshot, 'practiceAssets' | 'practiceGrants' | 'practiceHedges'> {
  return {
    practiceAssets: [...practiceAssets].sort((left, right) => left - right),
    practiceGrants: [...money.practiceGrants]
      .map(([account, day]) => ({ account, day }))
      .sort((left, right) => left.account - right.account),
    practiceHedges: [...positions.holders()].filter(({ practice }) => practice === 'hedge').map(({ account }) => account),
  };
}

const takeMatching = ({ matching, orders }: Exchange): readonly MatchingSnapshot[] =>
  [...matching.values()].map((orderId) => {
    const { bound, fundsLeft } = orders.known(orderId);
    return { orderId, bound, fundsLeft };
  });

function takeFunding({ contracts, positions }: Exchange): Pick<Rules7Snapshot, 'settlements' | 'unpaidPositions'> {
  const settlements = byId(contracts).flatMap(({ terms: { market }, contract: { funding } }): readonly SettlementSnapshot[] => {
    if (funding.unpaid === undefined) return [];
    const { interval, ratePpb, price, nextAccount, received } = funding.unpaid;
    return [{ market, interval, ratePpb, price, nextAccount, received }];
  });
  if (settlements.length === 0) return { settlements, unpaidPositions: [] };
  const unpaidPositions = [...positions].filter(owesFunding).map(({ exposure, positionSide }) => ({
    market: exposure.contract.terms.market,
    account: exposure.holder.account,
    positionSide,
  }));
  return { settlements, unpaidPositions };
}

/** Behind the orders: what is held for them is in the balances already. */
export function restoreMatching({ orders, positions, matching }: Exchange, snapshot: Rules7Snapshot): void {
  for (const { orderId, bound, fundsLeft } of snapshot.matching) {
    const open = Object.assign(orders.known(orderId), { status: 'matching' as const, bound, fundsLeft });
    if (open.market.contract !== undefined) countResting(positions.at(open.payer), open);
    matching.set(open.order.market, orderId);
  }
}

/** Before the contracts. */
export function restorePracticeAssets({ practiceAssets }: Exchange, snapshot: Rules7Snapshot): void {
  for (const asset of snapshot.practiceAssets) practiceAssets.add(asset);
}

/** Behind the positions. An index counts from the settlement that is unpaid: what came before it everybody has paid. */
export function restoreFunding({ contracts, positions }: Exchange, { settlements, unpaidPositions }: Rules7Snapshot): void {
  for (const { market, ...settlement } of settlements) {
    const contract = contracts.get(market)?.contract;
    assert(contract !== undefined, 'a contract that the state names is listed');
    contract.funding.index = 1;
    contract.funding.unpaid = { ...settlement, left: 0 };
  }
  for (const row of positions) row.fundingIndex = row.exposure.contract.funding.index;
  for (const { market, account, positionSide } of unpaidPositions) {
    const contract = contracts.get(market)?.contract;
    assert(contract?.funding.unpaid !== undefined, 'P2: what is unpaid was settled');
    positions.row(account, contract, positionSide).fundingIndex = 0;
    contract.funding.unpaid.left += 1;
  }
}

export function restoreFund({ liquidations }: Exchange, snapshot: Rules7Snapshot): void {
  liquidations.fund.restore(snapshot);
}

export function restorePractice({ money, positions }: Exchange, snapshot: Rules7Snapshot): void {
  for (const { account, day } of snapshot.practiceGrants) money.practiceGrants.set(account, day);
  for (const account of snapshot.practiceHedges) positions.holder(account).practice = 'hedge';
}

/** After the collaterals. */
export function restoreCollateralPrices({ collaterals }: Exchange, snapshot: Rules7Snapshot): void {
  for (const { asset, price, at } of snapshot.collateralPrices) {
    const collateral = collaterals.get(asset);
    assert(collateral !== undefined, 'a collateral that has a price is listed');
    collateral.own = { price, at };
  }
}

/** After the timers. */
export function restoreTwapsMissed({ timers }: Exchange, snapshot: Rules7Snapshot): void {
  for (const { twapId, missed } of snapshot.twapsMissed) {
    const twap = timers.twaps.get(twapId);
    assert(twap !== undefined, 'a TWAP order that makes something up is at work');
    twap.missed = missed;
  }
}
