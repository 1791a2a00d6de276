/**
 * The figures of a futures account: what its positions are worth at the mark price, what they need, and what is left. Computed by the rules of the engine, for
 * showing; the engine decides by its own books. Everything is in settle atoms.
 */
import type { MarginGroup, Position, PositionSide } from '@orrery/protocol';
import {
  contractNotional,
  feeRates,
  collateralWorth,
  gainsByNotional,
  initialMargin,
  maintenanceMargin,
  openingShare,
  oneWayNeed,
  sideNeed,
  unrealizedProfit,
  type Holding,
  marginGroupOf,
  type OwnCoin,
} from '@orrery/rules';
import {
  addAtoms,
  addLots,
  assert,
  atoms,
  bigintOf,
  divCeil,
  divFloor,
  lots,
  NO_ATOMS,
  NO_LOTS,
  NO_TICKS,
  ticks,
  type AccountId,
  type AssetId,
  type Atoms,
  type Lots,
  type Millis,
  type Ticks,
} from '@orrery/units';
import type { BalancesView } from './balances.ts';
import type { ContractsView, ListedContract } from './contracts.ts';
import type { MarketsView } from './markets.ts';
import type { OrdersView, OrderState } from './orders.ts';
import type { PositionsView } from './positions.ts';

export interface MarginViews {
  readonly contracts: ContractsView;
  readonly positions: PositionsView;
  readonly balances: BalancesView;
  readonly orders: OrdersView;
  readonly markets: MarketsView;
}

/** The wallet whose money is the margin of contracts of this margin group. */
export const WALLET_OF = { linear: 'futures', inverse: 'coinFutures', practice: 'futures' } as const satisfies Record<MarginGroup, string>;

export interface PositionFigures {
  readonly position: Position;
  readonly listed: ListedContract;
  readonly leverage: number;
  readonly isIsolated: boolean;
  /** At the mark price. */
  readonly notional: Atoms;
  readonly unrealized: Atoms;
  readonly initial: Atoms;
  readonly maintenance: Atoms;
}

/** Free collateral of one asset beside the settle asset. */
export interface CollateralFigures extends OwnCoin {
  readonly asset: AssetId;
  /** Of the asset; a contract is on the coin of the same code. */
  readonly code: string;
  /** Decimals of its price. */
  readonly pricePrecision: number;
  /** What it counts for. */
  readonly worth: Atoms;
}

/** The cross account of one margin group and settle asset. */
export interface MarginFigures {
  readonly positions: readonly PositionFigures[];
  /** What the account has of it; in order of registration. */
  readonly collaterals: readonly CollateralFigures[];
  /** Free of the settle asset. */
  readonly free: Atoms;
  /** Held of it: margin of isolated positions and of orders. */
  readonly held: Atoms;
  /** The free settle asset and every other collateral, by price and ratio. */
  readonly collateralValue: Atoms;
  readonly unrealized: Atoms;
  readonly crossUnrealized: Atoms;
  readonly equity: Atoms;
  readonly orderInitial: Atoms;
  /** Of cross positions and orders together. */
  readonly initial: Atoms;
  readonly maintenance: Atoms;
  readonly isolatedMargin: Atoms;
  /** For what opens; from 0. */
  readonly available: Atoms;
  /** What may leave by a transfer, of the settle asset: unrealised profit never does, and 20 % of the notional stays. From 0. */
  readonly transferable: Atoms;
}

const FIFTH = 5n;

