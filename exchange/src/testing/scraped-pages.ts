/**
 * Pages of `/metrics` as Prometheus keeps them: read from the port of metrics while something is well, broken or mended, and written as the series that
 * `promtool test rules` takes. What was read is held for as long as a rule looks, so that no test waits that long.
 */

/** What one scrape led to. */
export interface Page {
  readonly isUp: boolean;
  /** Empty where there was no answer. */
  readonly text: string;
}

/** Pages that follow one another, and how long the last of them goes on. */
export interface Span {
  readonly pages: readonly Page[];
  readonly minutes: number;
}

/** One series in the notation of promtool. */
export interface InputSeries {
  readonly series: string;
  readonly values: string;
}

/** As in `deploy/prometheus/prometheus.yml`. */
export const SCRAPE_SECONDS = 5;
const TARGET = 'job="orrery",instance="127.0.0.1:9464"';
const UP = `up{${TARGET}}`;

/** @param url of the port of metrics */
export async function scrape(url: string): Promise<Page> {
  try {
    const response = await fetch(`${url}/metrics`);
    return response.ok ? { isUp: true, text: await response.text() } : NO_ANSWER;
  } catch {
    return NO_ANSWER;
  }
}

const NO_ANSWER: Page = { isUp: false, text: '' };

/** Scrapes that a span of this length has. */
export const scrapesOf = ({ pages, minutes }: Span): number => Math.max(pages.length, Math.ceil((minutes * 60) / SCRAPE_SECONDS));

/**
 * A gauge goes on at its last value; a counter grows on as it grew between the last two pages of its span. A series that a page has not got ends there, as
 * Prometheus ends it.
 */
export function inputSeries(spans: readonly Span[]): readonly InputSeries[] {
  const read = spans.map(({ pages }) => pages.map(samplesOf));
  const counters = new Set(spans.flatMap(({ pages }) => pages.flatMap(({ text }) => countersOf(text))));
  const names = new Set(read.flat().flatMap((samples) => [...samples.keys()]));
  return [...names].map((series) => {
    let isThere = false;
    const values = spans.flatMap((span, index) => {
      const readings = (read[index] ?? []).map((samples) => samples.get(series));
      const written = readings.map((value) => {
        const end = isThere ? 'stale' : '_';
        isThere = value !== undefined;
        return value === undefined ? end : printed(value);
      });
      return [...written, heldOn(readings, { isCounter: counters.has(nameOf(series)), times: scrapesOf(span) - readings.length })];
    });
    return { series, values: values.filter((each) => each !== '').join(' ') };
  });
}

/** What follows the readings of a span, this number of times. */
function heldOn(readings: readonly (number | undefined)[], { isCounter, times }: { isCounter: boolean; times: number }): string {
  const [previous, last] = [readings.at(-2), readings.at(-1)];
  if (times <= 0) return '';
  if (last === undefined) return `_x${times}`;
  const growth = isCounter && previous !== undefined ? Math.max(0, last - previous) : 0;
  return `${printed(last + growth)}+${printed(growth)}x${times - 1}`;
}

/** By the series with all its labels. */
function samplesOf({ isUp, text }: Page): ReadonlyMap<string, number> {
  const lines = text.split('\n').flatMap((line) => {
    const [, name, labels, value] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
    return name === undefined ? [] : [[`${name}{${labels === undefined ? '' : `${labels},`}${TARGET}}`, numberOf(value)] as const];
  });
  return new Map([[UP, isUp ? 1 : 0], ...lines]);
}

/** The names of series that only grow; those of a histogram included. */
const countersOf = (text: string): readonly string[] =>
  [...text.matchAll(/^# TYPE (\w+) (counter|histogram)$/gm)].flatMap(([, name = '', type]) =>
    type === 'counter' ? [name] : ['_bucket', '_sum', '_count'].map((ending) => `${name}${ending}`),
  );

const nameOf = (series: string): string => series.slice(0, series.indexOf('{'));
const numberOf = (text = ''): number => (/^[+-]Inf$/.test(text) ? Number(text.replace('Inf', 'Infinity')) : Number(text));
const printed = (value: number): string => String(value).replace('Infinity', 'Inf');
