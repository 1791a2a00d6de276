/** Positions in the words and decimals of the public contract, with the figures that the rules give them at the mark price. */
import type { AdlRank, Position as PositionText, PositionTerms } from '@orrery/api';
import type { Position, PositionSide } from '@orrery/protocol';
import { entryPrice, initialMargin, marginGroupOf } from '@orrery/rules';
import { lots, NO_ATOMS, NO_LOTS, printAtoms, printDecimal, printLots, type AccountId, type Atoms, type Lots } from '@orrery/units';
import {
  breakEvenPrice,
  equityOf,
  holdingOf,
  leverageOf,
  liquidationPriceOf,
  maintenanceOf,
  marginFigures,
  needOf,
  type ListedContract,
  type OrderState,
  type PositionFigures,
} from '@orrery/views';
import type { Floor } from '../floor.ts';
import { settleOf, shareOf, UNDERLYINGS } from './contract-listing.ts';
import { priceIn } from './futures-market.ts';
import { POSITION_SIDE_NAMES } from './futures-order-text.ts';

/** The open positions; of one contract the empty ones too, by the position mode of the account. */
export function positionsOf(floor: Floor, account: AccountId, of: ListedContract | undefined): PositionText[] {
  if (of === undefined) {
    return floor.positions.of(account).map((position) => positionText(floor, position, floor.listedContract(position.market)));
  }
  const { market } = of.contract;
  return sidesOf(floor, account, of).map((positionSide) => {
    const position = floor.positions.get({ account, market, positionSide });
    return position === undefined ? emptyText(floor, { account, positionSide }, of) : positionText(floor, position, of);
  });
}

/** What the account has set for its positions in a contract, open or empty. */
export const termsOf = (floor: Floor, account: AccountId, listed: ListedContract): PositionTerms[] =>
  sidesOf(floor, account, listed).map((positionSide) => termsText(floor, { account, positionSide }, listed));

const sidesOf = (floor: Floor, account: AccountId, { contract }: ListedContract): readonly PositionSide[] =>
  floor.positions.positionMode(account, marginGroupOf(contract)) === 'oneWay' ? ['both'] : ['long', 'short'];

export function positionText(floor: Floor, position: Position, listed: ListedContract): PositionText {
  const { contract, mark } = listed;
  const { account } = position;
  if (position.size === 0) return emptyText(floor, position, listed);
  const figures = marginFigures(floor, { account, group: marginGroupOf(contract), settle: contract.settle });
  const own = figures?.positions.find((each) => each.position === position);
  const { decimals } = settleOf(floor, contract);
  const print = (amount: Atoms): string => printAtoms(amount, decimals);
  const price = priceIn(contract);
  const { size } = holdingOf(position);
  return {
    ...emptyText(floor, position, listed),
    ...orderSizes(floor, position, listed),
    positionSize: printDecimal(BigInt(position.size), contract.sizePrecision),
    entryPrice: price(entryPrice(position.cost, size, contract)),
    breakEvenPrice: price(breakEvenPrice(floor, position, listed)),
    markPrice: price(mark),
    isolatedMargin: print(position.margin),
    realizedProfit: print(position.realised),
    cumTradingFee: print(position.fees),
    cumFunding: print(position.funding),
    adlRank: floor.adlLights.of(position),
    createdTime: position.openedAt,
    ...(figures === undefined || own === undefined
      ? {}
      : {
          liquidationPrice: price(liquidationPriceOf(own, figures)),
          notional: print(own.notional),
          initialMargin: print(own.initial),
          maintenanceMargin: print(own.maintenance),
          marginRatio: ratioOf(maintenanceOf(own, figures), equityOf(own, figures)),
          unrealizedProfit: print(own.unrealized),
          roe: returnOf(own),
        }),
  };
}

/** Null where nothing is left: then the liquidation is under way. */
const ratioOf = (maintenance: Atoms, equity: Atoms): string | null => (equity <= 0n ? null : shareOf(maintenance, equity));

