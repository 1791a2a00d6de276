/** The order button says what it does, in numbers once there are any. */
import type { ReactElement } from 'react';
import { useText } from '../../../kit/i18n/text.tsx';
import { useFormat } from '../../../kit/settings/use-format.ts';
import { Button } from '../../../kit/ui/button.tsx';
import { useMarket } from '../../../market/market-context.tsx';
import type { OrderDraft } from './order-draft.ts';

export interface SubmitButtonProps {
  readonly side: 'buy' | 'sell';
  readonly draft: OrderDraft | undefined;
  /** It is on its way. */
  readonly busy: boolean;
}

function useWords(side: 'buy' | 'sell', draft: OrderDraft | undefined): string {
  const text = useText();
  const format = useFormat();
  const { baseName: coin, quoteName: quote } = useMarket();
  const isBuy = side === 'buy';
  if (draft?.funds !== undefined) return text('trade.ticket.submitBuyFor', { coin, funds: format.number(draft.funds), quote });
  if (draft?.size === undefined) return text(isBuy ? 'trade.ticket.submitPlainBuy' : 'trade.ticket.submitPlainSell', { coin });
  return text(isBuy ? 'trade.ticket.submitBuy' : 'trade.ticket.submitSell', { size: format.number(draft.size), coin });
}

export function SubmitButton({ side, draft, busy }: SubmitButtonProps): ReactElement {
  const { state } = useMarket();
  const words = useWords(side, draft);
  return (
    <Button type="submit" kind={side === 'buy' ? 'up' : 'down'} size="large" busy={busy} disabled={state !== 'TRADING'} className="w-full">
      {words}
    </Button>
  );
}