/** Undefined while a mark price that it depends on is not known. @param at now, by which prices of collateral are old; without it none is */
export function marginFigures(
  views: MarginViews,
  { account, group, settle, at }: { account: AccountId; group: MarginGroup; settle: AssetId; at?: Millis },
): MarginFigures | undefined {
  const { balances, contracts } = views;
  const isOurs = ({ contract }: ListedContract): boolean => marginGroupOf(contract) === group && contract.settle === settle;
  const positions: PositionFigures[] = [];
  for (const position of views.positions.of(account)) {
    const listed = contracts.contract(position.market);
    if (listed === undefined || !isOurs(listed)) continue;
    const figures = positionFigures(views, position, listed);
    if (figures === undefined) return undefined;
    positions.push(figures);
  }
  const { free, held } = balances.get({ account, wallet: WALLET_OF[group], asset: settle });
  const cross = positions.filter(({ isIsolated }) => !isIsolated);
  const collaterals = group === 'linear' ? otherCollateral(views, account, settle) : [];
  const collateralValue = addAtoms(
    free,
    sum(collaterals, ({ worth }) => worth),
  );
  const aged = at === undefined ? NO_ATOMS : sum(collaterals, (one) => agedOf(views, one, at));
  const crossUnrealized = sum(cross, ({ unrealized }) => unrealized);
  const equity = addAtoms(collateralValue, crossUnrealized);
  const orderInitial = crossOrderNeed(views, account, contracts.contracts().filter(isOurs));
  const initial = addAtoms(
    sum(cross, (each) => each.initial),
    orderInitial,
  );
  const fifth = divCeil(
    sum(cross, ({ notional }) => notional),
    FIFTH,
  );
  const secure = collateralValue - aged + (crossUnrealized < 0n ? crossUnrealized : 0n) - (initial > fifth ? initial : fifth);
  return {
    positions,
    collaterals,
    free,
    held,
    collateralValue,
    unrealized: sum(positions, ({ unrealized }) => unrealized),
    crossUnrealized,
    equity,
    orderInitial,
    initial,
    maintenance: sum(cross, ({ maintenance }) => maintenance),
    isolatedMargin: sum(positions, ({ position }) => position.margin),
    available: fromZero(equity - aged - initial),
    transferable: fromZero(secure < free ? secure : free),
  };
}

/** Undefined while the mark price is not known. */
export function positionFigures(views: MarginViews, position: Position, listed: ListedContract): PositionFigures | undefined {
  const { contract, mark } = listed;
  if (mark === NO_TICKS) return undefined;
  const holding = holdingOf(position);
  const leverage = leverageOf(views, position, listed);
  const notional = contractNotional(mark, holding.size, contract);
  return {
    position,
    listed,
    leverage,
    isIsolated: views.positions.marginMode(position) === 'isolated',
    notional,
    unrealized: unrealizedProfit(holding, mark, contract),
    initial: initialMargin(notional, leverage),
    maintenance: maintenanceMargin(notional, contract.tiers),
  };
}

export const leverageOf = (
  { positions }: MarginViews,
  place: Pick<Position, 'account' | 'market' | 'positionSide'>,
  { contract }: ListedContract,
): number => positions.leverage(place) ?? contract.initLeverage;

export function holdingOf({ size, cost }: Position): Holding {
  assert(size !== 0, 'an open position has a size');
  return { direction: size > 0 ? 'long' : 'short', size: lots(Math.abs(size)), cost };
}

/** What a position is liquidated by: its own equity where it is isolated, else that of the account. */
export const equityOf = ({ isIsolated, position, unrealized }: PositionFigures, account: MarginFigures): Atoms =>
  isIsolated ? addAtoms(position.margin, unrealized) : account.equity;

export const maintenanceOf = ({ isIsolated, maintenance }: PositionFigures, account: MarginFigures): Atoms =>
  isIsolated ? maintenance : account.maintenance;

const MILLION = 1_000_000n;

/**
 * The price at which closing the whole position as a taker leaves neither profit nor loss since it was opened, fees and funding counted; rounded to the side
 * on which nothing is lost. `NO_TICKS` when there is none.
 */
export function breakEvenPrice({ positions }: MarginViews, position: Position, { contract }: ListedContract): Ticks {
  const { tier, rebateTier } = positions.feeTier(position.account);
  const fee = BigInt(feeRates(contract, tier, rebateTier).takerFeePpm);
  const { direction, size, cost } = holdingOf(position);
  const gained = position.realised - position.fees + position.funding;
  const oneTick = bigintOf(size) * contract.tickLotAtoms;
  if (gainsByNotional(direction, contract.payoff)) {
    const least = cost - gained;
    if (least <= 0n) return NO_TICKS;
    const notional = divCeil(least * MILLION, MILLION - fee);
    return ticksOf(contract.payoff === 'linear' ? divCeil(notional, oneTick) : divFloor(oneTick, notional));
  }
  const most = cost + gained;
  if (most <= 0n) return NO_TICKS;
  const notional = divFloor(most * MILLION, MILLION + fee);
  if (notional === 0n) return NO_TICKS;
  return ticksOf(contract.payoff === 'linear' ? divFloor(notional, oneTick) : divCeil(oneTick, notional));
}

const ticksOf = (value: bigint): Ticks => (value > 0n && value <= BigInt(Number.MAX_SAFE_INTEGER) ? ticks(Number(value)) : NO_TICKS);

