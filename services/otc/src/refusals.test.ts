import { ApiError, type FaultFigures } from '@orrery/api';
import type { Heart, RejectFigures } from '@orrery/protocol';
import { millis, seq } from '@orrery/units';
import { expect, test } from 'vitest';
import type { Coins } from './coins.ts';
import { submitted } from './refusals.ts';

async function shown(figures: RejectFigures): Promise<FaultFigures | undefined> {
  const events = [{ type: 'CommandRejected', reason: 'OtcTotalOutside', field: 'total', figures }] as const;
  const heart = { submit: () => Promise.resolve({ seq: seq(1), at: millis(0), events }) } as unknown as Heart;
  const coins = { byId: () => ({ code: 'USDC', decimals: 6 }) } as unknown as Coins;
  const refused: unknown = await submitted(heart, coins, { type: 'RunOtcTimers' }).catch((error: unknown) => error);
  return refused instanceof ApiError ? refused.data.figures : undefined;
}

test.each<[RejectFigures, FaultFigures]>([
  [
    { unit: 'cents', id: 1, asked: 1_999n, limit: 2_000n },
    { asked: '19.99', limit: '20', unit: 'USD' },
  ],
  [
    { unit: 'fiatPrice', id: 2, asked: 72_345n, limit: 72_346n },
    { asked: '7.2345', limit: '7.2346', unit: 'CNY' },
  ],
  [
    { unit: 'millis', id: 0, asked: 60_500n, limit: 1_800_000n },
    { asked: '60.5', limit: '1800', unit: 's' },
  ],
  [
    { unit: 'atoms', id: 1, asked: 2_500_000n, limit: 1n },
    { asked: '2.5', limit: '0.000001', unit: 'USDC' },
  ],
  [
    { unit: 'count', id: 0, asked: 4n, limit: 3n },
    { asked: '4', limit: '3', unit: '' },
  ],
])('figures in %o are shown as %o', async (figures, words) => {
  expect(await shown(figures)).toEqual(words);
});
