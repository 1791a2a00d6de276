/** A running TWAP in the words and decimals of the public contract. */
import type { EndedTwap as EndedText, Twap } from '@orrery/api';
import { printLots } from '@orrery/units';
import type { EndedTwap, RunningTwap } from '@orrery/views';
import type { Floor } from '../floor.ts';
import { POSITION_SIDE_NAMES, SIDE_NAMES } from './futures-order-text.ts';

export function twapText(floor: Floor, twap: RunningTwap): Twap {
  const { contract } = floor.listedContract(twap.market);
  return {
    twapId: String(twap.twapId),
    clientOrderId: twap.key,
    symbol: contract.symbol,
    orderSide: SIDE_NAMES[twap.side],
    positionSide: POSITION_SIDE_NAMES[twap.positionSide],
    origQty: printLots(twap.size, contract.sizePrecision),
    minutes: twap.minutes,
    reduceOnly: twap.reduceOnly,
    executedQty: printLots(twap.filled, contract.sizePrecision),
    createdTime: twap.acceptedAt,
  };
}

export const endedTwapText = (floor: Floor, twap: EndedTwap): EndedText => ({
  ...twapText(floor, twap),
  closeReason: twap.reason,
  closedTime: twap.closedAt,
});
