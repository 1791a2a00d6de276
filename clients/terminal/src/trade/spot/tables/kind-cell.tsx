/** What an order is: its kind, and what it belongs to or brings with it. */
import type { Order } from '@orrery/api';
import type { ReactElement } from 'react';
import { multiplyDecimals } from '../../../kit/format/decimal.ts';
import { useText } from '../../../kit/i18n/text.tsx';
import { useFormat } from '../../../kit/settings/use-format.ts';

type Kind = Pick<
  Order,
  | 'orderType'
  | 'groupId'
  | 'parentId'
  | 'callbackRate'
  | 'activationPrice'
  | 'activated'
  | 'triggerProfitPrice'
  | 'triggerStopPrice'
  | 'stallReason'
>;

export function useKindWords(): (order: Kind) => { readonly kind: string; readonly notes: string } {
  const text = useText();
  const format = useFormat();
  return (order) => {
    const { parentId, groupId, callbackRate, activationPrice, activated, triggerProfitPrice, triggerStopPrice, stallReason } = order;
    const notes = [
      parentId !== null ? text('spotOrder.ofPurchase') : groupId !== null && text('spotOrder.pair'),
      callbackRate !== null && text('spotOrder.callback', { rate: multiplyDecimals(callbackRate, '100') }),
      activationPrice !== null && activated === false && text('spotOrder.from', { price: format.number(activationPrice) }),
      triggerProfitPrice !== null && text('spotOrder.takeProfit', { price: format.number(triggerProfitPrice) }),
      triggerStopPrice !== null && text('spotOrder.stopLoss', { price: format.number(triggerStopPrice) }),
      stallReason !== null && text('spotOrder.stalled'),
    ].filter((note) => note !== false);
    return { kind: text(`trade.tables.type.${order.orderType}`), notes: notes.join(' · ') };
  };
}

export function KindCell({ order }: { readonly order: Kind }): ReactElement {
  const { kind, notes } = useKindWords()(order);
  return (
    <span className="inline-flex flex-col leading-tight">
      <span>{kind}</span>
      {notes !== '' && <span className="text-sm text-fg3">{notes}</span>}
    </span>
  );
}
