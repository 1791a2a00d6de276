/** Scale order of a market of spot. */
import type { ReactElement } from 'react';
import { act } from '../../../platform/data/calls.ts';
import type { TradedMarket } from '../../../market/market.ts';
import type { Dialogue } from '../../../kit/ui/dialogs.tsx';
import { useTicketContext } from '../ticket/use-ticket-context.ts';
import { ScaleFrame } from '../../shared/dialogs/scale-frame.tsx';
import { readScale, scaleRequests } from './scale-order.ts';
import { useActor } from '../../../kit/storage/account-in-view.ts';

export function ScaleDialog({ market, resolve, close }: Dialogue<true> & { readonly market: TradedMarket }): ReactElement {
  const by = useActor();
  const context = useTicketContext(market);
  return (
    <ScaleFrame
      market={market}
      read={(form) => readScale(form, context)}
      place={({ form, rungs, ids }) => act('createOrders', { body: { orders: scaleRequests(form.side, context, rungs, ids) } }, by)}
      onDone={() => resolve(true)}
      onClose={close}
    />
  );
}
