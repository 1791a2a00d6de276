/** The most that an order in a contract may have, by the rule that pages show. */
import type { OrderSideName, PositionSideName } from '@orrery/api';
import { marginGroupOf, MOST_SLACK_PPM, mostOfContract, worseBy } from '@orrery/rules';
import { lots, NO_ATOMS, NO_LOTS, NO_TICKS, printAtoms, printLots, printTicks, type AccountId, type Ticks } from '@orrery/units';
import type { Side } from '@orrery/protocol';
import { marginFigures, type ListedContract } from '@orrery/views';
import type { Floor } from '../floor.ts';
import { contractNamed, settleOf } from './contract-listing.ts';
import { POSITION_SIDES, priceIn, SIDES } from './parse-contract-order.ts';

interface Asked {
  readonly symbol: string;
  readonly orderSide: OrderSideName;
  readonly positionSide?: PositionSideName;
  readonly price?: string;
  readonly reduceOnly?: 'true' | 'false';
}

export function futuresMaxSize(floor: Floor, account: AccountId, asked: Asked) {
  const listed = contractNamed(floor, asked.symbol);
  const { contract, mark } = listed;
  const side = SIDES[asked.orderSide];
  const positionSide = POSITION_SIDES[asked.positionSide ?? 'BOTH'];
  const place = { account, market: contract.market, positionSide };
  const size = floor.positions.get(place)?.size ?? 0;
  const closes = size > 0 === (side === 'sell') ? lots(Math.abs(size)) : NO_LOTS;
  const isClosing = (positionSide === 'long' && side === 'sell') || (positionSide === 'short' && side === 'buy');
  const price = asked.price === undefined ? marketPrice(floor, listed, side) : priceIn(asked.price, 'price', listed);
  const available =
    marginFigures(floor, { account, group: marginGroupOf(contract), settle: contract.settle, at: floor.at })?.available ?? NO_ATOMS;
  const leverage = floor.positions.leverage(place) ?? contract.initLeverage;
  const most = mostOfContract({
    side,
    price,
    mark: mark === NO_TICKS ? mark : worseBy(mark, MOST_SLACK_PPM, side === 'buy' ? 'sell' : 'buy'),
    leverage,
    available,
    closes,
    isReducing: isClosing || asked.reduceOnly === 'true',
    takerFeePpm: contract.takerFeePpm,
    maxSize: contract.maxSize,
    terms: contract,
  });
  return {
    symbol: asked.symbol,
    orderSide: asked.orderSide,
    maxQty: printLots(most, contract.sizePrecision),
    closeQty: printLots(closes, contract.sizePrecision),
    price: price === NO_TICKS ? null : printTicks(price, contract.pricePrecision),
    leverage,
    availableBalance: printAtoms(available, settleOf(floor, contract).decimals),
  };
}

/** A bit worse than the best price against it, and than the mark. */
function marketPrice(floor: Floor, { contract, mark }: ListedContract, side: Side): Ticks {
  const best = floor.depth(contract.market).best(side === 'buy' ? 'sell' : 'buy')?.price ?? mark;
  const worse = mark === NO_TICKS || (side === 'buy' ? best > mark : best < mark) ? best : mark;
  return worse === NO_TICKS ? worse : worseBy(worse, MOST_SLACK_PPM, side);
}
