/** Opens the timeline of an order. */
import type { Order } from '@orrery/api';
import { History } from 'lucide-react';
import type { ReactElement } from 'react';
import { shownName } from '../../../market/market.ts';
import { useText } from '../../../kit/i18n/text.tsx';
import { useFormat } from '../../../kit/settings/use-format.ts';
import { lazyDialog, openDialog } from '../../../kit/ui/dialogs.tsx';
import { IconButton } from '../../../kit/ui/icon-button.tsx';

const TimelineDialog = lazyDialog(async () => (await import('./timeline-dialog.tsx')).TimelineDialog);

export function TimelineButton({ order }: { readonly order: Order }): ReactElement {
  const text = useText();
  const format = useFormat();
  const label = text('trade.tables.timelineOf', {
    side: text(order.orderSide === 'BUY' ? 'trade.buy' : 'trade.sell'),
    size: format.own(order.origQty ?? order.executedQty),
    coin: shownName(order.symbol.split('_')[0] ?? ''),
  });
  return (
    <IconButton label={label} className="size-7" onClick={() => void openDialog(TimelineDialog, { order })}>
      <History size={13} />
    </IconButton>
  );
}
