/** The two numbers of a refusal as decimal text, in the unit that callers know. */
import type { FaultFigures } from '@orrery/api';
import type { RejectFigures } from '@orrery/protocol';
import { assetId, marketId, printDecimal, type AssetId, type MarketId } from '@orrery/units';
import type { Floor } from '../floor.ts';

/** What lots of an inverse contract count. */
const CONTRACTS = 'CONT';

interface Unit {
  readonly unit: string;
  readonly decimals: number;
}

export function figuresText(floor: Floor, { unit: counts, id, asked, limit }: RejectFigures): FaultFigures {
  const { unit, decimals } = counts === 'count' ? { unit: '', decimals: 0 } : unitOf(floor, { counts, id });
  return { asked: printDecimal(asked, decimals), limit: printDecimal(limit, decimals), unit };
}

function unitOf(floor: Floor, { counts, id }: { counts: Exclude<RejectFigures['unit'], 'count'>; id: number }): Unit {
  if (counts === 'atoms') return coin(floor, assetId(id));
  const units = unitsOf(floor, marketId(id));
  return units[counts];
}

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
