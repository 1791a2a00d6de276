/** Runs experiments and reports their results. */
import type { Context, Experiment, Findings } from './experiment.ts';

export interface Outcome {
  readonly experiment: Experiment;
  readonly findings: Findings;
  readonly seconds: number;
}

/** An experiment that throws has no result: that is a violation too. */
export async function conduct(experiment: Experiment, context: Context): Promise<Outcome> {
  const started = performance.now();
  const findings = await experiment.run(context).catch((cause: unknown): Findings => {
    const why = cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);
    return { trials: 0, facts: {}, violations: [`the experiment broke off: ${why}`] };
  });
  return { experiment, findings, seconds: (performance.now() - started) / 1_000 };
}

/** Held means: it was done, and nothing was found. */
export const held = ({ findings }: Outcome): boolean =>
  findings.notRun === undefined && findings.trials > 0 && findings.violations.length === 0;

export const broke = (outcome: Outcome): boolean => outcome.findings.notRun === undefined && !held(outcome);

/** One line for each experiment, in columns, and under it each violation in full. */
export function summary(outcomes: readonly Outcome[]): string {
  const rows = [['experiment', 'trials', 'violations', 'seconds', 'facts'], ...outcomes.map(rowOf)];
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)));
  const lines = rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  const violations = outcomes.flatMap(({ experiment, findings }) => findings.violations.map((line) => `${experiment.id}: ${line}`));
  return [...lines, ...violations].join('\n');
}

function rowOf({ experiment, findings, seconds }: Outcome): readonly string[] {
  const name = `${experiment.id} ${experiment.title}`;
  if (findings.notRun !== undefined) return [name, '-', '-', '-', `not run: ${findings.notRun}`];
  const facts = Object.entries(findings.facts).map(([fact, value]) => `${fact} ${value}`);
  return [name, String(findings.trials), String(findings.violations.length), seconds.toFixed(1), facts.join(', ')];
}
