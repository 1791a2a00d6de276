/** The ticket comes after the chart and the book, in a place of its height. */
import { Suspense } from 'react';
import type { ReactElement } from 'react';
import { lazyPart } from '../../ui/lazy-part.ts';

const ContractTicket = lazyPart(async () => (await import('./ticket/contract-ticket.tsx')).ContractTicket);

export function FuturesTicket(): ReactElement {
  return (
    <Suspense fallback={<div className="min-h-[420px] shrink-0" />}>
      <ContractTicket />
    </Suspense>
  );
}
