import type { Solvency } from '@orrery/rules';
import type { CommandScope } from '../orders/command-scope.ts';
import type { Trading } from '../orders/trading.ts';
import type { Timers } from '../timers/timers.ts';
import type { Liquidation } from '../risk/liquidations.ts';
import type { Cluster } from '../risk/solvency.ts';

/** The part of the state that liquidations need. */
export interface LiquidationState extends Trading {
  readonly timers: Timers;
}

export interface LiquidationScope extends CommandScope {
  readonly state: LiquidationState;
}

/** A liquidation, what is left of its positions, and how safe they are. */
export interface LiquidationCase {
  readonly liquidation: Liquidation;
  readonly cluster: Cluster;
  readonly solvency: Solvency;
}
