/** What axe finds on a page against WCAG 2.2 A and AA, whatever its impact, and what does not fit on a screen. */
import { createRequire } from 'node:module';
import type { BrowserContext, CDPSession, Page } from 'playwright-core';

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
const require = createRequire(import.meta.url);
const axe: string = require('axe-core').source;

/** Rules that a change of theme can break. */
export const COLOURS = ['color-contrast', 'link-in-text-block'] as const;

/** Brings axe into every page of the context from its beginning. */
export async function installAxe(context: BrowserContext): Promise<void> {
  await context.addInitScript(axe);
}

/** One line for each finding: the rule, what it asks, and the elements. @param rules all of WCAG when left out. */
export async function barriers(page: Page, rules?: readonly string[]): Promise<readonly string[]> {
  const devtools = await page.context().newCDPSession(page);
  try {
    return await run(devtools, { runOnly: rules ?? TAGS, resultTypes: ['violations'] });
  } finally {
    await devtools.detach();
  }
}

/** By the debugger, not as a script of the page: its content security policy stays as it is. */
async function run(devtools: CDPSession, options: object): Promise<readonly string[]> {
  await devtools.send('Runtime.evaluate', { expression: `if (window.axe === undefined) {${axe}}` });
  const expression = `axe.run(document, ${JSON.stringify(options)}).then(({ violations }) => violations.map(({ id, help, nodes }) =>
    id + ' (' + help + '): ' + nodes.map(({ html }) => html.slice(0, 160)).join(' | ')))`;
  const { result, exceptionDetails } = await devtools.send('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true });
  if (exceptionDetails !== undefined) throw new Error(`axe failed: ${exceptionDetails.exception?.description ?? exceptionDetails.text}`);
  return result.value as readonly string[];
}

/** Resolves when the colours have changed: a control may take a moment to. */
export const setTheme = (page: Page, theme: 'dark' | 'light'): Promise<void> =>
  page.evaluate(async (chosen) => {
    document.documentElement.dataset['theme'] = chosen;
    const transitions = document.getAnimations().filter((animation) => animation instanceof CSSTransition);
    await Promise.allSettled(transitions.map((transition) => transition.finished));
  }, theme);

/** How far the page is wider than the window, in CSS pixels. */
export const overflow = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

/** Words that end at the edge of what holds them, where nothing scrolls and no ellipsis says that there is more. */
export const cutWords = (page: Page): Promise<readonly string[]> => page.evaluate(findCutWords);

/** Runs in the page. */
function findCutWords(): readonly string[] {
  const ROUNDING_PX = 1.5;
  const found: string[] = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  const isOpen = (value: string): boolean => value === 'auto' || value === 'scroll';
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const parent = node.parentElement;
    if (parent === null || (node.textContent ?? '').trim() === '' || !parent.checkVisibility() || parent.closest('.sr-only') !== null)
      continue;
    range.selectNodeContents(node);
    const text = range.getBoundingClientRect();
    for (let holder: Element | null = parent; holder !== null && holder !== document.body; holder = holder.parentElement) {
      const { overflowX, textOverflow } = getComputedStyle(holder);
      if (isOpen(overflowX) || textOverflow === 'ellipsis') break;
      if (overflowX !== 'hidden' && overflowX !== 'clip') continue;
      const box = holder.getBoundingClientRect();
      const isBeside = text.left >= box.right || text.right <= box.left;
      if (!isBeside && (text.right > box.right + ROUNDING_PX || text.left < box.left - ROUNDING_PX))
        found.push((node.textContent ?? '').trim().slice(0, 60));
      break;
    }
  }
  return found;
}
