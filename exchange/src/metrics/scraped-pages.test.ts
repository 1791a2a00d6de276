import { expect, test } from 'vitest';
import { inputSeries, type Page } from '../testing/scraped-pages.ts';

const page = (...lines: readonly string[]): Page => ({ isUp: true, text: lines.join('\n') });
const COUNTER = '# TYPE calls_total counter';
const HISTOGRAM = '# TYPE seconds histogram';
const target = 'job="orrery",instance="127.0.0.1:9464"';
/** Three scrapes. */
const minutes = 0.25;

const valuesOf = (...spans: readonly (readonly Page[])[]): Readonly<Record<string, string>> =>
  Object.fromEntries(inputSeries(spans.map((pages) => ({ pages, minutes }))).map(({ series, values }) => [series, values]));

test('a gauge goes on at its last value, with the labels that Prometheus adds', () => {
  expect(valuesOf([page('free 7', 'held{kind="a"} -1')], [page('free 0.5', 'held{kind="a"} +Inf')])).toEqual({
    [`up{${target}}`]: '1 1+0x1 1 1+0x1',
    [`free{${target}}`]: '7 7+0x1 0.5 0.5+0x1',
    [`held{kind="a",${target}}`]: '-1 -1+0x1 Inf Inf+0x1',
  });
});

test('a counter grows on as between the last two pages, each bucket of a histogram too', () => {
  const [first, second] = [
    page(COUNTER, 'calls_total 3', HISTOGRAM, 'seconds_bucket{le="1"} 2'),
    page('calls_total 8', 'seconds_bucket{le="1"} 2'),
  ];
  expect(valuesOf([first, second])).toMatchObject({
    [`calls_total{${target}}`]: '3 8 13+5x0',
    [`seconds_bucket{le="1",${target}}`]: '2 2 2+0x0',
  });
});

test('what a page has not got ends there, and a process that does not answer has nothing but that', () => {
  expect(valuesOf([page('free 7')], [{ isUp: false, text: '' }], [page('free 7')])).toEqual({
    [`up{${target}}`]: '1 1+0x1 0 0+0x1 1 1+0x1',
    [`free{${target}}`]: '7 7+0x1 stale _x2 7 7+0x1',
  });
});
