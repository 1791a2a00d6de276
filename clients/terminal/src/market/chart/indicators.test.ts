import { expect, test } from 'vitest';
import { hasRoom, hasVolume, INDICATORS, isOverCandles, toggled } from './indicators.ts';

test('there are twenty indicators, each once', () => {
  expect(new Set(INDICATORS).size).toBe(20);
});

test('an indicator is switched on in the order of the list, and off again', () => {
  expect(toggled(['EMA', 'VOL'], 'MA')).toEqual(['MA', 'EMA', 'VOL']);
  expect(toggled(['MA', 'EMA', 'VOL'], 'EMA')).toEqual(['MA', 'VOL']);
});

test('a fifth pane has no room and stays off; lines over the candles are counted apart', () => {
  const full = ['MACD', 'RSI', 'KDJ', 'OBV'] as const;
  expect(hasRoom(full, 'CCI')).toBe(false);
  expect(toggled(full, 'CCI')).toEqual(full);
  expect(isOverCandles('BOLL')).toBe(true);
  expect(toggled(full, 'BOLL')).toEqual(['BOLL', ...full]);
});

test('a pane of volumes is shown once five bars have traded', () => {
  const bars = (traded: number) => Array.from({ length: 50 }, (_, at) => ({ volume: at < traded ? 1.5 : 0 }));
  expect(hasVolume([])).toBe(false);
  expect(hasVolume(bars(4))).toBe(false);
  expect(hasVolume(bars(5))).toBe(true);
});
