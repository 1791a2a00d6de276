/** The two numbers of a refusal as decimal text, in the unit that callers know. */
import type { FaultFigures } from '@orrery/api';
import { FIATS, type RejectFigures } from '@orrery/protocol';
import { assetId, marketId, printDecimal, unreachable, type AssetId, type MarketId } from '@orrery/units';
import type { Floor } from '../floor.ts';

/** What lots of an inverse contract count. */
const CONTRACTS = 'CONT';

interface Unit {
  readonly unit: string;
  readonly decimals: number;
}

export function figuresText(floor: Floor, { unit: counts, id, asked, limit }: RejectFigures): FaultFigures {
  const { unit, decimals } = unitOf(floor, { counts, id });
  return { asked: printDecimal(asked, decimals), limit: printDecimal(limit, decimals), unit };
}

function unitOf(floor: Floor, { counts, id }: { counts: RejectFigures['unit']; id: number }): Unit {
  switch (counts) {
    case 'count':
      return { unit: '', decimals: 0 };
    case 'millis':
      return { unit: 's', decimals: 3 };
    case 'cents':
      return fiat(id, 2);
    case 'fiatPrice':
      return fiat(id, 4);
    case 'atoms':
      return coin(floor, assetId(id));
    case 'value':
    case 'ticks':
    case 'lots':
      return unitsOf(floor, marketId(id))[counts];
    default:
      return unreachable(counts);
  }
}

/** @param place among `FIATS`, from 1 */
const fiat = (place: number, decimals: number): Unit => ({ unit: FIATS[place - 1]?.toUpperCase() ?? '', decimals });

function unitsOf(floor: Floor, market: MarketId): Record<'value' | 'ticks' | 'lots', Unit> {
  const listed = floor.contracts.contract(market);
  if (listed !== undefined) {
    const { baseCode, quoteCode, payoff, settle, pricePrecision, sizePrecision } = listed.contract;
    return {
      value: coin(floor, settle),
      ticks: { unit: quoteCode, decimals: pricePrecision },
      lots: { unit: payoff === 'inverse' ? CONTRACTS : baseCode, decimals: sizePrecision },
    };
  }
  const { base, quote, pricePrecision, sizePrecision } = floor.listed(market).market;
  const value = coin(floor, quote);
  return {
    value,
    ticks: { unit: value.unit, decimals: pricePrecision },
    lots: { unit: coin(floor, base).unit, decimals: sizePrecision },
  };
}

function coin(floor: Floor, asset: AssetId): Unit {
  const { code, decimals } = floor.asset(asset);
  return { unit: code, decimals };
}
