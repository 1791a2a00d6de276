/** What a browser without a past asks for when a page is opened and nothing is touched: the files of the page, with the headers of their answers. */
import type { Browser, Request } from 'playwright-core';
import { VIEWPORTS } from './browser.ts';

const KIB = 1_024;
/** A page is loaded when it has asked for no file for this long. */
const QUIET_MS = 4_000;
const LOOK_MS = 250;
/** Calls of the API, which carry the market and not the page. Streams are no requests at all. */
const CALLS: ReadonlySet<string> = new Set(['fetch', 'xhr', 'eventsource', 'websocket', 'ping', 'preflight']);

export interface FileWeight {
  readonly path: string;
  /** Bytes of the body as it travels. */
  readonly body: number;
  /** Bytes of the headers of its answer. */
  readonly headers: number;
}

export interface PageWeight {
  readonly files: readonly FileWeight[];
  /** Bodies and headers. */
  readonly kib: number;
}

/** In a profile of its own, whose cache is empty. */
export async function weighPage(browser: Browser, url: string, path: string): Promise<PageWeight> {
  const context = await browser.newContext({ baseURL: url, viewport: VIEWPORTS.desktop });
  try {
    const page = await context.newPage();
    const asked: Request[] = [];
    let askedAt = performance.now();
    // The requests of the page's workers are among them.
    page.on('request', (request) => {
      if (CALLS.has(request.resourceType())) return;
      asked.push(request);
      askedAt = performance.now();
    });
    await page.goto(path);
    while (performance.now() - askedAt < QUIET_MS) await page.waitForTimeout(LOOK_MS);
    const files = await Promise.all(asked.map(weightOf));
    return { files, kib: files.reduce((sum, { body, headers }) => sum + body + headers, 0) / KIB };
  } finally {
    await context.close();
  }
}

async function weightOf(request: Request): Promise<FileWeight> {
  const { responseBodySize, responseHeadersSize } = await request.sizes();
  // The body of a worker's script is counted for the worker, so that the page counts none of it.
  const length = (await (await request.response())?.headerValue('content-length')) ?? 0;
  return { path: new URL(request.url()).pathname, body: Math.max(responseBodySize, Number(length)), headers: responseHeadersSize };
}
