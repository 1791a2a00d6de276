/** What a button of an order is called: two orders of one size have names of their own, by their price and their trigger. */
import type { Order } from '@orrery/api';
import { useText } from '../../../kit/i18n/text.tsx';
import { useFormat } from '../../../kit/settings/use-format.ts';
import { shownName } from '../../../market/market.ts';
import { remainingOf } from '../../shared/tables/amendment.ts';

type What = 'amendOne' | 'cancelOne' | 'timelineOf';

export function useOrderName(): (what: What, order: Order) => string {
  const text = useText();
  const format = useFormat();
  return (what, order) => {
    const name = text(`trade.tables.${what}`, {
      side: text(order.orderSide === 'BUY' ? 'trade.buy' : 'trade.sell'),
      size: what === 'timelineOf' ? format.own(order.origQty ?? order.executedQty) : format.number(remainingOf(order)),
      coin: shownName(order.symbol.split('_')[0] ?? ''),
    });
    const places = [
      order.price !== null && text('trade.tables.at', { price: format.number(order.price) }),
      order.stopPrice !== null && text('trade.tables.triggerAt', { price: format.number(order.stopPrice) }),
    ].filter((place) => place !== false);
    return places.length === 0 ? name : `${name} ${places.join(', ')}`;
  };
}
