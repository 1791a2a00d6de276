/** A place of a page where rows are shown by pages, and the line to the exchange by which they come. */
import type { Locator, Page, Request, Route } from 'playwright-core';
import { until } from './until.ts';

export const FAILED = 'This could not be loaded.';

export const turn = (shown: Locator): Promise<void> => shown.getByRole('button', { name: 'Next page' }).click();

export const choosePageSize = (shown: Locator, size: string): Promise<unknown> =>
  shown.getByRole('combobox', { name: 'Rows per page' }).selectOption(size);

export interface HeldLine {
  /** What the page asked, in order. */
  readonly asked: unknown[];
  /** From now on questions wait; resolves when those before are answered: none of their answers fills what is to be seen empty. */
  hold(): Promise<void>;
  /** From now on questions are refused, and by such an answer that nothing asks again by itself; resolves as `hold` does. */
  refuse(): Promise<void>;
  /** What waits goes on its way, and so does everything after it. */
  letGo(): Promise<void>;
}

/** As the exchange refuses what it does not understand. */
const REFUSAL = { status: 400, json: { code: 11_002, msg: 'page is not valid', data: { reason: 'MalformedField', field: 'page' } } };

/** Holds back what the page asks the exchange there, until it is let go; the answers are the exchange's own. */
export async function holdBack(page: Page, path: string): Promise<HeldLine> {
  const asked: unknown[] = [];
  const waiting: Route[] = [];
  const onTheirWay = new Set<Request>();
  let state: 'held' | 'refused' | 'open' = 'held';
  const letThrough = async (route: Route): Promise<void> => {
    // A page that is gone waits for nothing.
    if (route.request().failure() === null) onTheirWay.add(route.request());
    await route.continue();
  };
  const answered = (request: Request): boolean => onTheirWay.delete(request);
  page.on('requestfinished', answered);
  page.on('requestfailed', answered);
  const become = async (next: 'held' | 'refused'): Promise<void> => {
    state = next;
    await until('what was asked before is answered', () => Promise.resolve(onTheirWay.size === 0));
  };
  await page.route(path, async (route) => {
    asked.push(route.request().postDataJSON());
    if (state === 'held') waiting.push(route);
    else await (state === 'refused' ? route.fulfill(REFUSAL) : letThrough(route));
  });
  return {
    asked,
    hold: () => become('held'),
    refuse: () => become('refused'),
    async letGo() {
      state = 'open';
      for (const route of waiting.splice(0)) await letThrough(route);
    },
  };
}
