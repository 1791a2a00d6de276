/** The alert rules and the dashboard as they are deployed, for the tests that compare them with what is measured. */
import { readFileSync } from 'node:fs';

export const ALERT_RULES = readFileSync(new URL('../../../deploy/prometheus/alerts.yml', import.meta.url), 'utf8');

export const alertNames: readonly string[] = [...ALERT_RULES.matchAll(/- alert: (\w+)/g)].map(([, name = '']) => name);

const DASHBOARD = readFileSync(new URL('../../../deploy/grafana/orrery.json', import.meta.url), 'utf8');

/** A file of rules with one of them alone: the others would only take time. */
export function rulesWith(alert: string): string {
  const [head = '', ...rules] = ALERT_RULES.split(/^(?= {6}- alert: )/m);
  const rule = rules.find((each) => each.startsWith(`      - alert: ${alert}\n`));
  if (rule === undefined) throw new Error(`there is no alert ${alert}`);
  return `${head}${rule}`;
}

/** The metrics that alerts and panels go by, without the endings of the series of a histogram. */
export const watchedMetrics: ReadonlySet<string> = new Set(
  [...`${ALERT_RULES}${DASHBOARD}`.matchAll(/\b(?:orrery|nodejs|process)_\w+/g)].map(([name]) => name.replace(/_bucket$/, '')),
);
