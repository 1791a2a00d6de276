/** Real Chromium, and what a page complained of while it was looked at. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest';
import { nextAddress } from './caller-address.ts';

/** What Playwright switches off itself: of two lists the browser reads the last one. */
const OFF_BY_PLAYWRIGHT = [
  'AimEnabled',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'LensOverlay',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
  'ThirdPartyStoragePartitioning',
];
/** Lists under the address bar: pages of the browser's own, rendered for each window in a process of its own. They cost a second of processor time, and nobody sees them. */
const LISTS_OF_ADDRESS_BAR = ['WebUIOmniboxAimPopup', 'WebUIOmniboxFullPopup', 'WebUIOmniboxPopup'];

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  `--disable-features=${[...OFF_BY_PLAYWRIGHT, ...LISTS_OF_ADDRESS_BAR].join(',')}`,
];
export const LAUNCH = { executablePath: process.env['ORRERY_CHROMIUM'] ?? '/usr/bin/chromium', args: FLAGS };
const WAIT_MS = 60_000;
const UNHANDLED = 'error: ';
const pictures = join(fileURLToPath(new URL('../..', import.meta.url)), '.cache/e2e');

export const VIEWPORTS = {
  desktop: { width: 1440, height: 900 },
  tablet: { width: 1024, height: 768 },
  phone: { width: 390, height: 844 },
} as const;

/** Each browser starts with a profile of its own, made fresh and thrown away. */
export const openBrowser = (): Promise<Browser> => chromium.launch(LAUNCH);

/** Open while the tests of a file run that says `withBrowser`. */
export let browser: Browser;

export function withBrowser(): void {
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser?.close());
}

export interface Visit {
  readonly context: BrowserContext;
  readonly page: Page;
  /** Errors of scripts, of the console and of the content security policy so far. */
  readonly complaints: readonly string[];
  /** The address that its calls come from. */
  readonly from: string;
}

export interface VisitOptions {
  readonly url: string;
  readonly viewport?: keyof typeof VIEWPORTS;
  /** Runs before the first page of the visit is opened. */
  readonly prepare?: (context: BrowserContext) => Promise<void>;
}

/** A person at a browser without a past, who comes from an address of their own. */
export async function visit(browser: Browser, { url, viewport = 'desktop', prepare }: VisitOptions): Promise<Visit> {
  const from = nextAddress();
  const context = await browser.newContext({
    baseURL: url,
    viewport: VIEWPORTS[viewport],
    extraHTTPHeaders: { 'x-forwarded-for': from },
  });
  context.setDefaultTimeout(WAIT_MS);
  await prepare?.(context);
  const page = await context.newPage();
  const complaints = listen(page);
  onTestFinished(async ({ task }) => {
    if (task.result?.state === 'fail') await photograph(page, task.name);
    await context.close();
    // An error that nobody handled is a fault of the page, whatever the test looked at.
    expect(complaints.filter((complaint) => complaint.startsWith(UNHANDLED))).toEqual([]);
  });
  return { context, page, complaints, from };
}

/** Everything a page says that no page of ours should have to say. */
export function listen(page: Page): readonly string[] {
  const complaints: string[] = [];
  // A page that is not there is answered 404, and the browser says so itself.
  const unknownPages = new Set<string>();
  page.on('response', (response) => {
    if (response.status() === 404 && response.request().isNavigationRequest()) unknownPages.add(response.url());
  });
  // Errors of scripts, and rejections that nobody handled.
  page.on('pageerror', ({ message }) => complaints.push(UNHANDLED + message));
  page.on('console', (message) => {
    if (message.text().includes('status of 404') && unknownPages.has(message.location().url)) return;
    if (message.type() === 'error' || /content security policy|trusted ?type/i.test(message.text())) {
      complaints.push(`console: ${message.text()} (${message.location().url})`);
    }
  });
  return complaints;
}

async function photograph(page: Page, test: string): Promise<void> {
  mkdirSync(pictures, { recursive: true });
  const path = join(pictures, `${test.replace(/[^a-z0-9]+/gi, '-').slice(0, 80)}.png`);
  await page.screenshot({ path }).then(
    () => void process.stderr.write(`the page as it was: ${path}\n`),
    () => undefined,
  );
}
