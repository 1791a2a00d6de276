import { expect, test } from 'vitest';
import { assetId, atoms, millis, seq } from '@orrery/units';
import { load } from './fold.ts';
import { WithdrawalCapsView } from './withdrawal-caps.ts';

const USDC = assetId(1);
const MINUTE = 60_000;
const DAY = 86_400_000;

test('what the caps leave is less what was held within the hour and the day, and never below nothing', () => {
  const view = new WithdrawalCapsView();
  expect(view.of(USDC, millis(0))).toBeUndefined();
  const caps = { asset: USDC, hourly: atoms(100n), daily: atoms(150n) };
  load({ seq: seq(1), facts: [{ type: 'WithdrawalCapsSet', ...caps }] }, view);
  const left = (minute: number): readonly (bigint | undefined)[] => {
    const at = view.of(USDC, millis(minute * MINUTE));
    return [at?.hourlyLeft, at?.dailyLeft];
  };
  expect(left(10)).toEqual([100n, 150n]);
  const outflow = (minute: number, amount: bigint): void =>
    view.apply({ type: 'OutflowChanged', asset: USDC, minute: millis(minute * MINUTE), amount: atoms(amount) });
  outflow(10, 60n);
  outflow(10, 70n);
  outflow(11, 20n);
  outflow(11, 0n);
  expect([left(10), left(70), left(71), left(1_450), left(1_451)]).toEqual([
    [30n, 80n],
    [30n, 80n],
    [100n, 80n],
    [100n, 80n],
    [100n, 150n],
  ]);
  view.apply({ type: 'WithdrawalCapsSet', ...caps, hourly: atoms(5n) });
  expect(view.of(USDC, millis(10 * MINUTE))).toMatchObject({ hourly: 5n, hourlyLeft: 0n, dailyLeft: 80n });
  outflow(DAY / MINUTE + 11, 1n);
  expect(left(DAY / MINUTE + 11)).toEqual([4n, 149n]);
});
