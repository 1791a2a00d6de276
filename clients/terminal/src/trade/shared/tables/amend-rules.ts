/** What is wrong with the change of an open order, field by field, by the rules of every form. Pure. */
import { NO_TICKS } from '@orrery/units';
import type { Atoms, Lots, Ticks } from '@orrery/units';
import type { TradedMarket } from '../../../market/market.ts';
import { bandIssue, issueOf, readPrice, readSize, valueIssue, valueOf } from '../orders/order-rules.ts';
import type { Issue } from '../ticket/ticket-text.ts';
import { AMEND_FIELDS } from './amendment.ts';
import type { Amendment, AmendField } from './amendment.ts';

export type AmendIssues = Partial<Readonly<Record<AmendField, Issue>>>;

/** The order that is changed, as far as the rules look at it. */
export interface AmendedOrder {
  readonly market: TradedMarket;
  readonly side: 'buy' | 'sell';
  /** Of a limit order that rests, and of nothing else, the band and the least value. */
  readonly kind: 'limit' | 'stop';
  /** From which the band is measured; 0 while it is not known. */
  readonly reference: Ticks;
  readonly worth: (price: Ticks, size: Lots) => Atoms;
  /** Of the coin that the value is in. */
  readonly valueIn: { readonly decimals: number; readonly coin: string };
  /** A position may be smaller than the least order: what only reduces it has no least value. */
  readonly reduces: boolean;
}

/** Of what the order has and was emptied, and of what was edited. */
export function amendIssues({ typed, begun }: Amendment, order: AmendedOrder): AmendIssues {
  const { market, side, kind, reference } = order;
  const [price, trigger, size] = [readPrice(typed.price, market), readPrice(typed.trigger, market), readSize(typed.size, market)];
  const [limit, lots] = [valueOf(price), valueOf(size)];
  const isResting = kind === 'limit' && limit !== undefined;
  const band = isResting && reference !== NO_TICKS ? bandIssue(limit, side, reference, market) : undefined;
  const value =
    isResting && lots !== undefined && !order.reduces ? valueIssue(order.worth(limit, lots), market.terms, order.valueIn) : undefined;
  const found = {
    price: issueOf<Ticks>(price) ?? band,
    trigger: issueOf<Ticks>(trigger),
    size: issueOf<Lots>(size) ?? value,
  };
  const issues: Partial<Record<AmendField, Issue>> = {};
  for (const field of AMEND_FIELDS) {
    if (begun[field] === '') continue;
    const issue = typed[field] === '' ? MISSING[field] : found[field];
    if (issue !== undefined && isEdited(field, { typed, begun })) issues[field] = issue;
  }
  return issues;
}

const MISSING = {
  price: { message: 'trade.issue.missingPrice' },
  trigger: { message: 'trade.issue.missingTrigger' },
  size: { message: 'trade.issue.missingSize' },
} as const satisfies Readonly<Record<AmendField, Issue>>;

/** What was not edited is not sent: it may be what the market's limits no longer allow. A value has a price and a size. */
const isEdited = (field: AmendField, { typed, begun }: Pick<Amendment, 'typed' | 'begun'>): boolean =>
  typed[field] !== begun[field] || (field === 'size' && typed.price !== begun.price);
