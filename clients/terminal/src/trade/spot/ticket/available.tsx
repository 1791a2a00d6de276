/** What can be spent, and the way to more of it. */
import { CirclePlus } from 'lucide-react';
import type { ReactElement } from 'react';
import { printAtoms } from '@orrery/units';
import { useText } from '../../../kit/i18n/text.tsx';
import { openFundWallet } from '../../../areas/onboarding/actions.ts';
import { useFormat } from '../../../kit/settings/use-format.ts';
import { IconButton } from '../../../kit/ui/icon-button.tsx';
import type { TicketContext } from './ticket-context.ts';
import type { TicketForm } from './ticket-form.ts';

export function Available({ form, context }: { readonly form: TicketForm; readonly context: TicketContext }): ReactElement {
  const text = useText();
  const format = useFormat();
  const { market } = context;
  const isBuy = form.side === 'buy';
  const free = isBuy ? context.freeQuote : context.freeBase;
  const shown = format.own(free === undefined ? undefined : printAtoms(free, isBuy ? market.quoteDecimals : market.baseDecimals), {
    decimals: isBuy ? 2 : market.sizePrecision,
  });
  return (
    <div className="flex items-baseline justify-between gap-2 text-sm">
      <span className="text-fg2">{text('trade.ticket.available')}</span>
      <span className="flex items-center gap-1.5">
        {shown} {isBuy ? market.quoteName : market.baseName}
        <IconButton label={text('trade.ticket.addFunds')} className="-my-1 -me-1.5 size-6" onClick={() => void openFundWallet()}>
          <CirclePlus size={14} />
        </IconButton>
      </span>
    </div>
  );
}
