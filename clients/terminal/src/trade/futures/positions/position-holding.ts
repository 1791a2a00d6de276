/** A position of the API in the numbers of the rules. */
import type { MarginAccount, Position } from '@orrery/api';
import { gainsByNotional } from '@orrery/rules';
import type { Direction, Holding } from '@orrery/rules';
import { atoms, NO_ATOMS, parseDecimal, parseLots } from '@orrery/units';
import type { Atoms } from '@orrery/units';
import type { ContractMarket } from '../contract/contract-market.ts';
import type { Backing } from './projection.ts';

/** Decimal text of either sign in atoms; what is finer than an atom never comes from the exchange. */
export function signedAtoms(text: string | null | undefined, decimals: number): Atoms {
  if (text == null) return NO_ATOMS;
  const isNegative = text.startsWith('-');
  const value = parseDecimal(isNegative ? text.slice(1) : text, decimals) ?? 0n;
  return atoms(isNegative ? -value : value);
}

export const directionOf = ({ positionSize }: Pick<Position, 'positionSize'>): Direction =>
  positionSize.startsWith('-') ? 'short' : 'long';
export const absolute = (signed: string): string => signed.replace(/^-/, '');

/** `undefined` of an empty position, and while no mark price is known. The cost is what the notional and the profit leave: it is exact. */
export function holdingOf(position: Position, { margin, settleDecimals, sizePrecision }: ContractMarket): Holding | undefined {
  const size = parseLots(absolute(position.positionSize), sizePrecision);
  if (size === undefined || size === 0 || position.notional === null) return undefined;
  const direction = directionOf(position);
  const notional = signedAtoms(position.notional, settleDecimals);
  const profit = signedAtoms(position.unrealizedProfit, settleDecimals);
  return { direction, size, cost: atoms(gainsByNotional(direction, margin.payoff) ? notional - profit : notional + profit) };
}

/** What stands behind the position now. `undefined` while the equity of the account is not known. */
export function backingOf(position: Position, account: MarginAccount | undefined, { settleDecimals }: ContractMarket): Backing | undefined {
  const { positionType: mode, leverage } = position;
  const read = (text: string | null): Atoms => signedAtoms(text, settleDecimals);
  if (mode === 'ISOLATED') return { mode, leverage, margin: read(position.isolatedMargin) };
  if (account === undefined || account.equity === null) return undefined;
  const others = read(account.maintenanceMargin) - read(position.maintenanceMargin);
  return { mode, leverage, margin: atoms(read(account.equity) - read(position.unrealizedProfit) - others) };
}
