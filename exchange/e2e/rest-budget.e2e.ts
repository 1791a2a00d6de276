/**
 * How many calls a page sends to the exchange: to begin, in a minute in which nobody touches it, and for orders. What moves comes by the streams, so a
 * page reads what it shows once and then only what no stream brings, at the pace at which that changes. Each page is opened by its address and reached by
 * links from another, whose polls must end with it. All rest in the same minute.
 */
import { contract } from '@orrery/api';
import type { Page, Request } from 'playwright-core';
import { expect, test } from 'vitest';
import { arriveAsTrader } from './arrive.ts';
import { browser, visit, withBrowser } from './browser.ts';
import { trade } from './futures-trader.ts';
import { connectButton, placeAndCancelLimit, walletMenu } from './newcomer.ts';
import { program, withSharedProgram } from './with-shared-program.ts';

const SPOT = '/trade/spot/BTC_USDC';
const FUTURES = '/trade/futures/BTC_USDC';

/**
 * Where the links are clicked that lead to a page, nothing for one that is opened by its address; the page; its calls after the address or the
 * last link until it is quiet; its calls in `REST_MS`. Of a minute's calls each page has the latest block (4) and the notices (1); for an account, whether
 * the token is taken (6) and whether points were given (1); where no stream is, whether the exchange can be reached (12). The rest is what it shows.
 * Budgets are 3 above what was counted: a poll may fall once more into a minute.
 */
const TRADER = [
  ['', SPOT, 36, 24],
  ['', FUTURES, 32, 25],
  ['', '/portfolio', 34, 31],
  ['', '/assets/spot', 21, 19],
  ['', '/assets/futures', 21, 19],
  ['', '/assets/deposit', 23, 23],
  ['', '/assets/withdraw', 24, 30],
  ['', '/assets/bills', 19, 15],
  ['', '/faucet', 25, 22],
  ['', '/points', 28, 23],
  ['', '/leaderboard', 25, 28],
  ['', '/rewards/lucky-block', 23, 20],
  ['', '/explorer', 22, 27],
  ['', '/insurance', 20, 19],
  ['', '/account/security', 21, 15],
  ['', '/status', 19, 21],
  [`${FUTURES} Spot`, SPOT, 20, 24],
  [`${SPOT} Futures`, FUTURES, 19, 25],
  [`${FUTURES} Portfolio`, '/portfolio', 13, 31],
  [`${SPOT} Portfolio Withdraw`, '/assets/withdraw', 10, 30],
  [`${FUTURES} Faucet`, '/faucet', 12, 22],
  [`${SPOT} Rewards`, '/points', 14, 23],
  [`${FUTURES} Rewards Leaderboard`, '/leaderboard', 11, 28],
  [`${FUTURES} Explorer`, '/explorer', 9, 27],
  ['', '/otc', 24, 18],
  ['', '/otc/orders', 20, 18],
  ['', '/fund/quanto', 24, 23],
] as const;

const VISITOR = [
  ['', SPOT, 12, 10],
  ['', FUTURES, 12, 11],
  ['', '/leaderboard', 12, 27],
  ['', '/points', 11, 25],
  ['', '/explorer', 11, 32],
  ['', '/fund/quanto', 11, 24],
  [`${SPOT} Futures`, FUTURES, 9, 11],
  [`${FUTURES} Explorer`, '/explorer', 11, 20],
] as const;

/** What is done on a page of trading, and its calls from the first click until `SETTLED_MS` after the last, beside what the page polls meanwhile. */
const ORDERS = [
  ['a limit order and its cancel', SPOT, 18, (page: Page) => placeAndCancelLimit(page, { price: '20000', size: '0.001' })],
  ['a market order', FUTURES, 8, (page: Page) => trade(page, { side: 'Buy', size: '0.01' })],
] as const;

type Row = (typeof TRADER | typeof VISITOR)[number];

