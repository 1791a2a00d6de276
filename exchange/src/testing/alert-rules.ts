/** The alert rules and the dashboard as they are deployed, for the tests that compare them with what is measured. */
import { readFileSync } from 'node:fs';

export const ALERT_RULES = readFileSync(new URL('../../../deploy/prometheus/alerts.yml', import.meta.url), 'utf8');

export const alertNames: readonly string[] = [...ALERT_RULES.matchAll(/- alert: (\w+)/g)].map(([, name = '']) => name);

const DASHBOARD = readFileSync(new URL('../../../deploy/grafana/orrery.json', import.meta.url), 'utf8');

/** The series that alerts go by, with `up`, which Prometheus makes itself. */
export const RULE_METRICS: ReadonlySet<string> = new Set(
  [...ALERT_RULES.matchAll(/\b(?:up|(?:orrery|nodejs|process)_\w+)/g)].map(([name]) => name),
);

/** The metrics that alerts and panels go by, without the endings of the series of a histogram. */
export const watchedMetrics: ReadonlySet<string> = new Set(
  [...`${ALERT_RULES}${DASHBOARD}`.matchAll(/\b(?:orrery|nodejs|process)_\w+/g)].map(([name]) => name.replace(/_bucket$/, '')),
);
