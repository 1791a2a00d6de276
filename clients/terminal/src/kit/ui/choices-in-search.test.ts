/** Choices in the address: what is read from any text, and what is written. */
import { contract } from '@orrery/api';
import { createMemoryHistory, createRootRoute, createRoute, createRouter } from '@tanstack/react-router';
import { describe, expect, test } from 'vitest';
import { atFirstPages, choosing, chosenIn, pageIn, replacing, turning } from './choices-in-search.ts';
import type { Choice, Search } from './choices-in-search.ts';
import type { Page } from './pager.tsx';

type Tab = 'deposits' | 'withdrawals' | '7';
const tab: Choice<Tab> = { name: 'tab', values: ['deposits', 'withdrawals', '7'], usual: 'deposits', lists: ['bills'] };

/** A router as the terminal has it, without pages: the address is read as it reads it. */
async function at(href: string) {
  const root = createRootRoute();
  const routes = [createRoute({ getParentRoute: () => root, path: '/assets' })];
  const router = createRouter({ routeTree: root.addChildren(routes), history: createMemoryHistory({ initialEntries: [href] }) });
  await router.load();
  const { search } = router.state.location;
  const after = (change: (before: Search) => Search): string => router.buildLocation(replacing(change)).href;
  return {
    search: search as Search,
    choose: (value: Tab) => after((before) => ({ ...before, ...choosing(tab, value) })),
    turn: (page: Page) => after((before) => ({ ...before, ...turning('bills', page) })),
    beginAgain: () => after(atFirstPages),
  };
}

describe('what the address says', () => {
  test.each<readonly [query: string, chosen: Tab]>([
    ['', 'deposits'],
    ['?tab=withdrawals', 'withdrawals'],
    ['?tab=%22withdrawals%22', 'withdrawals'],
    ['?tab=7', '7'],
    ['?tab=', 'deposits'],
    ['?tab', 'deposits'],
    ['?tab=Withdrawals', 'deposits'],
    ['?tab=withdrawals%20', 'deposits'],
    ['?tab=toString', 'deposits'],
    ['?tab=__proto__', 'deposits'],
    ['?__proto__=withdrawals', 'deposits'],
    ['?tab=%3Cscript%3E', 'deposits'],
    ['?tab=%5B%22withdrawals%22%5D', 'deposits'],
    ['?tab=%7B%22toString%22%3A1%7D', 'deposits'],
    ['?tab=withdrawals&tab=deposits', 'deposits'],
    ['?tab=true', 'deposits'],
    ['?tab=null', 'deposits'],
    ['?tab=%E0%A4%A', 'deposits'],
    [`?tab=${'a'.repeat(300)}`, 'deposits'],
  ])('%s shows the tab %s', async (query, chosen) => {
    expect(chosenIn((await at(`/assets${query}`)).search, tab)).toBe(chosen);
  });

  test.each<readonly [query: string, page: number, pageSize: number]>([
    ['', 1, 10],
    ['?billsPage=3', 3, 10],
    ['?billsPage=3&billsRows=50', 3, 50],
    ['?billsPage=%223%22', 3, 10],
    ['?billsRows=100', 1, 100],
    ['?fillsPage=3', 1, 10],
    ['?billsPage=0', 1, 10],
    ['?billsPage=-1', 1, 10],
    ['?billsPage=1.5', 1, 10],
    ['?billsPage=01', 1, 10],
    ['?billsPage=0x10', 1, 10],
    ['?billsPage=NaN', 1, 10],
    ['?billsPage=Infinity', 1, 10],
    ['?billsPage=1e999', 1, 10],
    ['?billsPage=99999999999999999999', 1, 10],
    ['?billsPage=two', 1, 10],
    ['?billsPage=', 1, 10],
    ['?billsPage=2&billsPage=3', 1, 10],
    ['?billsPage=%5B2%5D', 1, 10],
    ['?billsPage=%7B%7D&billsRows=%7B%7D', 1, 10],
    ['?billsRows=11', 1, 10],
    ['?billsRows=1000000', 1, 10],
    ['?billsRows=-10', 1, 10],
    ['?billsRows=toString', 1, 10],
  ])('%s shows the page %i of %i rows', async (query, page, pageSize) => {
    expect(pageIn((await at(`/assets${query}`)).search, 'bills')).toEqual({ page, pageSize });
  });

  test('the last page that the exchange answers is shown, and none after it is asked for', () => {
    const { maximum } = contract.bills.query.properties.page as unknown as { readonly maximum: number };
    expect(pageIn({ billsPage: maximum }, 'bills').page).toBe(maximum);
    expect(pageIn({ billsPage: maximum + 1 }, 'bills').page).toBe(1);
  });
});

describe('a choice', () => {
  test('is written, and keeps what else the address says', async () => {
    expect((await at('/assets?wallet=spot#history')).choose('withdrawals')).toBe('/assets?wallet=spot&tab=withdrawals#history');
  });

  test('takes the place of the address before: going back leaves the page', () => {
    expect(replacing(atFirstPages)).toMatchObject({ to: '.', replace: true, resetScroll: false });
  });

  test('is not written where it is the usual one', async () => {
    expect((await at('/assets?tab=withdrawals')).choose('deposits')).toBe('/assets');
  });

  test('that looks like a number is read as it was written', async () => {
    const written = (await at('/assets')).choose('7');
    expect(chosenIn((await at(written)).search, tab)).toBe('7');
  });

  test('begins its list again, at the first page with the usual rows, and leaves the other lists', async () => {
    const assets = await at('/assets?billsPage=3&billsRows=50&fillsPage=2');
    expect(assets.choose('withdrawals')).toBe('/assets?fillsPage=2&tab=withdrawals');
  });
});

test('a page is written, but not the first one and the usual rows', async () => {
  expect((await at('/assets?tab=7')).turn({ page: 2, pageSize: 50 })).toBe('/assets?tab=7&billsPage=2&billsRows=50');
  expect((await at('/assets?billsPage=3&billsRows=50')).turn({ page: 1, pageSize: 10 })).toBe('/assets');
});

test('for another account every list begins again, and what was chosen stays', async () => {
  const assets = await at('/assets?tab=withdrawals&billsPage=3&billsRows=50&fillsPage=2');
  expect(assets.beginAgain()).toBe('/assets?tab=withdrawals&billsRows=50');
});
