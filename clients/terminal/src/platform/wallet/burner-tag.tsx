import type { ReactElement } from 'react';
import { useText } from '../../kit/i18n/text.tsx';

/** Marks the wallet whose key lies open in this browser, wherever it appears. */
export function BurnerTag(): ReactElement {
  const text = useText();
  return <span className="rounded-sm border border-warn px-1 text-sm leading-4 font-medium text-warn">{text('wallet.burner.tag')}</span>;
}
