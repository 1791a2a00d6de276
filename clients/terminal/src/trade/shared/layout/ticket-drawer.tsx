/** The ticket of a window that has no room for it beside the chart. */
import type { ReactElement } from 'react';
import { useText } from '../../../kit/i18n/text.tsx';
import { Checklist } from '../../../areas/onboarding/checklist.tsx';
import { stepNames } from '../../../areas/onboarding/steps.ts';
import { Drawer } from '../../../kit/ui/drawer.tsx';
import { Panel } from '../../../kit/ui/panel.tsx';
import { useMarketKind } from '../../../market/market-kind.tsx';
import { columnsInView } from './arrangement.ts';
import { useArrangement } from './layout-memory.ts';

/** Not modal, and over the chart: the book beside it stays usable, and a price picked there lands in the ticket. */
export function TicketDrawer({ onClose }: { readonly onClose: () => void }): ReactElement {
  const text = useText();
  const { Ticket, Practice, ticket } = useMarketKind();
  const arrangement = useArrangement('narrow');
  const isBookBeside = columnsInView(arrangement, 'after', 'narrow').includes('book');
  return (
    <Drawer
      title={text('trade.ticket.title')}
      closeLabel={text('trade.ticket.close')}
      onClose={onClose}
      insetEnd={isBookBeside ? arrangement.widths.book : 0}
      className="w-[304px]"
    >
      <div className="flex flex-col divide-y divide-line">
        <Panel>
          <Ticket />
        </Panel>
        <Panel>
          <Checklist onFirstOrder={ticket.focus} onPage={stepNames} />
        </Panel>
        {Practice !== undefined && (
          <Panel>
            <Practice />
          </Panel>
        )}
      </div>
    </Drawer>
  );
}
