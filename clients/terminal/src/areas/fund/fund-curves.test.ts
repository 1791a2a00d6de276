import { expect, test } from 'vitest';
import { curvesOf } from './fund-curves.ts';

const points = [
  { time: 1, nav: '1', drawdown: '0', btc: null },
  { time: 2, nav: '1.1', drawdown: '0', btc: '100000' },
  { time: 3, nav: '0.99', drawdown: '10', btc: '110000' },
];

test('growth begins at nothing, and that of BTC where its price is known', () => {
  const { times, fund, btc, simulated } = curvesOf({ points, simulated: [] }, 'growth');
  expect(simulated).toBeUndefined();
  expect(times).toEqual([1, 2, 3]);
  expect(fund.map((value) => value?.toFixed(2))).toEqual(['0.00', '10.00', '-1.00']);
  expect(btc?.map((value) => value?.toFixed(2))).toEqual([undefined, '0.00', '10.00']);
});

test('a fall is below nothing, and has nothing beside it', () => {
  const simulated = [{ time: 0, nav: '0.9' }];
  expect(curvesOf({ points, simulated }, 'drawdown')).toEqual({
    times: [1, 2, 3],
    fund: [-0, -0, -10],
    btc: undefined,
    simulated: undefined,
  });
  expect(curvesOf({ points: [], simulated: [] }, 'growth')).toEqual({ times: [], fund: [], btc: undefined, simulated: undefined });
});

test('what was simulated is a line of its own, which ends where that of the fund begins', () => {
  const simulated = [
    { time: -1, nav: '0.8' },
    { time: 0, nav: '0.9' },
  ];
  const curves = curvesOf({ points, simulated }, 'growth');
  expect(curves.times).toEqual([-1, 0, 1, 2, 3]);
  expect(curves.fund.map((value) => value?.toFixed(2))).toEqual([undefined, undefined, '0.00', '10.00', '-1.00']);
  expect(curves.simulated?.map((value) => value?.toFixed(2))).toEqual(['-20.00', '-10.00', '0.00', undefined, undefined]);
});
