/** A place of a page where rows are shown by pages, and the line to the exchange by which they come. */
import type { Locator, Page, Route } from 'playwright-core';

export const FAILED = 'This could not be loaded.';

export const turn = (shown: Locator): Promise<void> => shown.getByRole('button', { name: 'Next page' }).click();

export const choosePageSize = (shown: Locator, size: string): Promise<unknown> =>
  shown.getByRole('combobox', { name: 'Rows per page' }).selectOption(size);

export interface HeldLine {
  /** What the page asked, in order. */
  readonly asked: unknown[];
  /** From now on questions wait. */
  hold(): void;
  /** From now on questions are refused, and by such an answer that nothing asks again by itself. */
  refuse(): void;
  /** What waits goes on its way, and so does everything after it. */
  letGo(): Promise<void>;
}

/** As the exchange refuses what it does not understand. */
const REFUSAL = { status: 400, json: { code: 11_002, msg: 'page is not valid', data: { reason: 'MalformedField', field: 'page' } } };

/** Holds back what the page asks the exchange there, until it is let go; the answers are the exchange's own. */
export async function holdBack(page: Page, path: string): Promise<HeldLine> {
  const asked: unknown[] = [];
  const waiting: Route[] = [];
  let state: 'held' | 'refused' | 'open' = 'held';
  await page.route(path, async (route) => {
    asked.push(route.request().postDataJSON());
    if (state === 'held') waiting.push(route);
    else await (state === 'refused' ? route.fulfill(REFUSAL) : route.continue());
  });
  return {
    asked,
    hold: () => void (state = 'held'),
    refuse: () => void (state = 'refused'),
    async letGo() {
      state = 'open';
      for (const route of waiting.splice(0)) await route.continue();
    },
  };
}
