import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { CHARTS_MAX, chartKey, parseChart, readChart, withChart, writeChart } from './chart-memory.ts';
import type { ChartMemory } from './chart-memory.ts';

const CHART: ChartMemory = {
  interval: '4h',
  style: 'heikinAshi',
  indicators: ['BOLL', 'RSI'],
  fillMarks: 'off',
  drawings: [{ id: 'a', tool: 'horizontal', points: [{ time: 1, price: 100 }], text: '' }],
  view: { barWidth: 12, lastTime: 1_000 },
};
const alice = (symbol: string): string => chartKey({ owner: '0xa11ce', symbol });
const bob = (symbol: string): string => chartKey({ owner: '0xb0b', symbol });

beforeEach(() => {
  const kept = new Map<string, string>();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  });
});
afterEach(() => void vi.unstubAllGlobals());

test('what a person drew in a market is there again, for that account and market alone', () => {
  writeChart(alice('BTC_USDC'), CHART);
  expect(readChart(alice('BTC_USDC'))).toEqual(CHART);
  expect(readChart(alice('ETH_USDC')).drawings).toEqual([]);
  expect(readChart(bob('BTC_USDC')).drawings).toEqual([]);
});

test('a market that was never opened is shown as the last one was, from its newest bar', () => {
  writeChart(alice('BTC_USDC'), CHART);
  expect(readChart(alice('ETH_USDC'))).toEqual({ ...CHART, drawings: [], view: undefined });
});

test('[L15] what is not understood falls back part by part', () => {
  expect(parseChart({ interval: '7m', style: 'candles', indicators: ['RSI', 'ABC'], drawings: 'none', view: { barWidth: -3 } })).toEqual({
    interval: '15m',
    style: 'candles',
    indicators: ['RSI'],
    fillMarks: 'all',
    drawings: [],
    view: undefined,
  });
  expect(parseChart('text')).toBeUndefined();
});

test('of more than forty charts the one left longest ago gives way', () => {
  let charts = {};
  for (let at = 0; at < CHARTS_MAX + 5; at += 1) charts = withChart(charts, alice(`COIN${at}_USDC`), CHART);
  charts = withChart(charts, alice('COIN5_USDC'), CHART);
  charts = withChart(charts, alice('NEW_USDC'), CHART);
  const keys = Object.keys(charts);
  expect(keys).toHaveLength(CHARTS_MAX);
  expect(keys).toContain(alice('COIN5_USDC'));
  expect(keys).not.toContain(alice('COIN6_USDC'));
});
