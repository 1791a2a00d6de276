import { localLease } from '@orrery/foundation';
import { expect, test } from 'vitest';
import type { Command, Receipt } from '@orrery/protocol';
import { assetId, millis, seq, ticks } from '@orrery/units';
import { CollateralRounds } from './collateral-rounds.ts';
import { btc, eth } from './testing/outside-markets.ts';

test('a round is one command for each collateral, with what the spot venues of its market say; silence is submitted too', async () => {
  const submitted: Command[] = [];
  const index = [{ source: 'a', price: ticks(100), ageMs: 7, weight: 1 }];
  const rounds = new CollateralRounds({
    lease: localLease('outside prices'),
    source: {
      round: (market) =>
        market === btc.market ? { index, external: [{ source: 'b', price: ticks(101), ageMs: 8 }] } : { index: [], external: [] },
    },
    collaterals: [
      { asset: assetId(2), market: btc.market },
      { asset: assetId(3), market: eth.market },
    ],
    heart: {
      submit(command: Command): Promise<Receipt> {
        submitted.push(command);
        return Promise.resolve({ seq: seq(submitted.length), at: millis(1), events: [] });
      },
    },
    now: () => millis(50_000),
    log: () => undefined,
  });
  await rounds.round();
  expect(submitted).toEqual([
    { type: 'SubmitCollateralPrices', asset: 2, index },
    { type: 'SubmitCollateralPrices', asset: 3, index: [] },
  ]);
});
