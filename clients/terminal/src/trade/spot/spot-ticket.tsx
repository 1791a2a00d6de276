/** The ticket of a spot market, and below it the way to a scale of orders. */
import type { ReactElement } from 'react';
import { useText } from '../../kit/i18n/text.tsx';
import { Button } from '../../kit/ui/button.tsx';
import { lazyDialog, openDialog } from '../../kit/ui/dialogs.tsx';
import { useMarket } from '../../market/market-context.tsx';
import { Ticket } from './ticket/ticket.tsx';
import { useMayOrder } from '../shared/ticket/ticket-gate.tsx';

const ScaleDialog = lazyDialog(async () => (await import('./scale/scale-dialog.tsx')).ScaleDialog);

export function SpotTicket(): ReactElement {
  const text = useText();
  const market = useMarket();
  const mayOrder = useMayOrder();
  return (
    <div className="shrink-0">
      <Ticket />
      {mayOrder && market.state === 'TRADING' && (
        <div className="px-2.5 pb-2.5">
          <Button size="small" kind="quiet" className="w-full" onClick={() => void openDialog(ScaleDialog, { market })}>
            {text('trade.ticket.scale')}
          </Button>
        </div>
      )}
    </div>
  );
}
