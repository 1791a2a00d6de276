/** The trading page in Chromium, and what its debugger measures. */
import { setTimeout as pause } from 'node:timers/promises';
import { chromium, type Browser, type CDPSession, type Page } from 'playwright-core';
import { heapKinds, type HeapKinds, type HeapSnapshot } from './heap-kinds.ts';

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
];
const VIEWPORT = { width: 1440, height: 900 };
/** No task that belongs to the start is later than this after the page is live. */
const QUIET_MS = 3_000;
/** A shorter task does not keep a person waiting. */
const LONG_TASK_MS = 50;
const MIB = 1_048_576;
/** One reading holds what a frame at work is about to drop: single ones of a page at 1,000 changes a second lie between 8.6 and 12.4 MiB. */
const HEAP_READINGS = 10;
const HEAP_PAUSE_MS = 500;

export interface FirstVisit {
  readonly largestPaintMs: number;
  /** What tasks took beyond 50 ms each. */
  readonly blockingMs: number;
}

export interface TradePage {
  /** Processor time of the main thread's tasks so far. */
  taskMs(): Promise<number>;
  /** The least of several readings, each after a collection of garbage. */
  heapMiB(): Promise<number>;
  /** What of the heap the scripts made, and what the engine compiled. */
  heapKindsMiB(): Promise<HeapKinds>;
}

export const openBrowser = (): Promise<Browser> =>
  chromium.launch({ executablePath: process.env['ORRERY_CHROMIUM'] ?? '/usr/bin/chromium', args: FLAGS });

const isLive = (page: Page): Promise<void> => page.getByText(/^Live/).waitFor({ timeout: 120_000 });

/** Runs in the page before its own scripts: notes the largest paint so far, and how long each long task took. */
const OBSERVE = `
  window.seen = { paint: 0, tasks: [] };
  new PerformanceObserver((list) => list.getEntries().forEach(({ startTime }) => (window.seen.paint = startTime)))
    .observe({ type: 'largest-contentful-paint', buffered: true });
  new PerformanceObserver((list) => list.getEntries().forEach(({ duration }) => window.seen.tasks.push(duration)))
    .observe({ type: 'longtask', buffered: true });`;

interface Seen {
  readonly paint: number;
  readonly tasks: readonly number[];
}

/** By a browser that has never been there. @param slowed how many times slower its processor is. */
export async function visitFirst(browser: Browser, url: string, slowed: number): Promise<FirstVisit> {
  const context = await browser.newContext({ viewport: VIEWPORT });
  const page = await context.newPage();
  await page.addInitScript({ content: OBSERVE });
  const debuggerOf = await context.newCDPSession(page);
  await debuggerOf.send('Emulation.setCPUThrottlingRate', { rate: slowed });
  await page.goto(url);
  await isLive(page);
  await pause(QUIET_MS);
  const seen = await page.evaluate<Seen>('window.seen');
  await context.close();
  return { largestPaintMs: seen.paint, blockingMs: seen.tasks.reduce((sum, ms) => sum + Math.max(0, ms - LONG_TASK_MS), 0) };
}

async function taskMs(debuggerOf: CDPSession): Promise<number> {
  const { metrics } = await debuggerOf.send('Performance.getMetrics');
  return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0) * 1_000;
}

async function heapMiB(debuggerOf: CDPSession): Promise<number> {
  const readings: number[] = [];
  for (let reading = 0; reading < HEAP_READINGS; reading += 1) {
    await debuggerOf.send('HeapProfiler.collectGarbage');
    const { usedSize } = await debuggerOf.send('Runtime.getHeapUsage');
    readings.push(usedSize / MIB);
    await pause(HEAP_PAUSE_MS);
  }
  return Math.min(...readings);
}

/** Collects garbage first. */
async function heapKindsMiB(debuggerOf: CDPSession): Promise<HeapKinds> {
  const chunks: string[] = [];
  const collect = ({ chunk }: { readonly chunk: string }): void => void chunks.push(chunk);
  debuggerOf.on('HeapProfiler.addHeapSnapshotChunk', collect);
  await debuggerOf.send('HeapProfiler.takeHeapSnapshot', { reportProgress: false });
  debuggerOf.off('HeapProfiler.addHeapSnapshotChunk', collect);
  const { data, code } = heapKinds(JSON.parse(chunks.join('')) as HeapSnapshot);
  return { data: data / MIB, code: code / MIB };
}

/** Open and live, at full speed. */
export async function openTradePage(browser: Browser, url: string): Promise<TradePage> {
  const context = await browser.newContext({ viewport: VIEWPORT });
  const page = await context.newPage();
  const debuggerOf = await context.newCDPSession(page);
  await debuggerOf.send('Performance.enable', { timeDomain: 'threadTicks' });
  await page.goto(url);
  await isLive(page);
  return { taskMs: () => taskMs(debuggerOf), heapMiB: () => heapMiB(debuggerOf), heapKindsMiB: () => heapKindsMiB(debuggerOf) };
}
