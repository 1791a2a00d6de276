/** What a snapshot holds of perpetual contracts: since layout 4. */
import {
  accountId,
  assert,
  lots,
  millis,
  NO_ATOMS,
  NO_LOTS,
  NO_POSITION,
  type AccountId,
  type Atoms,
  type Lots,
  type MarketId,
  type Millis,
  type OrderId,
  type SignedLots,
  type Ticks,
} from '@orrery/units';
import type { Collateral, Contract, MarginMode, MarketState, Order, PositionMode, PositionSide } from '@orrery/protocol';
import type { Exchange } from '../exchange.ts';
import { newListedContract, type ListedContract } from '../instruments/listed-market.ts';
import type { Liquidation } from '../risk/liquidations.ts';
import { isLong, type PositionRow } from '../positions/position-row.ts';
import { newContractState } from '../positions/contract-state.ts';
import type { ContractPrices } from '../prices/contract-prices.ts';
import type { Marks } from '../triggers/trigger-ladder.ts';
import type { Timers } from '../timers/timers.ts';
import type { Twap } from '../timers/twaps.ts';
import type { TrailMark } from '../triggers/trail.ts';
import { orderNeedOf } from '../margin/order-need.ts';
import { byId } from './in-order.ts';

/** By kind of price: what it reached whose triggers have not all fired. */
export interface MarksByPrice {
  readonly last: Marks;
  readonly mark: Marks;
  readonly index: Marks;
}

/** What the trailing stops have seen, oldest first. */
export interface TrailsByPrice {
  readonly last: readonly TrailMark[];
  readonly mark: readonly TrailMark[];
  readonly index: readonly TrailMark[];
}

/** A scheduled cancel. */
export interface CancelSnapshot {
  readonly account: AccountId;
  readonly at: Millis;
}

export interface TimersSnapshot {
  readonly cancels: readonly CancelSnapshot[];
  readonly twaps: readonly Readonly<Omit<Twap, 'missed'>>[];
  readonly lastTwapId: number;
  readonly ranAt: Millis;
}

export interface ContractSnapshot {
  readonly terms: Contract;
  readonly state: MarketState;
  readonly lastPrice: Ticks;
  readonly lastTradeAt: Millis;
  readonly prices: Readonly<ContractPrices>;
  readonly reached: MarksByPrice;
  /** Orders that wait for a trigger that stands still, in the order in which they are reached. */
  readonly waiting: readonly OrderId[];
  readonly trailing: TrailsByPrice;
  /** Resting orders in priority: buys, then sells. */
  readonly resting: readonly OrderId[];
}

/** Of an account that has set anything. */
export interface HolderSnapshot {
  readonly account: AccountId;
  readonly linear: PositionMode;
  readonly inverse: PositionMode;
  readonly feeTier: number;
  readonly rebateTier: number;
}

/** Of an account in a contract whose margin is isolated. */
export interface ExposureSnapshot {
  readonly account: AccountId;
  readonly market: MarketId;
  readonly mode: MarginMode;
}

/** An open position, or settings of a closed one, of which nothing else counts. */
export interface PositionSnapshot {
  readonly account: AccountId;
  readonly market: MarketId;
  readonly positionSide: PositionSide;
  readonly leverage: number;
  readonly autoMargin: boolean;
  readonly size: SignedLots;
  readonly cost: Atoms;
  readonly margin: Atoms;
  readonly realised: Atoms;
  readonly fees: Atoms;
  readonly funding: Atoms;
  readonly openedAt: Millis;
  readonly maxSize: Lots;
}

/** At most one: the account that takes positions over, or 0, and the last id of a liquidation. */
export interface LiquidatorSnapshot {
  readonly liquidator: number;
  readonly lastId: number;
}

export interface ContractsSnapshot {
  readonly contracts: readonly ContractSnapshot[];
  readonly collaterals: readonly Collateral[];
  readonly holders: readonly HolderSnapshot[];
  readonly exposures: readonly ExposureSnapshot[];
  readonly positions: readonly PositionSnapshot[];
  /** Open orders that were amended under their id, as they were asked for; by id. */
  readonly asked: readonly Order[];
  readonly timers: TimersSnapshot;
  readonly liquidators: readonly LiquidatorSnapshot[];
  /** By id. */
  readonly liquidations: readonly Readonly<Liquidation>[];
}

export const NO_CONTRACTS: ContractsSnapshot = {
  contracts: [],
  collaterals: [],
  holders: [],
  exposures: [],
  positions: [],
  asked: [],
  timers: { cancels: [], twaps: [], lastTwapId: 0, ranAt: millis(0) },
  liquidators: [],
  liquidations: [],
};

export function takeContracts({ contracts, collaterals, positions, orders, timers, liquidations }: Exchange): ContractsSnapshot {
  const holders = [...positions.holders()];
  return {
    contracts: byId(contracts).map(contractSnapshot),
    collaterals: [...collaterals].map(({ terms }) => terms),
    holders: holders
      .filter(hasSettings)
      .map(({ account, linear, inverse, feeTier, rebateTier }) => ({ account, linear, inverse, feeTier, rebateTier })),
    exposures: holders.flatMap(({ account, exposures }) =>
      exposures.filter(({ mode }) => mode === 'isolated').map(({ contract, mode }) => ({ account, market: contract.terms.market, mode })),
    ),
    positions: [...positions].filter(isKept).map(positionSnapshot),
    asked: [...orders].filter(({ order, asked }) => order !== asked).map(({ asked }) => asked),
    timers: timersSnapshot(timers),
    liquidators: isUsed(liquidations) ? [{ liquidator: liquidations.liquidator, lastId: liquidations.lastId }] : [],
    liquidations: liquidations.list(),
  };
}

