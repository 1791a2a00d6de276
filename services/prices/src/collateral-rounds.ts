/** Distributes outside prices of collateral: what the spot venues say of the market that values it, one command a round for each asset. */
import type { Lease } from '@orrery/foundation';
import type { Collateral, Heart } from '@orrery/protocol';
import type { Millis } from '@orrery/units';
import type { PriceSource } from './price-source.ts';
import { RoundLoop } from './round-loop.ts';

export interface CollateralRoundsOptions {
  readonly source: Pick<PriceSource, 'round'>;
  readonly collaterals: readonly Pick<Collateral, 'asset' | 'market'>[];
  readonly heart: Pick<Heart, 'submit'>;
  readonly lease: Lease;
  readonly now: () => Millis;
  readonly log: (line: string) => void;
}

export class CollateralRounds extends RoundLoop<Pick<Collateral, 'asset' | 'market'>> {
  constructor({ source, collaterals, heart, lease, now, log }: CollateralRoundsOptions) {
    super({
      priced: collaterals,
      nameOf: ({ asset }) => `collateral ${asset}`,
      roundOf: ({ asset, market }, at) => ({ type: 'SubmitCollateralPrices', asset, index: source.round(market, at).index }),
      heart,
      lease,
      now,
      log,
    });
  }
}
