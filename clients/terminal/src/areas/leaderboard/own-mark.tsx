import type { ReactElement } from 'react';
import { useText } from '../../kit/i18n/text.tsx';

/** Beside the reader's own address. */
export function OwnMark(): ReactElement {
  const text = useText();
  return <span className="rounded-sm border border-strong px-1 text-sm text-fg2">{text('board.you')}</span>;
}
