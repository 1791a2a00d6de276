/** The ticket comes after the chart and the book, in a place of its height. */

import type { ReactElement } from 'react';
import { lazyPart } from '../../kit/ui/lazy-part.ts';
import { Panel } from '../../kit/ui/panel.tsx';

const ContractTicket = lazyPart(async () => (await import('./ticket/contract-ticket.tsx')).ContractTicket);

export function FuturesTicket(): ReactElement {
  return (
    <Panel loading={<div className="min-h-[420px] shrink-0" />}>
      <ContractTicket />
    </Panel>
  );
}
