/** Prometheus with our rules, asking every program of ours. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { repository } from '../step.ts';
import type { Machine } from './machines.ts';
import type { PartPlan } from './part.ts';

export const PROMETHEUS_PORT = 9090;

interface PrometheusOptions {
  readonly directory: string;
  readonly measured: readonly { readonly name: string; readonly target: string }[];
}

export function prometheusPlan(outside: Machine, { directory, measured }: PrometheusOptions): PartPlan {
  const own = join(directory, 'prometheus-1');
  mkdirSync(own, { recursive: true, mode: 0o700 });
  const file = join(own, 'prometheus.json');
  const settings = {
    global: { scrape_interval: '5s', evaluation_interval: '5s' },
    rule_files: [join(repository, 'deploy/prometheus/alerts.yml')],
    scrape_configs: [
      { job_name: 'orrery', static_configs: measured.map(({ name, target }) => ({ targets: [target], labels: { program: name } })) },
    ],
  };
  writeFileSync(file, JSON.stringify(settings, undefined, 2), { mode: 0o600 });
  return {
    name: 'prometheus-1',
    machine: outside,
    directory: own,
    command: [
      'prometheus',
      `--config.file=${file}`,
      `--storage.tsdb.path=${join(own, 'data')}`,
      '--storage.tsdb.retention.time=2d',
      `--web.listen-address=127.0.0.1:${PROMETHEUS_PORT}`,
    ],
  };
}
