/**
 * The trading page in a browser: how soon it shows what is largest under a processor slowed four times, how long its main thread works at rest and at
 * a thousand changes of the book a second, and whether its memory grows. `ORRERY_BENCH_MINUTES` says for how long it is watched (1).
 */
import { setTimeout as pause } from 'node:timers/promises';
import { STREAM_PATH, type Depth } from '@orrery/api';
import type { ServedExchange } from './door/serve-exchange.ts';
import { serve } from './door/served.ts';
import { median, rounded } from './measure.ts';
import type { Findings, Part } from './part.ts';
import { BookLoad } from './terminal/book-load.ts';
import type { HeapKinds } from './terminal/heap-kinds.ts';
import { openBrowser, openTradePage, visitFirst, type FirstVisit, type TradePage } from './terminal/trade-page.ts';

export const terminalPart: Part = {
  name: 'terminal',
  about: 'the trading page in a browser: first paint, work of the main thread, memory (ORRERY_BENCH_MINUTES)',
  measure,
};

const SYMBOL = 'BTC_USDC';
const VISITS = 5;
const SLOWED = 4;
const CHANGES_PER_SECOND = 1_000;
const WATCHED_MS = 10_000;
const SETTLE_MS = 5_000;

const minutes = Number(process.env['ORRERY_BENCH_MINUTES'] ?? 1);

/** Milliseconds of the main thread per second, in its own processor time. */
async function workOf(page: TradePage): Promise<number> {
  const before = await page.taskMs();
  const started = performance.now();
  await pause(WATCHED_MS);
  return ((await page.taskMs()) - before) / ((performance.now() - started) / 1_000);
}

interface Work {
  readonly atRest: number;
  readonly underLoad: number;
  readonly changesPerSecond: number;
  /** MiB after a collection of garbage, before and after the minutes under load. */
  readonly heapBefore: number;
  readonly heapAfter: number;
  readonly kindsBefore: HeapKinds;
  readonly kindsAfter: HeapKinds;
}

async function watch(page: TradePage, { url, keys }: ServedExchange): Promise<Work> {
  await pause(SETTLE_MS);
  const atRest = await workOf(page);
  const response = await fetch(`${url}/spot/v1/p/quotation/depth?symbol=${SYMBOL}`);
  const { data } = (await response.json()) as { data: Depth };
  const [bid, ask] = [data.b[0]?.[0], data.a[0]?.[0]].map((price) => Math.round(Number(price)));
  if (bid === undefined || ask === undefined) throw new Error('the book is empty');
  const load = await BookLoad.start(`${url}${STREAM_PATH}`, keys, {
    around: { symbol: SYMBOL, bid: bid - 1, ask: ask + 1 },
    perSecond: CHANGES_PER_SECOND,
  });
  await pause(SETTLE_MS);
  const underLoad = await workOf(page);
  const heapBefore = await page.heapMiB();
  const kindsBefore = await page.heapKindsMiB();
  const [changes, started] = [load.changes, performance.now()];
  await pause(minutes * 60_000);
  const changesPerSecond = (load.changes - changes) / ((performance.now() - started) / 1_000);
  const heapAfter = await page.heapMiB();
  const kindsAfter = await page.heapKindsMiB();
  await load.stop();
  return { atRest, underLoad, changesPerSecond, heapBefore, heapAfter, kindsBefore, kindsAfter };
}

async function measure(): Promise<Findings> {
  const exchange = await serve<ServedExchange>('./serve-exchange.ts', { ORRERY_MARKET_MAKER: 'on' });
  const browser = await openBrowser();
  try {
    const url = `${exchange.facts.url}/trade/spot/${SYMBOL}`;
    const visits: FirstVisit[] = [];
    for (let visit = 0; visit < VISITS; visit += 1) visits.push(await visitFirst(browser, url, SLOWED));
    const page = await openTradePage(browser, url);
    return findings(visits, await watch(page, exchange.facts));
  } finally {
    await browser.close();
    await exchange.stop();
  }
}

function findings(visits: readonly FirstVisit[], work: Work): Findings {
  const largestPaintMs = Math.round(median(visits.map((visit) => visit.largestPaintMs)));
  const blockingMs = Math.round(median(visits.map((visit) => visit.blockingMs)));
  const atRest = rounded(work.atRest, 1);
  const underLoad = rounded(work.underLoad, 1);
  const [heapBefore, heapAfter] = [rounded(work.heapBefore, 1), rounded(work.heapAfter, 1)];
  const kinds = [work.kindsBefore, work.kindsAfter].map(({ data, code }) => ({ data: rounded(data, 2), code: rounded(code, 2) }));
  const [before, after] = kinds;
  const changesPerSecond = Math.round(work.changesPerSecond);
  return {
    figures: {
      terminal: { slowed: SLOWED, largestPaintMs, blockingMs, atRest, underLoad, changesPerSecond, minutes, heapBefore, heapAfter, kinds },
    },
    lines: [
      `first visit, processor slowed ${SLOWED} x: largest paint after ${largestPaintMs} ms, blocked for ${blockingMs} ms (medians of ${VISITS}; paints ${visits.map((visit) => Math.round(visit.largestPaintMs)).join(', ')} ms)`,
      `main thread ${atRest} ms/s with the market-maker alone, ${underLoad} ms/s at ${changesPerSecond} changes of the book a second`,
      `heap ${heapBefore} MiB, after ${minutes} min under load ${heapAfter} MiB`,
      `of it data of the scripts ${before?.data} MiB, then ${after?.data} MiB; code of the engine ${before?.code} MiB, then ${after?.code} MiB`,
    ],
  };
}
