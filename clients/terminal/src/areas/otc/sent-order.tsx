/** An order that was sent and has no answer: it is looked for, and can be sent again. */
import type { ReactElement } from 'react';
import { useText } from '../../kit/i18n/text.tsx';
import { showError } from '../../kit/ui/toast.ts';
import { Unanswered } from '../../kit/ui/unanswered.tsx';
import { toastText } from '../../platform/client/failure.ts';
import type { Once } from '../../platform/session/use-once.ts';
import { coinName } from '../balances/coin-name.ts';
import type { NewOtcOrder } from './open-otc-orders.ts';
import { useOtcWords } from './use-otc.ts';

interface SentOrderProps {
  readonly order: NewOtcOrder;
  readonly once: Pick<Once<NewOtcOrder>, 'repeat' | 'drop'>;
}

export function SentOrder({ order: { side, coin, shownTotal, currency }, once }: SentOrderProps): ReactElement {
  const text = useText();
  const words = useOtcWords();
  return (
    <Unanswered
      label={text('otc.unanswered')}
      onRepeat={() => void once.repeat().catch((error: unknown) => showError(toastText(error)))}
      onDrop={once.drop}
    >
      {text(`otc.sent.${side}`, { coin: coinName(coin), total: words.money(shownTotal, currency) })}
    </Unanswered>
  );
}
