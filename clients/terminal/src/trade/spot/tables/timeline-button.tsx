/** Opens the timeline of an order. */
import type { Order } from '@orrery/api';
import { History } from 'lucide-react';
import type { ReactElement } from 'react';
import { lazyDialog, openDialog } from '../../../kit/ui/dialogs.tsx';
import { IconButton } from '../../../kit/ui/icon-button.tsx';
import { useOrderName } from './use-order-name.ts';

const TimelineDialog = lazyDialog(async () => (await import('./timeline-dialog.tsx')).TimelineDialog);

export function TimelineButton({ order }: { readonly order: Order }): ReactElement {
  const nameOf = useOrderName();
  return (
    <IconButton label={nameOf('timelineOf', order)} className="size-7" onClick={() => void openDialog(TimelineDialog, { order })}>
      <History size={13} />
    </IconButton>
  );
}
