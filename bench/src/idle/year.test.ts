import { expect, test } from 'vitest';
import type { DiskSample, TableSample } from './disk-sample.ts';
import { projectYear } from './year.ts';

const HOUR_MS = 3_600_000;
const none: DiskSample = { at: 0, commands: 0, journalBytes: 0, walBytes: 0, otherBytes: 0, tables: [] };
const table = (name: string, inserted: number, deleted = 0): TableSample => ({
  table: name,
  inserted,
  deleted,
  updated: 0,
  tableBytes: 100 * (inserted - deleted),
  indexBytes: 50 * (inserted - deleted),
});

function bytesOf(name: string, after: Partial<DiskSample>, share = 0.2): number {
  const { parts } = projectYear(none, { ...none, at: HOUR_MS, ...after }, share);
  return parts.find((part) => part.name === name)?.bytes ?? Number.NaN;
}

test('a year of journal is what an hour writes, packed', () => {
  expect(bytesOf('journal, packed', { journalBytes: 5_000_000, commands: 100_000 })).toBeCloseTo(5_000_000 * 8_766 * 0.2);
});

test('rows that stay weigh what rows weigh now, for as long as they are kept', () => {
  const tables = [table('indexer_block', 1_000), table('projector_price_candle', 1_000), table('fund_holdings', 1_000)];
  expect(bytesOf('indexer_block', { tables })).toBeCloseTo(150_000 * (1 + 8_766));
  expect(bytesOf('fund_holdings', { tables })).toBeCloseTo(150_000 * 2);
  const minutes = 45 * 24;
  expect(bytesOf('projector_price_candle', { tables })).toBeCloseTo(150_000 * (1 + minutes + (8_766 - minutes) / 60));
});

test('rows that are deleted as fast as they are written weigh nothing more', () => {
  expect(bytesOf('projector_order', { tables: [table('projector_order', 50_000, 49_000)] })).toBeCloseTo(150_000 * (1 + 8_766));
  const steady = { ...none, tables: [table('projector_order', 1_000)] };
  const { parts } = projectYear(steady, { ...steady, at: HOUR_MS, tables: [table('projector_order', 50_000, 49_000)] }, 0.2);
  expect(parts.find(({ name }) => name === 'projector_order')?.bytes).toBeCloseTo(150_000);
});

test('what is written once an hour is that of an hour, whether or not the hour ended between the samples', () => {
  const before = { ...none, tables: [table('projector_position', 30), table('projector_funding', 400), table('projector_bill', 500)] };
  const quiet = { ...before, at: HOUR_MS / 20 };
  const full = {
    ...quiet,
    tables: [table('projector_position', 30), table('projector_funding', 430), table('projector_bill', 532), table('projector_hour', 40)],
  };
  const rows = (after: DiskSample): readonly (number | undefined)[] => {
    const { parts } = projectYear(before, after, 0.2);
    return ['projector_funding', 'projector_bill', 'projector_hour'].map((name) => parts.find((part) => part.name === name)?.rows?.perHour);
  };
  expect(rows(quiet)).toEqual([30, 30, undefined]);
  expect(rows(full)).toEqual([30, 30 + 2 * 20, 40]);
});

test('a table of the newest rows grows until it is full', () => {
  const tables = [table('projector_house_trade', 1_000)];
  expect(bytesOf('projector_house_trade', { tables })).toBeCloseTo(150 * (1_000 + 20_000));
});

test('what an exchange at rest wrote before its history had an end is above 20 GB', () => {
  const tables = [table('projector_order', 42_445), table('projector_bill', 7_010), table('projector_fill', 2_991)];
  expect(projectYear(none, { ...none, at: HOUR_MS, journalBytes: 5_310_000, commands: 101_520, tables }, 1).bytes).toBeGreaterThan(100e9);
});
