/**
 * What a snapshot holds of orders of spot markets that wait: in layout 7, of rules 8, while one of them has terms of its own, since layout 8 always. The order of the fields
 * is the format of the layout.
 */
import { anyOrderField, fields, list, record, type Field, type Order } from '@orrery/protocol';
import type { Atoms, OrderId } from '@orrery/units';
import type { Exchange } from '../exchange.ts';
import type { Purchase } from '../orders/purchase.ts';
import type { TrailMark } from '../triggers/trail.ts';
import { byId } from './in-order.ts';

interface PurchaseSnapshot {
  readonly parent: Order;
  readonly received: Atoms;
  readonly protection: OrderId | 0;
  readonly isGivenUp: boolean;
  /** Whether it has traded or ended and was not looked at yet. */
  readonly isDue: boolean;
}

export interface SpotTermsSnapshot {
  /** Orders of spot markets that wait for a price that stands still, by market, in the order in which they are reached. */
  readonly standing: readonly OrderId[];
  /** What trailing stops have seen, by market, in the order in which they began to follow. */
  readonly following: readonly TrailMark[];
  /** By the ids of their orders. */
  readonly purchases: readonly PurchaseSnapshot[];
}

export const NO_SPOT_TERMS: SpotTermsSnapshot = { standing: [], following: [], purchases: [] };

export const spotTermsFields: { readonly [Part in keyof SpotTermsSnapshot]: Field<SpotTermsSnapshot[Part]> } = {
  standing: list(fields.order),
  following: list(record<TrailMark>({ orderId: fields.order, extreme: fields.price, reached: fields.price })),
  purchases: list(
    record<PurchaseSnapshot>({
      parent: anyOrderField,
      received: fields.amount,
      protection: fields.optionalOrder,
      isGivenUp: fields.truth,
      isDue: fields.truth,
    }),
  ),
};

interface Termed {
  readonly rules: number;
  readonly orders: Iterable<{ readonly order: Order }>;
  readonly purchases: Iterable<unknown>;
}

/** Whether a state has this part: since rules 9 every one has, since an order without terms of its own may have stalled and stand behind others of its price. */
export function hasSpotTerms({ rules, orders, purchases }: Termed): boolean {
  if (rules >= 9) return true;
  for (const { order } of orders) if (order.spot !== undefined) return true;
  for (const _ of purchases) return true;
  return false;
}

export function takeSpotTerms(exchange: Exchange): SpotTermsSnapshot {
  if (!hasSpotTerms(exchange)) return NO_SPOT_TERMS;
  const { markets, purchases, bought } = exchange;
  const listed = byId(markets);
  return {
    standing: listed.flatMap(({ triggers }) => triggers.standing()),
    following: listed.flatMap(({ triggers }) => triggers.trailsOfLast()),
    purchases: [...purchases].sort(([left], [right]) => left - right).map(([id, purchase]) => ({ ...purchase, isDue: bought.has(id) })),
  };
}

/** The orders that wait, behind those that rest. Holds are in the balances already. */
export function restoreSpotTerms({ orders, purchases, bought }: Exchange, snapshot: SpotTermsSnapshot): void {
  for (const mark of snapshot.following) {
    const open = orders.known(mark.orderId);
    open.slot = open.market.triggers.restoreTrailing(open.order, mark);
  }
  for (const { parent, isDue, ...rest } of snapshot.purchases) {
    purchases.set(parent.orderId, { parent, ...rest } satisfies Purchase);
    if (isDue) bought.add(parent.orderId);
  }
}
