/** What axe finds on a page against WCAG 2.2 A and AA, as far as it keeps somebody out. */
import axe, { type AxeResults, type RunOptions } from 'axe-core';
import type { BrowserContext, Page } from 'playwright-core';

const RULES: RunOptions = { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'], resultTypes: ['violations'] };

/** Brings axe into every page of the context: the page's own policy admits no foreign script later. */
export async function installAxe(context: BrowserContext): Promise<void> {
  await context.addInitScript(axe.source);
}

/** One line for each serious or critical finding: the rule and the elements. */
export async function barriers(page: Page): Promise<readonly string[]> {
  const { violations } = await page.evaluate<AxeResults, RunOptions>(
    (options) => (window as unknown as { axe: typeof axe }).axe.run(options),
    RULES,
  );
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, help, nodes }) => `${id} (${help}): ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`);
}
