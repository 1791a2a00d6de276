/** The position that a dialog is about as it is now: meanwhile a fill, another tab or a stop may change it. */
import type { Position } from '@orrery/api';
import { NO_TICKS, parseTicks } from '@orrery/units';
import type { Ticks } from '@orrery/units';
import type { ContractMarket } from '../../../market/contract-market.ts';
import { useContractQuotes } from '../../../platform/data/streams/use-streams.ts';
import { useContractPositions, useMarginAccount, usePositions } from '../account.ts';
import type { InContracts } from './position-holding.ts';

export interface PositionNow {
  readonly position: Position;
  /** 0 while it is not known. */
  readonly mark: Ticks;
  readonly held: InContracts;
}

/** @param opened as it was when the dialog opened */
export function usePositionNow(opened: Position, market: ContractMarket): PositionNow {
  const { symbol, positionSide } = opened;
  const positions = usePositions().value;
  const legs = useContractPositions(market);
  const account = useMarginAccount(market);
  const quotes = useContractQuotes();
  const isIt = (one: Position): boolean => one.symbol === symbol && one.positionSide === positionSide;
  const known = positions?.find(isIt) ?? legs?.find(isIt) ?? opened;
  // Its cost follows from its value and its profit at one time: they stay as they were read.
  const markPrice = (quotes.phase === 'fresh' ? quotes.value.get(symbol)?.m : undefined) ?? known.markPrice;
  const position = { ...known, markPrice };
  const mark = markPrice === null ? undefined : parseTicks(markPrice, market.pricePrecision);
  return { position, mark: mark ?? NO_TICKS, held: { account, legs, positions } };
}
