import { describe, expect, test } from 'vitest';
import { CARRY, carryStep, carryTarget, type CarryView } from './carry-plan.ts';

/** 10,000 USDC, and a lot is worth 1 USDC. */
const VIEW: CarryView = {
  worth: 10_000_000_000n,
  coins: 0,
  short: 0,
  lotWorth: 1_000_000n,
  least: 6,
  fundings: Array.from({ length: 24 }, () => 12_500n),
  predicted: 0n,
  intervalHours: 1,
  feesPpm: 1_500,
  missedHedges: 0,
  isResting: false,
};
const turned = Array.from({ length: 24 }, () => -1n);

describe('carry', () => {
  test('enters where the average funding of 720 hours is more than the fees of both legs, in and out', () => {
    // 3,000 ppm in 720 hours are 4,166.67 ppb an hour.
    expect(carryTarget({ ...VIEW, fundings: [4_166n] })).toBe(0);
    expect(carryTarget({ ...VIEW, fundings: [4_167n] })).toBe(3_000);
    expect(carryTarget({ ...VIEW, fundings: [4_167n, 4_166n] })).toBe(0);
    // What is older than the average says nothing.
    expect(carryTarget({ ...VIEW, fundings: [...VIEW.fundings, -1_000_000n] })).toBe(3_000);
    // While none was settled the prediction counts.
    expect(carryTarget({ ...VIEW, fundings: [] })).toBe(0);
    expect(carryTarget({ ...VIEW, fundings: [], predicted: 4_167n })).toBe(3_000);
    expect(carryTarget({ ...VIEW, fundings: [4_166n], predicted: 9_000n })).toBe(0);
  });

  test('buys a slice, sells as much of the contract, and only then buys the next one', () => {
    let view = VIEW;
    const steps: string[] = [];
    for (let step = carryStep(view); step !== undefined; step = carryStep(view)) {
      steps.push(`${step.leg} ${step.side} ${step.size}`);
      // The fee of a purchase is taken of the coins.
      if (step.leg === 'spot') view = { ...view, coins: view.coins + Math.floor(step.size * 0.999) };
      else view = { ...view, short: view.short + step.size };
      expect(Math.abs(view.coins - view.short)).toBeLessThanOrEqual(500);
    }
    expect(steps.slice(0, 4)).toEqual(['spot buy 500', 'contract sell 499', 'spot buy 500', 'contract sell 499']);
    expect(view).toMatchObject({ coins: 2_994, short: 2_994 });
  });

  test('leaves when the average turns: a slice of coins, then as much of the contract', () => {
    const held = { ...VIEW, coins: 3_000, short: 3_000, fundings: turned };
    expect(carryStep(held)).toEqual({ leg: 'spot', side: 'sell', size: 500, reduceOnly: false });
    expect(carryStep({ ...held, coins: 2_500 })).toEqual({ leg: 'contract', side: 'buy', size: 500, reduceOnly: true });
    expect(carryStep({ ...held, coins: 4, short: 4 })).toBeUndefined();
    // Seven hours are too few, and a prediction says nothing.
    expect(carryStep({ ...held, fundings: turned.slice(0, 7) })).toBeUndefined();
    expect(carryStep({ ...held, fundings: turned.slice(0, 8) })?.leg).toBe('spot');
    expect(carryStep({ ...held, fundings: [], predicted: -1_000_000n })).toBeUndefined();
  });

  test('between entering and leaving holds what it has', () => {
    const held = { ...VIEW, coins: 1_000, short: 1_000, fundings: [0n] };
    expect(carryStep(held)).toBeUndefined();
    expect(carryStep({ ...held, coins: 2_600, short: 2_600, fundings: VIEW.fundings })).toBeUndefined();
  });

  test('that has become more than 35 % of the fund is brought back to 30 %', () => {
    const risen = { ...VIEW, coins: 3_600, short: 3_600 };
    expect(carryTarget(risen)).toBe(3_000);
    expect(carryStep(risen)).toEqual({ leg: 'spot', side: 'sell', size: 500, reduceOnly: false });
  });

  test('brings legs that differ together first: after a restart, and after somebody sold for redemptions', () => {
    expect(carryStep({ ...VIEW, coins: 1_500, short: 1_000 })).toEqual({ leg: 'contract', side: 'sell', size: 500, reduceOnly: false });
    expect(carryStep({ ...VIEW, coins: 1_000, short: 1_500 })).toEqual({ leg: 'contract', side: 'buy', size: 500, reduceOnly: true });
    expect(carryStep({ ...VIEW, coins: 500, short: 0, fundings: turned })).toEqual({
      leg: 'spot',
      side: 'sell',
      size: 500,
      reduceOnly: false,
    });
    // A long position is no hedge.
    expect(carryStep({ ...VIEW, coins: 100, short: -50 })).toEqual({ leg: 'contract', side: 'sell', size: 150, reduceOnly: false });
  });

  test('sells coins that nothing could be sold short against', () => {
    const naked = { ...VIEW, coins: 1_500, short: 1_000 };
    expect(carryStep({ ...naked, missedHedges: CARRY.hedgeTries - 1 })?.leg).toBe('contract');
    expect(carryStep({ ...naked, missedHedges: CARRY.hedgeTries })).toEqual({ leg: 'spot', side: 'sell', size: 500, reduceOnly: false });
  });

  test('buys nothing while it rests, and does everything else', () => {
    expect(carryStep({ ...VIEW, isResting: true })).toBeUndefined();
    expect(carryStep({ ...VIEW, coins: 500, short: 0, isResting: true })?.leg).toBe('contract');
    expect(carryStep({ ...VIEW, coins: 3_600, short: 3_600, isResting: true })?.leg).toBe('spot');
  });

  test('brings legs together that differ, and nothing else, while it is not known what the fund is worth', () => {
    const unknown = { ...VIEW, worth: undefined };
    expect(carryStep(unknown)).toBeUndefined();
    expect(carryStep({ ...unknown, coins: 3_000, short: 3_000, fundings: turned })).toBeUndefined();
    expect(carryStep({ ...unknown, coins: 3_000, short: 2_500 })).toEqual({ leg: 'contract', side: 'sell', size: 500, reduceOnly: false });
    expect(carryStep({ ...unknown, coins: 2_500, short: 3_000 })).toEqual({ leg: 'contract', side: 'buy', size: 500, reduceOnly: true });
  });

  test('does not order less than the markets take', () => {
    expect(carryStep({ ...VIEW, coins: 3_000, short: 2_995 })).toBeUndefined();
  });
});