/** One without a price counts nothing. */
function otherCollateral({ contracts, balances, markets }: MarginViews, account: AccountId, settle: AssetId): CollateralFigures[] {
  const found: CollateralFigures[] = [];
  for (const { asset, ratioPpm, market } of contracts.collaterals()) {
    const spot = markets.market(market);
    const { free: amount } = balances.get({ account, wallet: 'futures', asset });
    if (asset === settle || spot === undefined || amount === NO_ATOMS) continue;
    const { lotAtoms, tickLotAtoms, pricePrecision } = spot.market;
    const price = contracts.collateralPrice(asset)?.price ?? spot.indexPrice;
    const terms = { price, lotAtoms, tickLotAtoms, ratioPpm };
    found.push({ ...terms, asset, code: markets.asset(asset)?.code ?? '', pricePrecision, amount, worth: collateralWorth(amount, terms) });
  }
  return found;
}

/** What of its worth does not count for what opens or leaves, because its price is old. */
function agedOf({ contracts }: MarginViews, { asset, worth }: CollateralFigures, at: Millis): Atoms {
  const price = contracts.collateralPrice(asset);
  return price === undefined ? NO_ATOMS : atoms(worth - openingShare(worth, at - price.at));
}

/** The open orders of one position side that could add to a position, by side of the book. */
interface SideSums {
  readonly buys: { size: Lots; notional: Atoms };
  readonly sells: { size: Lots; notional: Atoms };
}

/** What open orders of an account in one contract need; reduce-only ones and those that wait for a trigger need nothing. */
export function orderNeed(
  { positions }: MarginViews,
  { contract }: ListedContract,
  {
    account,
    orders,
    leverageOf: leverageAt,
  }: { account: AccountId; orders: readonly OrderState[]; leverageOf: (side: PositionSide) => number },
): Atoms {
  const { tier, rebateTier } = positions.feeTier(account);
  const { takerFeePpm } = feeRates(contract, tier, rebateTier);
  const sumsOf = (positionSide: PositionSide): SideSums => {
    const sums = { buys: { size: NO_LOTS, notional: NO_ATOMS }, sells: { size: NO_LOTS, notional: NO_ATOMS } };
    for (const { order, remaining, status } of orders) {
      if (order.contract?.positionSide !== positionSide || order.contract.reduceOnly || status !== 'open' || order.price === NO_TICKS)
        continue;
      const side = order.side === 'buy' ? sums.buys : sums.sells;
      side.size = addLots(side.size, remaining);
      side.notional = addAtoms(side.notional, contractNotional(order.price, remaining, contract));
    }
    return sums;
  };
  if (positions.positionMode(account, marginGroupOf(contract)) === 'oneWay') {
    const size = positions.get({ account, market: contract.market, positionSide: 'both' })?.size ?? 0;
    const held = { long: lots(Math.max(0, size)), short: lots(Math.max(0, 0 - size)) };
    return oneWayNeed({ ...sumsOf('both'), ...held }, { leverage: leverageAt('both'), takerFeePpm });
  }
  return addAtoms(
    sideNeed(sumsOf('long').buys, NO_LOTS, { leverage: leverageAt('long'), takerFeePpm }),
    sideNeed(sumsOf('short').sells, NO_LOTS, { leverage: leverageAt('short'), takerFeePpm }),
  );
}

function crossOrderNeed(views: MarginViews, account: AccountId, contracts: readonly ListedContract[]): Atoms {
  const open = views.orders.open(account);
  return sum(contracts, (listed) => {
    const { market } = listed.contract;
    if (views.positions.marginMode({ account, market }) === 'isolated') return NO_ATOMS;
    const orders = open.filter(({ order }) => order.market === market);
    return orders.length === 0 ? NO_ATOMS : needOf(views, listed, account, orders);
  });
}

/** With the leverage that the account has set. */
export const needOf = (views: MarginViews, listed: ListedContract, account: AccountId, orders: readonly OrderState[]): Atoms =>
  orderNeed(views, listed, {
    account,
    orders,
    leverageOf: (positionSide) => leverageOf(views, { account, market: listed.contract.market, positionSide }, listed),
  });

const sum = <Item>(items: readonly Item[], amountOf: (item: Item) => Atoms): Atoms =>
  items.reduce((total, item) => addAtoms(total, amountOf(item)), NO_ATOMS);

const fromZero = (value: bigint): Atoms => (value > 0n ? atoms(value) : NO_ATOMS);
