/** The OTC desk as events: its terms and prices, what is live, and the deposits of merchants. */
import type { AdvertisementId } from '@orrery/units';
import type { Event } from '@orrery/protocol';
import { isLive, publishedOf } from '../otc/advertisement.ts';
import { decidedOf } from '../otc/decide-otc-dispute.ts';
import { createdOf, isEnded, NEVER, steppedOf, type OtcOrder } from '../otc/otc-order.ts';
import type { OtcDesk } from '../otc/otc-desk.ts';

export function emitOtc(otc: OtcDesk, facts: Event[]): void {
  if (otc.terms !== undefined) facts.push({ type: 'OtcTermsSet', ...otc.terms });
  for (const { at, ...price } of otc.prices()) facts.push({ type: 'AssistPricesSet', at, prices: [price] });
  const open = [...otc.orders()].filter((order) => !isEnded(order));
  const named = new Set<AdvertisementId>(open.map(({ terms }) => terms.advertisement));
  for (const advertisement of otc.advertisements())
    if (isLive(advertisement) || named.has(advertisement.advertisement)) facts.push(publishedOf(advertisement));
  for (const order of open) emitOrder(order, facts);
  for (const deposit of otc.deposits()) facts.push({ type: 'MerchantDeposited', ...deposit });
}

/** A deadline is that of its present state. */
function emitOrder(order: OtcOrder, facts: Event[]): void {
  const { terms, status, dueAt, decision, appealedBy } = order;
  facts.push(createdOf(order, status === 'CREATED' ? dueAt : NEVER));
  if (status !== 'CREATED') facts.push(steppedOf(order));
  if (appealedBy !== 0) facts.push({ type: 'OtcDecisionAppealed', order: terms.order, by: appealedBy });
  if (decision !== undefined) facts.push(decidedOf(order, decision, dueAt));
}
