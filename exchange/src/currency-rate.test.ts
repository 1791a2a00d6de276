import { expect, test } from 'vitest';
import { DEFAULT_CNY_RATE, parseCurrencyRate } from './currency-rate.ts';

test('[C4] a rate has a day and a source, and the one nobody configured says that it is fixed', () => {
  expect(parseCurrencyRate('7.0850 2026-03-02 central parity of the People’s Bank of China')).toEqual({
    currency: 'cny',
    perUsd: '7.085',
    date: '2026-03-02',
    source: 'central parity of the People’s Bank of China',
  });
  expect(parseCurrencyRate(DEFAULT_CNY_RATE)).toMatchObject({ perUsd: '7.1', source: expect.stringContaining('fixed') });
});

test.each(['7.1', '0 2026-03-02 nobody', '-7 2026-03-02 x', '7.1 2026-13-02 x', '7.1 2026-03-02 ', '7,1 2026-03-02 x', 'NaN 2026-03-02 x'])(
  '"%s" is refused by the name of the setting',
  (text) => {
    expect(() => parseCurrencyRate(text)).toThrow(/ORRERY_CNY_RATE must be a rate, its day and its source/);
  },
);
