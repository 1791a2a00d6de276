/** The positions that an account may have in a contract, open or empty. Pure. */
import type { MarginAccount, Position, PositionTerms } from '@orrery/api';
import type { ContractMarket } from '../../market/contract-market.ts';

export interface Legs {
  readonly terms: readonly PositionTerms[];
  /** Open ones. */
  readonly positions: readonly Position[];
  readonly mode: MarginAccount['positionMode'];
}

const SIDES = { ONE_WAY: ['BOTH'], HEDGE: ['LONG', 'SHORT'] } as const;

/** One way has one, hedge two; none where the terms are not known. */
export function legsOf({ wire, info }: Pick<ContractMarket, 'wire' | 'info'>, { terms, positions, mode }: Legs): readonly Position[] {
  return SIDES[mode].flatMap((side): readonly Position[] => {
    const isIt = ({ symbol, positionSide }: PositionTerms): boolean => symbol === wire && positionSide === side;
    const own = terms.find(isIt);
    const open = positions.find(isIt);
    if (open !== undefined) return [open];
    return own === undefined ? [] : [emptyLeg(own, info)];
  });
}

const emptyLeg = (terms: PositionTerms, { underlyingType, settleCoin }: ContractMarket['info']): Position => ({
  ...terms,
  contractType: 'PERPETUAL',
  underlyingType,
  settleCoin,
  positionSize: '0',
  closeOrderSize: '0',
  availableCloseSize: '0',
  openOrderSize: '0',
  openOrderMarginFrozen: '0',
  entryPrice: null,
  breakEvenPrice: null,
  markPrice: null,
  liquidationPrice: null,
  notional: null,
  isolatedMargin: '0',
  initialMargin: null,
  maintenanceMargin: null,
  marginRatio: null,
  unrealizedProfit: null,
  roe: null,
  realizedProfit: '0',
  cumTradingFee: '0',
  cumFunding: '0',
  adlRank: 0,
  createdTime: null,
});
