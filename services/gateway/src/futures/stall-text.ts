/** Why an order that is to reduce a position could not act, or a position was not closed whole, as people read it. */
import type { BookTerms, Contract, LeftReason, Order, Side, StallReason } from '@orrery/protocol';

const MILLION = 1_000_000;

type Stopped = Pick<Order, 'side' | 'slippagePpm'>;

/** Of a contract, or of a spot market, which has no settlement asset. */
type StallTerms = Pick<BookTerms, 'marketBandPpm'> & Partial<Pick<Contract, 'settle'>>;

/** `no bids within 5 % of the mark price`; in a spot market of the outside price. */
export function stallText(reason: StallReason, { side, slippagePpm }: Stopped, { marketBandPpm, settle }: StallTerms): string {
  const offers = offersTo(side);
  switch (reason) {
    case 'noLiquidity':
      return `no ${offers}`;
    case 'slippageBound':
      return `no more ${offers} within ${percent(slippagePpm)} of the best price`;
    case 'priceOutOfBand':
      return `no ${offers} within ${percent(marketBandPpm)} of the ${settle === undefined ? 'outside' : 'mark'} price`;
    case 'limitNotReached':
      return `no ${offers} at its limit`;
    case 'selfTrade':
      return 'an order of your own stands in its way';
    case 'timeInForce':
      return 'it could not be filled at once as its time in force asks';
    case 'marginMissing':
      return 'the loss would be more than the margin';
  }
}

/** The same of a position that `CloseAllPositions` has left. */
export function leftText(reason: LeftReason, stopped: Stopped, terms: StallTerms): string {
  switch (reason) {
    case 'none':
      return 'nothing is left';
    case 'marketClosed':
      return 'the contract does not trade now';
    case 'matching':
      return 'an order is still being matched';
    case 'restingAtMid':
      return 'a limit order rests at the middle of the book';
    case 'noPrice':
      return 'there is no price for a limit order';
    case 'ordersResting':
      return 'limit orders that protect it stand in the book for all of it';
    case 'sizeBounds':
      return 'one order may not be as large, or as small, as what is left';
    case 'refused':
      return 'the account may not trade now';
    default:
      return stallText(reason, stopped, terms);
  }
}

/** Who would trade with an order of this side. */
const offersTo = (side: Side): string => (side === 'sell' ? 'bids' : 'offers');

const percent = (ppm: number): string => `${(ppm * 100) / MILLION} %`;
