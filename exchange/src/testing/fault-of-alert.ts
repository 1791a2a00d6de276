/**
 * A test of one alert by its fault: pages of `/metrics` that were read before a real fault, while it lasted and after it was mended are what Prometheus' own
 * tool judges the rules of `deploy/prometheus` by.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { rulesWith } from './alert-rules.ts';
import { hasPromtool, promtool } from './promtool.ts';
import { inputSeries, type Page, SCRAPE_SECONDS, scrapesOf, type Span } from './scraped-pages.ts';

export interface Fault {
  /** Pages follow one another as scrapes do: at least two where a rule goes by how a counter grows. */
  readonly before: readonly Page[];
  readonly during: readonly Page[];
  /** Undefined where nothing mends it. */
  readonly after?: readonly Page[];
}

/** Minutes for which each part goes on: by default longer than most rules look. */
type Minutes = Partial<Record<keyof Fault, number>>;

const MINUTES = 5;

/** @param brought brings the fault about, and returns what was read */
export function faultOf(alert: string, fault: string, brought: () => Promise<Fault>, minutes: Minutes = {}): void {
  test.skipIf(!hasPromtool)(`${alert} fires when ${fault}`, async () => {
    const rules = rulesWith(alert);
    const { before, during, after } = await brought();
    for (const page of [...before, ...(after ?? [])]) expect(page.isUp).toBe(true);
    const span = (pages: readonly Page[], part: keyof Fault): Span => ({ pages, minutes: minutes[part] ?? MINUTES });
    judge({ alert, rules }, [
      { is: 'silent', ...span(before, 'before') },
      { is: 'firing', ...span(during, 'during') },
      ...(after === undefined ? [] : [{ is: 'silent', ...span(after, 'after') } as const]),
    ]);
  });
}

/** At the end of each span. */
function judge({ alert, rules }: { alert: string; rules: string }, spans: readonly (Span & { readonly is: 'silent' | 'firing' })[]): void {
  let scrapes = 0;
  const expectations = spans.map((span) => {
    scrapes += scrapesOf(span);
    return {
      expr: `(count(ALERTS{alertname="${alert}",alertstate="firing"}) > bool 0) or vector(0)`,
      eval_time: `${(scrapes - 1) * SCRAPE_SECONDS}s`,
      exp_samples: [{ labels: '{}', value: span.is === 'firing' ? 1 : 0 }],
    };
  });
  const watched = inputSeries(spans).filter(({ series }) => rules.includes(series.slice(0, series.indexOf('{'))));
  const folder = mkdtempSync(join(tmpdir(), 'orrery-alert-'));
  try {
    const interval = `${SCRAPE_SECONDS}s`;
    const tests = [{ interval, input_series: watched, promql_expr_test: expectations }];
    writeFileSync(join(folder, 'rules.yml'), rules);
    // What is JSON is YAML.
    const path = join(folder, 'faults.json');
    writeFileSync(path, JSON.stringify({ rule_files: ['rules.yml'], evaluation_interval: interval, tests }));
    const { status, said } = promtool('test', 'rules', path);
    expect(status, `${said}\n${JSON.stringify(watched, null, 1)}`).toBe(0);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
