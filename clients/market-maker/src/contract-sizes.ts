/** How many lots of a contract are worth something, and what a position's text means. */
import { type ContractTerms, readSize } from '@orrery/sdk';
import { lots, type Lots, type Ticks } from '@orrery/units';

/** The most lots that are worth this number of whole dollars at a price. */
export function sizeOfDollars(dollars: number, price: Ticks, { payoff, pricePrecision, sizePrecision, maxSize }: ContractTerms): Lots {
  const lot = 10n ** BigInt(sizePrecision);
  const size = payoff === 'linear' ? (BigInt(dollars) * 10n ** BigInt(pricePrecision) * lot) / BigInt(price) : BigInt(dollars) * lot;
  return size < BigInt(maxSize) ? lots(Number(size)) : maxSize;
}

/** The least lots that the contract takes at a price. */
export function smallestOrder(price: Ticks, { payoff, tickLotAtoms, minNotional, minSize }: ContractTerms): Lots {
  const [top, bottom] = payoff === 'linear' ? [minNotional, BigInt(price) * tickLotAtoms] : [minNotional * BigInt(price), tickLotAtoms];
  const enough = (top + bottom - 1n) / bottom;
  return enough > BigInt(minSize) ? lots(Number(enough)) : minSize;
}

/** Lots of a position, below zero of a short one; undefined where the text is none. */
export function readPosition(text: string, terms: ContractTerms): number | undefined {
  const size = readSize(text.replace(/^-/, ''), terms);
  return size === undefined ? undefined : text.startsWith('-') ? 0 - size : size;
}