const REST_MS = 60_000;
/** An order's last effect on a page: its row in the history, which is read a few times until it is there. */
const SETTLED_MS = 10_000;
/** What a page of trading sends in a minute while it rests, at most. */
const POLLS_OF_TRADING = 25;
/** A page that loads nothing for so long has what it shows: less than any poll. */
const QUIET_MS = 2_000;
/** A page that is not quiet by then is judged by what it has sent. */
const SETTLES_MS = 60_000;
/** Each has two streams, of ten that an account may have. */
const TABS_OF_ONE = 4;
/** A browser with more tabs is slow on a small machine. */
const PEOPLE_AT_ONCE = 3;

interface Sent {
  readonly name: string;
  readonly at: number;
}

interface Traffic {
  readonly sent: readonly Sent[];
  /** When it last loaded anything; `Infinity` while something loads. */
  readonly busyUntil: () => number;
}

interface Tab {
  readonly who: 'trader' | 'visitor';
  readonly row: Row;
  readonly page: Page;
  readonly traffic: Traffic;
}

const NAMES = new Map(Object.entries(contract).map(([name, { method, path }]) => [`${method} ${path}`, name]));

/**
 * The calls that a page and its workers send from now on. Code that loads and streams that open are followed as well: on a busy machine they take longer
 * than `QUIET_MS`, and calls come after them.
 */
function follow(page: Page): Traffic {
  const sent: Sent[] = [];
  const open = new Set<Request>();
  let lastAt = performance.now();
  const touch = (): void => {
    lastAt = performance.now();
  };
  const end = (request: Request): void => {
    open.delete(request);
    touch();
  };
  page.on('request', (request) => {
    open.add(request);
    if (request.resourceType() !== 'fetch' && request.resourceType() !== 'xhr') return;
    const call = `${request.method()} ${new URL(request.url()).pathname}`;
    sent.push({ name: NAMES.get(call) ?? call, at: performance.now() });
  });
  page.on('requestfinished', end);
  page.on('requestfailed', end);
  page.on('websocket', (stream) => {
    touch();
    stream.once('framereceived', touch);
  });
  return { sent, busyUntil: () => (open.size > 0 ? Infinity : lastAt) };
}

const between = (sent: readonly Sent[], from: number, to: number): readonly Sent[] => sent.filter(({ at }) => at >= from && at < to);

/** Such as `openOrders 6, chainBlock 4`, the most frequent first. */
function named(sent: readonly Sent[]): string {
  const counts = Map.groupBy(sent, ({ name }) => name);
  return [...counts]
    .map(([name, calls]) => ({ name, count: calls.length }))
    .toSorted((one, other) => other.count - one.count)
    .map(({ name, count }) => `${name} ${count}`)
    .join(', ');
}

interface Begun {
  readonly sent: readonly Sent[];
  readonly tookMs: number;
}

/** @returns what it sends to begin. */
async function enter({ who, row: [links, path], page, traffic }: Tab): Promise<Begun> {
  const [from = '', ...names] = links.split(' ');
  let askedAt = performance.now();
  await page.goto(from === '' ? path : from);
  await (who === 'trader' ? walletMenu : connectButton)(page).waitFor();
  for (const name of names) {
    await quiet(page, traffic);
    askedAt = performance.now();
    await page.getByRole('link', { name, exact: true }).first().click();
  }
  await page.waitForURL(`**${path}`);
  await quiet(page, traffic);
  const endedAt = performance.now();
  return { sent: between(traffic.sent, askedAt, endedAt), tookMs: endedAt - askedAt };
}

/** What a page polls comes meanwhile, and more of it on a slower machine. */
const withPolls = (budget: number, perMinute: number, ms: number): number => budget + Math.floor((perMinute * ms) / REST_MS);

async function quiet(page: Page, traffic: Traffic): Promise<void> {
  const from = performance.now();
  while (performance.now() - from < SETTLES_MS) {
    if (performance.now() - Math.max(from, traffic.busyUntil()) >= QUIET_MS) return;
    await page.waitForTimeout(QUIET_MS / 10);
  }
}

/** The tabs of one person, who has money and has traded. */
async function tabsOfTrader(rows: readonly Row[]): Promise<readonly Tab[]> {
  const { context, page: first, person } = await arriveAsTrader(browser, { url: program.url, futures: '5000' });
  await person.client.createOrder({ symbol: 'BTC_USDC', direction: 'BUY', tradeType: 'MARKET', totalAmount: '0.01' });
  const pages = await Promise.all(rows.map(async (_row, at) => (at === 0 ? first : context.newPage())));
  return rows.map((row, at) => tabOf('trader', row, pages[at] ?? first));
}