function contractSnapshot({ terms, state, lastPrice, lastTradeAt, contract, triggers, book }: ListedContract): ContractSnapshot {
  return {
    terms,
    state,
    lastPrice,
    lastTradeAt,
    prices: contract.prices,
    reached: { last: triggers.marks('last'), mark: triggers.marks('mark'), index: triggers.marks('index') },
    waiting: triggers.standing(),
    trailing: { last: triggers.trailMarks('last'), mark: triggers.trailMarks('mark'), index: triggers.trailMarks('index') },
    resting: [...book.orders('buy'), ...book.orders('sell')].map((slot) => book.orderIdOf(slot)),
  };
}

const isUsed = ({ liquidator, lastId }: LiquidatorSnapshot): boolean => liquidator > 0 || lastId > 0;

const hasSettings = ({ linear, inverse, feeTier, rebateTier }: HolderSnapshot): boolean =>
  linear === 'hedge' || inverse === 'hedge' || feeTier > 0 || rebateTier > 0;

const isKept = ({ size, leverage, autoMargin, exposure }: PositionRow): boolean =>
  size !== NO_POSITION || autoMargin || leverage !== exposure.contract.terms.initLeverage;

function positionSnapshot(row: PositionRow): PositionSnapshot {
  const { exposure, positionSide, leverage, autoMargin, size, cost, margin } = row;
  const { realised, fees, funding, openedAt, maxSize } = size === NO_POSITION ? CLOSED : row;
  const place = { account: exposure.holder.account, market: exposure.contract.terms.market, positionSide };
  return { ...place, leverage, autoMargin, size, cost, margin, realised, fees, funding, openedAt, maxSize };
}

const CLOSED = { realised: NO_ATOMS, fees: NO_ATOMS, funding: NO_ATOMS, openedAt: millis(0), maxSize: NO_LOTS };

function timersSnapshot({ cancels, twaps, ranAt }: Timers): TimersSnapshot {
  return {
    cancels: cancels.entries().map(({ id, at }) => ({ account: accountId(id), at })),
    twaps: twaps.list(),
    lastTwapId: twaps.lastTwapId,
    ranAt,
  };
}

export function restoreTimers({ timers }: Exchange, snapshot: TimersSnapshot): void {
  for (const { account, at } of snapshot.cancels) timers.cancels.set(account, at);
  for (const twap of snapshot.twaps) timers.twaps.enter({ ...twap, missed: NO_LOTS });
  timers.twaps.lastTwapId = snapshot.lastTwapId;
  timers.ranAt = snapshot.ranAt;
}

/** Behind the markets, the accounts and the balances, before the orders. */
export function restoreContracts(exchange: Exchange, snapshot: ContractsSnapshot): void {
  const { contracts, markets, collaterals, positions, ledger } = exchange;
  for (const { terms, state, lastPrice, lastTradeAt, prices } of snapshot.contracts) {
    const contract = newContractState(terms, exchange.practiceAssets.has(terms.settle));
    Object.assign(contract.prices, prices);
    const listed = newListedContract(contract, exchange.clearingOfContract(contract));
    contracts.set(terms.market, Object.assign(listed, { state, lastPrice, lastTradeAt }));
  }
  for (const terms of snapshot.collaterals) collaterals.set({ terms, market: present(markets.get(terms.market)), own: undefined });
  for (const { account, ...settings } of snapshot.holders) Object.assign(positions.holder(account), settings);
  for (const { account, market, mode } of snapshot.exposures)
    positions.exposure(account, present(contracts.get(market)).contract).mode = mode;
  for (const { account, market, positionSide, ...settings } of snapshot.positions) {
    const { contract } = present(contracts.get(market));
    const row = Object.assign(positions.row(account, contract, positionSide), settings);
    if (row.size !== NO_POSITION) contract.openPositions += 1;
    if (isLong(row)) contract.openInterest = lots(contract.openInterest + row.size);
    ledger.restorePositionMargin(row.exposure.balance, row.margin);
  }
  restoreLiquidations(exchange, snapshot);
}

function restoreLiquidations({ liquidations }: Exchange, snapshot: ContractsSnapshot): void {
  for (const { liquidator, lastId } of snapshot.liquidators) {
    liquidations.liquidator = liquidator === 0 ? 0 : accountId(liquidator);
    liquidations.lastId = lastId;
  }
  for (const liquidation of snapshot.liquidations) liquidations.restore({ ...liquidation });
}

/** Behind the orders, whose reservations are in the balances already. */
export function restoreReserved({ positions }: Exchange): void {
  for (const { exposures } of positions.holders()) {
    for (const exposure of exposures) {
      if (exposure.mode === 'isolated') exposure.reserved = orderNeedOf(exposure);
    }
  }
}

function present<Value>(value: Value | undefined): Value {
  assert(value !== undefined, 'what the state names is listed');
  return value;
}
