/** The alert rules: each has a page that says what to do, and fires for its fault alone, by the word of Prometheus' own tool. */
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ALERT_RULES, alertNames } from '../testing/alert-rules.ts';
import { hasPromtool, promtool } from '../testing/promtool.ts';

const ROOT = new URL('../../../', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, ROOT), 'utf8');

test('each alert has a page, and each page an alert', () => {
  const pages = readdirSync(new URL('docs/runbooks', ROOT)).filter((name) => /^[A-Z].*[a-z]\.md$/.test(name));
  expect(pages.toSorted()).toEqual(alertNames.map((name) => `${name}.md`).toSorted());
  const links = [...read('docs/runbooks/README.md').matchAll(/^\| \[([A-Z]\w+)\]\((\w+)\.md\)/gm)].map(([, name, page]) => [name, page]);
  expect(links).toEqual(alertNames.map((name) => [name, name]));
  expect([...ALERT_RULES.matchAll(/runbook: (\S+)/g)].map(([, path]) => path)).toEqual(
    alertNames.map((name) => `docs/runbooks/${name}.md`),
  );
});

test('each alert is tried with its fault and without', () => {
  const tried = [...read('deploy/prometheus/alerts.test.yml').matchAll(/^  - name: (.*)$/gm)].map(([, name]) => name);
  expect(tried).toEqual(alertNames.flatMap((name) => [`${name}, fault`, `${name}, well`]));
});

test('each alert is fired by a real fault in one test, and no test names an alert that is not there', () => {
  const folders = ['exchange/src/metrics', 'exchange/e2e'];
  const tried = folders.flatMap((folder) =>
    readdirSync(new URL(folder, ROOT))
      .filter((name) => /\.(test|e2e)\.ts$/.test(name))
      .flatMap((name) => [...read(`${folder}/${name}`).matchAll(/^faultOf\(\s*'(\w+)',/gm)].map(([, alert = '']) => alert)),
  );
  expect(tried.toSorted()).toEqual(alertNames.toSorted());
});

test.skipIf(!hasPromtool)(
  'promtool takes the configuration and the rules, and each alert fires for its fault and is silent without',
  () => {
    expect(promtool('check', 'config', 'prometheus.yml')).toMatchObject({ status: 0 });
    const { status, said } = promtool('test', 'rules', 'alerts.test.yml');
    expect(said).toContain('SUCCESS');
    expect(status, said).toBe(0);
  },
);
