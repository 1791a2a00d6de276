/** An order of the ticket in one line of words. */
import { say } from '../../../kit/i18n/text.tsx';
import { formatDecimal } from '../../../kit/format/number-format.ts';
import { useSettings } from '../../../kit/settings/settings.ts';
import { orderWords } from '../order-words.ts';
import type { OrderDraft } from './order-draft.ts';
import { orderRequest } from './order-request.ts';

export function draftWords(draft: OrderDraft): string {
  const words = orderWords(orderRequest(draft, ''));
  const format = useSettings.getState().numberFormat;
  return draft.kind === 'pair' ? `${words}, ${say('trade.done.pairStop', { trigger: formatDecimal(draft.trigger, { format }) })}` : words;
}
