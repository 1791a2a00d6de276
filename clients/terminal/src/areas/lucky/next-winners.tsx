import type { ReactElement } from 'react';
import { formatCountdown } from '../../kit/format/time.ts';
import { useText } from '../../kit/i18n/text.tsx';
import { useServerNow } from '../../platform/client/server-clock.ts';
import { useLuckyRules } from './use-lucky-rules.ts';

/** Counts down to the next announcement of winners. */
export function NextWinners(): ReactElement | null {
  const text = useText();
  const now = useServerNow(1_000);
  const { value: rules } = useLuckyRules();
  if (rules === undefined) return null;
  return <p>{text('lucky.next', { span: formatCountdown(rules.nextAnnouncementAt - now) })}</p>;
}
