/** A liquidation from its steps: which of an account's steps belong together, and what they amount to. Pure. */
import type { ClosedPosition, Liquidation } from '@orrery/api';
import { addAtoms, divFloor, NO_ATOMS, parseAtoms, parseDecimal, printAtoms, printDecimal } from '@orrery/units';
import { signedAtoms } from '../positions/position-holding.ts';

/** By which a liquidation is looked for: its number, or the position that it ended. */
export type LiquidationName =
  | { readonly symbol: string; readonly liquidationId: string }
  | (Pick<ClosedPosition, 'positionSide' | 'createdTime' | 'closedTime'> & { readonly symbol: string });

/** Oldest first. @param steps newest first, of one contract at least */
export function stepsOf(steps: readonly Liquidation[], name: LiquidationName): readonly Liquidation[] {
  const here = steps.filter(({ symbol }) => symbol === name.symbol).toReversed();
  if ('liquidationId' in name) return here.filter(({ liquidationId }) => liquidationId === name.liquidationId);
  const isDuring = ({ positionSide, createdTime }: Liquidation): boolean =>
    positionSide === name.positionSide && createdTime >= name.createdTime && createdTime <= name.closedTime;
  // A position may have outlived an earlier one that took a part of it: the last one ended it.
  const last = here.findLast(isDuring);
  return here.filter((step) => isDuring(step) && step.liquidationId === last?.liquidationId);
}

export interface LiquidationSum {
  readonly size: string;
  readonly fromMargin: string;
  readonly fromLiquidator: string;
  readonly fromInsurance: string;
  readonly uncovered: string;
}

export interface Decimals {
  readonly size: number;
  readonly settle: number;
}

export function sumOf(steps: readonly Liquidation[], decimals: Decimals): LiquidationSum {
  const money = (of: (step: Liquidation) => string): string =>
    printAtoms(
      steps.reduce((sum, step) => addAtoms(sum, parseAtoms(of(step), decimals.settle) ?? NO_ATOMS), NO_ATOMS),
      decimals.settle,
    );
  return {
    size: printDecimal(
      steps.reduce((sum, { size }) => sum + (parseDecimal(size, decimals.size) ?? 0n), 0n),
      decimals.size,
    ),
    fromMargin: money(({ fromMargin }) => fromMargin),
    fromLiquidator: money(({ fromLiquidator }) => fromLiquidator),
    fromInsurance: money(({ fromInsurance }) => fromInsurance),
    uncovered: money(({ uncovered }) => uncovered),
  };
}

const TENTHS_OF_PERCENT = 1_000n;

/** Equity in per cent of the maintenance margin, one decimal, rounded down: below 100 it is liquidated. Of a debt it is 0. */
export function coverOf({ equity, maintenanceMargin }: Pick<Liquidation, 'equity' | 'maintenanceMargin'>, settleDecimals: number): string {
  const [has, needs] = [signedAtoms(equity, settleDecimals), signedAtoms(maintenanceMargin, settleDecimals)];
  return has <= 0n || needs === 0n ? '0' : printDecimal(divFloor(has * TENTHS_OF_PERCENT, needs), 1);
}
