import { LUCKY_BLOCK_POINTS } from '@orrery/api';
import { Link } from '@tanstack/react-router';
import { Clover } from 'lucide-react';
import type { ReactElement } from 'react';
import { useText } from '../../kit/i18n/text.tsx';
import { useFormat } from '../../kit/settings/use-format.ts';

/** Says that a block is lucky, and what that means for its winner. */
export function LuckyMark({ of }: { readonly of: 'block' | 'transaction' }): ReactElement {
  const text = useText();
  const format = useFormat();
  return (
    <span className="inline-flex items-baseline gap-1.5">
      <Clover size={14} aria-hidden="true" className="shrink-0 self-center text-ok" />
      <Link to="/rewards/lucky-block" className="text-focus hover:underline">
        {text(`explorer.lucky.${of}`, { points: format.number(String(LUCKY_BLOCK_POINTS)) })}
      </Link>
    </span>
  );
}
