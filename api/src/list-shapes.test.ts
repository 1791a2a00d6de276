/** Lists have the three shapes that docs/decisions/0089 names, and no fourth. */
import type { TObject } from 'typebox';
import { expect, test } from 'vitest';
import { contract, operatorContract, type Route } from './index.ts';

const SHAPES: Readonly<Record<string, readonly string[]>> = {
  'our lists, whole or page by page': ['list', 'total'],
  'orders and trades, page by page': ['items', 'page', 'ps', 'total'],
  'what only grows, by a cursor': ['items', 'hasPrev', 'hasNext', 'next'],
};

/** The specification names their fields: `items` and `total`. */
const SPECIFIED = new Set(['inviteRewards', 'invitations', 'invitedList']);

const lists = Object.entries({ ...contract, ...operatorContract })
  .map(([name, { response }]) => ({ name, fields: Object.keys((response as Partial<TObject>).properties ?? {}) }))
  .filter(({ fields }) => fields.includes('list') || fields.includes('items'));

const shapeOf = (fields: readonly string[]): string | undefined =>
  Object.keys(SHAPES).find((shape) => SHAPES[shape]?.every((field) => fields.includes(field)));

test('every list has one of them', () => {
  const others = lists.filter(({ name, fields }) => shapeOf(fields) === undefined && !SPECIFIED.has(name));
  expect(others).toEqual([]);
});

test('each of them is in use, and so is each exception', () => {
  expect(new Set(lists.map(({ fields }) => shapeOf(fields)))).toEqual(new Set([...Object.keys(SHAPES), undefined]));
  expect(lists.filter(({ fields }) => shapeOf(fields) === undefined).map(({ name }) => name)).toEqual([...SPECIFIED]);
});

test('every history that is a list goes by a cursor too', () => {
  const routes: Readonly<Record<string, Route>> = contract;
  const histories = Object.entries(routes).filter(
    ([, { readsHistory, response }]) => readsHistory && ['list', 'items'].some((field) => hasField(response, field)),
  );
  expect(histories.length).toBeGreaterThan(10);
  expect(
    histories.filter(([, { query, response }]) => !hasField(query, 'id') || !hasField(response, 'next')).map(([name]) => name),
  ).toEqual([]);
});

const hasField = (schema: Partial<TObject> | undefined, field: string): boolean => field in (schema?.properties ?? {});