function returnOf({ position, unrealized, leverage }: PositionFigures): string {
  return shareOf(unrealized, initialMargin(position.cost, leverage));
}

type OfAccount = Pick<Position, 'account' | 'positionSide'>;

function termsText(floor: Floor, { account, positionSide }: OfAccount, listed: ListedContract): PositionTerms {
  const place = { account, market: listed.contract.market, positionSide };
  return {
    symbol: listed.contract.symbol,
    positionSide: POSITION_SIDE_NAMES[positionSide],
    positionType: floor.positions.marginMode(place) === 'isolated' ? 'ISOLATED' : 'CROSSED',
    leverage: leverageOf(floor, place, listed),
    autoMargin: floor.positions.autoMargin(place),
  };
}

function emptyText(floor: Floor, { account, positionSide }: OfAccount, listed: ListedContract): PositionText {
  const { contract, mark } = listed;
  return {
    ...termsText(floor, { account, positionSide }, listed),
    contractType: 'PERPETUAL',
    underlyingType: UNDERLYINGS[marginGroupOf(contract)],
    positionSize: '0',
    ...orderSizes(floor, { account, positionSide, size: 0 }, listed),
    settleCoin: settleOf(floor, contract).code,
    entryPrice: null,
    breakEvenPrice: null,
    markPrice: priceIn(contract)(mark),
    liquidationPrice: null,
    notional: null,
    isolatedMargin: '0',
    initialMargin: null,
    maintenanceMargin: null,
    marginRatio: null,
    unrealizedProfit: null,
    roe: null,
    realizedProfit: '0',
    cumTradingFee: '0',
    cumFunding: '0',
    adlRank: 0,
    createdTime: null,
  };
}

type OrderSizes = Pick<PositionText, 'closeOrderSize' | 'availableCloseSize' | 'openOrderSize' | 'openOrderMarginFrozen'>;

/** What rests against a position, and what would add to it; of an empty one everything adds. */
function orderSizes(floor: Floor, place: OfAccount & { size: number }, listed: ListedContract): OrderSizes {
  const { contract } = listed;
  const { account, positionSide, size } = place;
  const resting = floor.orders
    .open(account)
    .filter(({ order, status }) => order.market === contract.market && order.contract?.positionSide === positionSide && status === 'open');
  const closes = ({ order }: OrderState): boolean => size !== 0 && (order.side === 'sell') === size > 0;
  const sum = (orders: readonly OrderState[]): number => orders.reduce((total, { remaining }) => total + remaining, 0);
  const closing = Math.min(Math.abs(size), sum(resting.filter(closes)));
  const print = (count: number): string => printLots(count === 0 ? NO_LOTS : (lots(count) satisfies Lots), contract.sizePrecision);
  const isIsolated = floor.positions.marginMode({ account, market: contract.market }) === 'isolated';
  const frozen = isIsolated && resting.length > 0 ? needOf(floor, listed, account, resting) : NO_ATOMS;
  return {
    closeOrderSize: print(closing),
    availableCloseSize: print(Math.abs(size) - closing),
    openOrderSize: print(sum(resting.filter((state) => !closes(state)))),
    openOrderMarginFrozen: printAtoms(frozen, settleOf(floor, contract).decimals),
  };
}

/** Contract by contract; 0 lights where there is no position. */
export function adlRanksOf(floor: Floor, account: AccountId): AdlRank[] {
  const ranks = new Map<number, { -readonly [Field in keyof AdlRank]: AdlRank[Field] }>();
  for (const position of floor.positions.of(account)) {
    const { symbol } = floor.listedContract(position.market).contract;
    const rank = ranks.get(position.market) ?? { symbol, longQuantile: 0, shortQuantile: 0 };
    rank[position.size > 0 ? 'longQuantile' : 'shortQuantile'] = floor.adlLights.of(position);
    ranks.set(position.market, rank);
  }
  return [...ranks.values()];
}
