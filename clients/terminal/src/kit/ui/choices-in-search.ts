/** How choices are written into the search part of an address, and read from it. Anybody may have written it: what does not exist is not chosen. */
import { firstPage, pageSizes } from './pager.tsx';
import type { Page } from './pager.tsx';

export type Search = Readonly<Record<string, unknown>>;
/** What is `undefined` is taken out of the address. */
export type Changes = Readonly<Record<string, string | number | undefined>>;

export interface Choice<Value extends string> {
  /** Of the parameter: its own on a page. */
  readonly name: string;
  readonly values: readonly Value[];
  /** Chosen where nothing is written, or nothing that exists. It is not written. */
  readonly usual: Value;
  /** The paged lists that begin again when another value is chosen. */
  readonly lists?: readonly string[];
}

/** The router parses numbers. */
function written(search: Search, name: string): string | undefined {
  const value = Object.hasOwn(search, name) ? search[name] : undefined;
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}

export function chosenIn<Value extends string>(search: Search, { name, values, usual }: Omit<Choice<Value>, 'lists'>): Value {
  const text = written(search, name);
  return values.find((value) => value === text) ?? usual;
}

export const choosing = ({ name, usual, lists = [] }: Pick<Words, 'name' | 'usual' | 'lists'>, value: string): Changes => ({
  [name]: value === usual ? undefined : value,
  ...Object.fromEntries(
    lists.flatMap((list) => [
      [pageOf(list), undefined],
      [rowsOf(list), undefined],
    ]),
  ),
});

/** What a person writes, such as an amount that is looked for; `pattern` says what may stand in an address. */
export interface Words {
  readonly name: string;
  readonly pattern: RegExp;
  /** Meant where nothing is written, or nothing that fits. It is not written. */
  readonly usual: string;
  readonly lists?: readonly string[];
}

export function wordsIn(search: Search, { name, pattern, usual }: Omit<Words, 'lists'>): string {
  const text = written(search, name) ?? '';
  return pattern.test(text) ? text : usual;
}

/** The exchange refuses pages after this one. */
const PAGES_MAX = 1_000;
const PAGE = 'Page';
const pageOf = (list: string): string => list + PAGE;
const rowsOf = (list: string): string => `${list}Rows`;

/** Which page of a list is shown, and how many rows it has. */
export function pageIn(search: Search, list: string): Page {
  const text = written(search, pageOf(list)) ?? '';
  const page = /^[1-9]\d{0,3}$/.test(text) ? Number(text) : firstPage.page;
  const rows = written(search, rowsOf(list));
  return {
    page: page <= PAGES_MAX ? page : firstPage.page,
    pageSize: pageSizes.find((size) => String(size) === rows) ?? firstPage.pageSize,
  };
}

export const turning = (list: string, { page, pageSize }: Page): Changes => ({
  [pageOf(list)]: page === firstPage.page ? undefined : page,
  [rowsOf(list)]: pageSize === firstPage.pageSize ? undefined : pageSize,
});

/** The same choices, with every list at its first page: those of another market or account are other rows. */
export const atFirstPages = (search: Search): Search => Object.fromEntries(Object.entries(search).filter(([name]) => !name.endsWith(PAGE)));

/** A choice replaces the address, so that going back leaves the page. */
export const replacing = (change: (search: Search) => Search) =>
  ({ to: '.', search: change, hash: true, replace: true, resetScroll: false }) as const;
