/** The way to a first liquidation in practice: what is done, and the one thing to do next. */

export type PracticeStepName = 'money' | 'position' | 'move' | 'why';

export interface PracticeStep {
  readonly name: PracticeStepName;
  readonly state: 'done' | 'current' | 'later';
}

export interface PracticeState {
  readonly hasMoney: boolean;
  readonly hasPosition: boolean;
  /** A position was liquidated here before. */
  readonly wasLiquidated: boolean;
}

const NAMES = ['money', 'position', 'move', 'why'] as const satisfies readonly PracticeStepName[];

/** An open position is practised with, whatever was before it. */
export function practiceSteps({ hasMoney, hasPosition, wasLiquidated }: PracticeState): readonly PracticeStep[] {
  const current: PracticeStepName = hasPosition ? 'move' : wasLiquidated ? 'why' : hasMoney ? 'position' : 'money';
  const place = NAMES.indexOf(current);
  return NAMES.map((name, index) => ({ name, state: index < place ? 'done' : index === place ? 'current' : 'later' }));
}
