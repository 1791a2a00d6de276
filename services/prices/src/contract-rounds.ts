/** Distributes outside prices of contracts: one command a round for each of them. */
import type { Lease } from '@orrery/foundation';
import type { Heart } from '@orrery/protocol';
import type { Millis } from '@orrery/units';
import type { Moves } from './price-moves.ts';
import type { OutsideMarket, PriceSource } from './price-source.ts';
import { RoundLoop } from './round-loop.ts';

export interface ContractRoundsOptions {
  readonly source: Pick<PriceSource, 'round'>;
  readonly contracts: readonly OutsideMarket[];
  readonly moves: Pick<Moves, 'applied'>;
  readonly heart: Pick<Heart, 'submit'>;
  readonly lease: Lease;
  readonly now: () => Millis;
  readonly log: (line: string) => void;
}

export class ContractRounds extends RoundLoop<OutsideMarket> {
  constructor({ source, contracts, moves, heart, lease, now, log }: ContractRoundsOptions) {
    super({
      priced: contracts,
      nameOf: ({ symbol }) => `contract ${symbol}`,
      roundOf: ({ market }, at) => ({ type: 'SubmitPrices', market, ...moves.applied(market, source.round(market, at), at) }),
      heart,
      lease,
      now,
      log,
    });
  }
}
