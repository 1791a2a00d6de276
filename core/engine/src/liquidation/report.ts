/** What a step of a liquidation did, as a fact that a person can read: by which numbers, and who bore the loss. */
import { addAtoms, addLots, atoms, NO_ATOMS, NO_LOTS, NO_TICKS, negateAtoms, subtractAtoms, type Atoms } from '@orrery/units';
import type { Event, LiquidationStage, PositionReduced } from '@orrery/protocol';
import { entryPrice } from '@orrery/rules';
import type { PositionRow } from '../positions/position-row.ts';
import type { LiquidationCase, LiquidationScope } from './liquidation-scope.ts';

/** The fund and the account of losses that nobody paid, before a step. */
export interface FundsBefore {
  readonly insurance: Atoms;
  readonly uncovered: Atoms;
  /** How many events there were. */
  readonly events: number;
}

export function fundsBefore({ state, events }: LiquidationScope, row: PositionRow): FundsBefore {
  const { settle } = row.exposure.contract.terms;
  return {
    insurance: state.ledger.free(state.ledger.system('INSURANCE', settle)),
    uncovered: state.ledger.free(state.ledger.system('UNCOVERED', settle)),
    events: events.length,
  };
}

export interface StepFacts {
  readonly stage: LiquidationStage;
  readonly fromLiquidator: Atoms;
  /** What the insurance fund paid before the position was closed. */
  readonly fromInsurance: Atoms;
  /** What the gains of others and nobody paid before the position was closed. Since rules 7. */
  readonly shared?: Atoms;
  readonly uncovered?: Atoms;
}

/** Emits the step: what was closed of the position since `before`, at which average price, and who paid its loss. */
export function reportStep(
  scope: LiquidationScope,
  { liquidation, solvency }: LiquidationCase,
  row: PositionRow,
  before: FundsBefore,
  facts: StepFacts,
): void {
  const { events } = scope;
  const { exposure, positionSide } = row;
  const { terms, prices } = exposure.contract;
  const now = fundsBefore(scope, row);
  const caused = events.slice(before.events);
  const closed = caused.filter((event): event is PositionReduced => isOf(event, row));
  // Of those too with whom it traded: what the fund paid for collateral is no loss of anybody.
  const sold = caused.reduce((sum, event) => (event.type === 'CollateralSold' ? addAtoms(sum, event.proceeds) : sum), NO_ATOMS);
  const size = closed.reduce((sum, part) => addLots(sum, part.size), NO_LOTS);
  const notional = closed.reduce((sum, part) => addAtoms(sum, part.notional), NO_ATOMS);
  const profit = closed.reduce((sum, part) => addAtoms(sum, part.profit), NO_ATOMS);
  const fundPaid = subtractAtoms(subtractAtoms(before.insurance, now.insurance), sold);
  const fromInsurance = addAtoms(facts.fromInsurance, atLeastZero(fundPaid));
  // What UNCOVERED lent for collateral that was sold is no loss of the liquidation.
  const lent = fundPaid < NO_ATOMS ? negateAtoms(fundPaid) : NO_ATOMS;
  const unpaid = atLeastZero(subtractAtoms(subtractAtoms(before.uncovered, now.uncovered), lent));
  const uncovered = addAtoms(facts.uncovered ?? NO_ATOMS, unpaid);
  const loss = profit < NO_ATOMS ? atoms(0n - profit) : NO_ATOMS;
  events.push({
    type: 'LiquidationStep',
    liquidationId: liquidation.liquidationId,
    account: liquidation.account,
    market: terms.market,
    positionSide,
    stage: facts.stage,
    mark: prices.mark,
    equity: solvency.equity,
    maintenance: solvency.maintenance,
    size,
    price: size === NO_LOTS || notional === NO_ATOMS ? NO_TICKS : entryPrice(notional, size, terms),
    fromMargin: atLeastZero(atoms(loss - facts.fromLiquidator - fromInsurance - (facts.shared ?? NO_ATOMS) - uncovered)),
    fromLiquidator: facts.fromLiquidator,
    fromInsurance,
    uncovered,
  });
}

const isOf = (event: Event, { exposure, positionSide }: PositionRow): boolean =>
  event.type === 'PositionReduced' &&
  event.account === exposure.holder.account &&
  event.market === exposure.contract.terms.market &&
  event.positionSide === positionSide;

const atLeastZero = (amount: Atoms): Atoms => (amount > NO_ATOMS ? amount : NO_ATOMS);
