/** From the fields of the scale to its orders, or to what is wrong with it. */
import type { CreateOrder } from '@orrery/api';
import { holdOf, limitOutOfBand, notional, worseBy } from '@orrery/rules';
import { addAtoms, lots, NO_ATOMS, parseLots, parseTicks, printAtoms, printLots, printTicks } from '@orrery/units';
import type { Issue } from '../../shared/ticket/ticket-text.ts';
import { percentOf } from '../../shared/ticket/ticket-text.ts';
import { orderTerms } from '../ticket/order-terms.ts';
import { EMPTY_TICKET } from '../ticket/ticket-form.ts';
import type { TicketContext } from '../ticket/ticket-context.ts';
import { rungsOf } from '../../shared/ticket/scale.ts';
import type { ScaleForm, ScaleReading, ScaleRung } from '../../shared/ticket/scale.ts';

const NOTHING: ScaleReading = { rungs: [], issue: undefined, value: NO_ATOMS };

export function readScale(form: ScaleForm, context: TicketContext): ScaleReading {
  const { pricePrecision, sizePrecision, terms } = context.market;
  if (form.lower === '' || form.upper === '' || form.size === '') return NOTHING;
  const [lower, upper] = [parseTicks(form.lower, pricePrecision), parseTicks(form.upper, pricePrecision)];
  if (lower === undefined || upper === undefined)
    return { ...NOTHING, issue: { message: 'trade.issue.priceDecimals', values: { decimals: pricePrecision } } };
  const size = parseLots(form.size, sizePrecision);
  if (size === undefined) return { ...NOTHING, issue: { message: 'trade.issue.sizeDecimals', values: { decimals: sizePrecision } } };
  // Each order has a price of its own.
  if (upper - lower < form.count - 1 || lower < terms.minPrice) return { ...NOTHING, issue: { message: 'scale.tooNarrow' } };
  const rungs = rungsOf({ lower, upper, count: form.count, size, distribution: form.distribution });
  const value = rungs.reduce((sum, rung) => addAtoms(sum, notional(rung.price, rung.size, terms)), NO_ATOMS);
  return { rungs, value, issue: issueOf(form, context, rungs) };
}

function issueOf({ side }: ScaleForm, context: TicketContext, rungs: readonly ScaleRung[]): Issue | undefined {
  const { market, reference, freeBase, freeQuote } = context;
  const { terms } = market;
  const least = lots(Math.max(1, terms.minSize));
  if (rungs.some(({ size }) => size < least))
    return { message: 'trade.issue.sizeLow', values: { size: printLots(least, market.sizePrecision), coin: market.baseName } };
  if (rungs.some(({ price, size }) => notional(price, size, terms) < terms.minNotional))
    return {
      message: 'scale.valueLow',
      values: { value: printAtoms(terms.minNotional, market.quoteDecimals), coin: market.quoteName },
    };
  if (rungs.some(({ price }) => limitOutOfBand(price, side, reference, terms))) {
    const furthest = printTicks(worseBy(reference, terms.limitBandPpm, side), market.pricePrecision);
    const values = { price: furthest, rate: percentOf(terms.limitBandPpm) };
    return { message: side === 'buy' ? 'trade.issue.bandHigh' : 'trade.issue.bandLow', values };
  }
  const held = rungs.reduce((sum, { price, size }) => {
    const order = orderTerms({ ...EMPTY_TICKET, side }, context, { price, trigger: undefined }, { size, funds: undefined });
    return addAtoms(sum, holdOf(order, size, terms));
  }, NO_ATOMS);
  const free = side === 'buy' ? freeQuote : freeBase;
  const coin = side === 'buy' ? market.quoteName : market.baseName;
  return free !== undefined && held > free ? { message: 'trade.issue.tooMuch', values: { coin } } : undefined;
}

/** The calls of a batch, each under an id of its own. */
export function scaleRequests(
  side: 'buy' | 'sell',
  context: TicketContext,
  rungs: readonly ScaleRung[],
  ids: readonly string[],
): CreateOrder[] {
  const { symbol, pricePrecision, sizePrecision } = context.market;
  return rungs.map(({ price, size }, index) => ({
    symbol,
    direction: side === 'buy' ? 'BUY' : 'SELL',
    tradeType: 'LIMIT',
    price: printTicks(price, pricePrecision),
    totalAmount: printLots(size, sizePrecision),
    clientOrderId: ids[index] ?? '',
  }));
}