async function tabsOfVisitor(rows: readonly Row[]): Promise<readonly Tab[]> {
  const { context, page: first } = await visit(browser, { url: program.url });
  const pages = await Promise.all(rows.map(async (_row, at) => (at === 0 ? first : context.newPage())));
  return rows.map((row, at) => tabOf('visitor', row, pages[at] ?? first));
}

const tabOf = (who: Tab['who'], row: Row, page: Page): Tab => ({ who, row, page, traffic: follow(page) });

const inPieces = <Item>(items: readonly Item[], size: number): readonly (readonly Item[])[] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, at) => items.slice(at * size, (at + 1) * size));

withSharedProgram();
withBrowser();

/** A page that links led to rests as it does when it was opened by its address. */
const isResting = ({ row: [links] }: Tab): boolean => links === '';

const titleOf = ({ who, row: [links, path] }: Tab): string => `${who}, ${links === '' ? path : `${links} -> ${path}`}`;

async function enterInTurn(tabs: readonly Tab[]): Promise<readonly Tab[]> {
  for (const tab of tabs) {
    const { sent, tookMs } = await enter(tab);
    const [, , first, perMinute] = tab.row;
    process.stdout.write(`${titleOf(tab)}: ${sent.length} to begin in ${Math.round(tookMs)} ms\n  ${named(sent)}\n`);
    expect.soft(sent.length, `${titleOf(tab)} begins: ${named(sent)}`).toBeLessThanOrEqual(withPolls(first, perMinute, tookMs));
    expect.soft(sent.length, titleOf(tab)).toBeGreaterThan(0);
    // What does not rest takes no part of the processors from what does.
    if (!isResting(tab)) await tab.page.goto('about:blank');
  }
  return tabs;
}

const PEOPLE = [
  ...inPieces(TRADER, TABS_OF_ONE).map((rows) => () => tabsOfTrader(rows)),
  ...inPieces(VISITOR, TABS_OF_ONE).map((rows) => () => tabsOfVisitor(rows)),
];

test.each(inPieces(PEOPLE, PEOPLE_AT_ONCE).map((people, at) => [at + 1, people] as const))(
  'a page begins with few calls and sends few while it rests, by its address and by links, for traders and visitors: part %d',
  async (_part, arrivals) => {
    const people = await Promise.all(arrivals.map((arrive) => arrive()));
    const opened = await Promise.all(people.map(enterInTurn));
    const restsFrom = performance.now();
    await new Promise((resolve) => setTimeout(resolve, REST_MS));
    for (const tab of opened.flat().filter(isResting)) {
      const rested = between(tab.traffic.sent, restsFrom, restsFrom + REST_MS);
      process.stdout.write(`${titleOf(tab)}: ${rested.length} a minute\n  ${named(rested)}\n`);
      expect.soft(rested.length, `${titleOf(tab)} rests: ${named(rested)}`).toBeLessThanOrEqual(tab.row[3]);
      // A page that sends nothing was not looked at.
      expect.soft(rested.length, titleOf(tab)).toBeGreaterThan(0);
    }
    await Promise.all(people.map(async ([tab]) => tab?.page.context().close()));
  },
);

test('an order costs few calls beside its own', async () => {
  const costs = ORDERS.map(async ([what, path, budget, act]) => {
    const { page } = await arriveAsTrader(browser, { url: program.url, futures: '5000' });
    const traffic = follow(page);
    await page.goto(path);
    await walletMenu(page).waitFor();
    await quiet(page, traffic);
    const actsFrom = performance.now();
    await act(page);
    await page.waitForTimeout(SETTLED_MS);
    const endsAt = performance.now();
    const calls = between(traffic.sent, actsFrom, endsAt);
    process.stdout.write(`${path}, ${what}: ${calls.length}\n  ${named(calls)}\n`);
    expect.soft(calls.length, `${what}: ${named(calls)}`).toBeLessThanOrEqual(withPolls(budget, POLLS_OF_TRADING, endsAt - actsFrom));
  });
  await Promise.all(costs);
});
