/** A position at another mark price than that at which it was read: its value and profit by the rules of the engine. Pure. */
import type { Position } from '@orrery/api';
import { contractNotional, initialMargin, unrealizedProfit } from '@orrery/rules';
import { NO_ATOMS, parseTicks, printAtoms } from '@orrery/units';
import type { Atoms } from '@orrery/units';
import { divideDecimals } from '../../../kit/format/decimal.ts';
import type { ContractMarket } from '../../../market/contract-market.ts';
import { holdingOf } from './position-holding.ts';

const RATIO_DECIMALS = 8;

/** @param mark decimal text; without it the position stays as it was read. Its liquidation and its margin ratio do too: they depend on other positions. */
export function positionAtMark(position: Position, market: ContractMarket, mark: string | null | undefined): Position {
  const price = mark == null ? undefined : parseTicks(mark, market.pricePrecision);
  const holding = holdingOf(position, market);
  if (mark == null || price === undefined || holding === undefined) return position;
  const { margin: terms, settleDecimals } = market;
  const print = (amount: Atoms): string => printAtoms(amount, settleDecimals);
  const profit = unrealizedProfit(holding, price, terms);
  const margin = initialMargin(holding.cost, position.leverage);
  return {
    ...position,
    markPrice: mark,
    notional: print(contractNotional(price, holding.size, terms)),
    unrealizedProfit: print(profit),
    roe: margin === NO_ATOMS ? null : divideDecimals({ dividend: print(profit), divisor: print(margin), decimals: RATIO_DECIMALS }),
  };
}
