/** A scale in a contract: from its fields to limit orders, or to what is wrong with it. Exact. */
import type { CreateFuturesOrder } from '@orrery/api';
import { contractNotional, limitOutOfBand, worseBy } from '@orrery/rules';
import { addAtoms, lots, NO_ATOMS, NO_TICKS, parseLots, parseTicks, printAtoms, printLots, printTicks } from '@orrery/units';
import { rungsOf } from '../../shared/ticket/scale.ts';
import type { ScaleRung } from '../../shared/ticket/scale.ts';
import type { ScaleForm, ScaleReading } from '../../shared/ticket/scale.ts';
import { percentOf } from '../../shared/ticket/ticket-text.ts';
import { canonical } from '../../shared/ticket/ticket-text.ts';
import type { ContractContext } from './contract-draft.ts';
import { positionSideOf } from './contract-form.ts';

const NOTHING: ScaleReading = { rungs: [], issue: undefined, value: NO_ATOMS };

/** Sizes are in what the contract counts. */
export function readContractScale(form: ScaleForm, context: ContractContext): ScaleReading {
  const { pricePrecision, sizePrecision, terms, margin } = context.market;
  if (form.lower === '' || form.upper === '' || form.size === '') return NOTHING;
  const [lower, upper] = [parseTicks(canonical(form.lower), pricePrecision), parseTicks(canonical(form.upper), pricePrecision)];
  if (lower === undefined || upper === undefined)
    return { ...NOTHING, issue: { message: 'trade.issue.priceDecimals', values: { decimals: pricePrecision } } };
  const size = parseLots(canonical(form.size), sizePrecision);
  if (size === undefined) return { ...NOTHING, issue: { message: 'trade.issue.sizeDecimals', values: { decimals: sizePrecision } } };
  // Each order has a price of its own.
  if (upper - lower < form.count - 1 || lower < terms.minPrice) return { ...NOTHING, issue: { message: 'scale.tooNarrow' } };
  const rungs = rungsOf({ lower, upper, count: form.count, size, distribution: form.distribution });
  const value = rungs.reduce((sum, rung) => addAtoms(sum, contractNotional(rung.price, rung.size, margin)), NO_ATOMS);
  return { rungs, value, issue: issueOf(form, context, rungs) };
}

function issueOf({ side }: ScaleForm, { market, mark }: ContractContext, rungs: readonly ScaleRung[]): ScaleReading['issue'] {
  const { terms, margin, sizePrecision, pricePrecision, settleDecimals, settleName, sizeName } = market;
  const least = lots(Math.max(1, terms.minSize));
  if (rungs.some(({ size }) => size < least))
    return { message: 'trade.issue.sizeLow', values: { size: printLots(least, sizePrecision), coin: sizeName } };
  if (rungs.some(({ price, size }) => contractNotional(price, size, margin) < terms.minNotional))
    return { message: 'scale.valueLow', values: { value: printAtoms(terms.minNotional, settleDecimals), coin: settleName } };
  if (mark === NO_TICKS || !rungs.some(({ price }) => limitOutOfBand(price, side, mark, terms))) return undefined;
  const values = { price: printTicks(worseBy(mark, terms.limitBandPpm, side), pricePrecision), rate: percentOf(terms.limitBandPpm) };
  return { message: side === 'buy' ? 'trade.issue.bandHigh' : 'trade.issue.bandLow', values };
}

/** Each under an id of its own. In hedge mode they open. */
export function contractScaleOrders(
  side: 'buy' | 'sell',
  { market, mode }: ContractContext,
  rungs: readonly ScaleRung[],
  ids: readonly string[],
): CreateFuturesOrder[] {
  return rungs.map(({ price, size }, index) => ({
    symbol: market.wire,
    orderSide: side === 'buy' ? 'BUY' : 'SELL',
    positionSide: positionSideOf({ side, aim: 'open' }, mode),
    orderType: 'LIMIT',
    price: printTicks(price, market.pricePrecision),
    origQty: printLots(size, market.sizePrecision),
    unit: market.lotUnit,
    clientOrderId: ids[index] ?? '',
  }));
}
