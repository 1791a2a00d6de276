/** What a person enters to change a position, read and judged as the fields of an order are. */
import { atoms, parseDecimal, printAtoms, printLots } from '@orrery/units';
import type { Atoms, Lots } from '@orrery/units';
import type { TradedMarket } from '../../../market/market.ts';
import { canonical } from '../ticket/ticket-text.ts';
import type { Issue } from '../ticket/ticket-text.ts';
import type { Read } from './order-rules.ts';

/** No more is closed than is there. @param closable what no other order that reduces the position covers */
export function closableIssue(
  size: Lots,
  closable: Lots,
  { sizePrecision, sizeName: coin }: Pick<TradedMarket, 'sizePrecision' | 'sizeName'>,
): Issue | undefined {
  return size > closable ? { message: 'trade.issue.closable', values: { size: printLots(closable, sizePrecision), coin } } : undefined;
}

/** A whole number from 1. */
export function readLeverage(text: string, most: number): Read<number> {
  if (text === '') return undefined;
  const value = parseDecimal(canonical(text), 0);
  if (value === undefined) return { message: 'trade.issue.leverageWhole', values: { most } };
  return value >= 1n && value <= BigInt(most) ? Number(value) : { message: 'futures.leverage.range', values: { most } };
}

export interface AmountBounds {
  readonly decimals: number;
  readonly coin: string;
  /** In atoms; `undefined` while it is not known. */
  readonly most: Atoms | undefined;
}

/** Money: above nothing, and no more than there is. */
export function readMoney(text: string, { decimals, coin, most }: AmountBounds): Read<Atoms> {
  if (text === '') return undefined;
  const value = parseDecimal(canonical(text), decimals);
  if (value === undefined) return { message: 'trade.issue.sizeDecimals', values: { decimals } };
  if (value === 0n) return { message: 'trade.issue.amountZero' };
  if (most !== undefined && value > most)
    return { message: 'trade.issue.amountHigh', values: { amount: printAtoms(most, decimals), coin } };
  return atoms(value);
}
