/** Leads a newcomer to a practice liquidation, where practice contracts are listed. Gone once one was seen, and on the page where it is done. */
import { Link, useLocation } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { useData } from '../../platform/data/use-data.ts';
import { useText } from '../../kit/i18n/text.tsx';
import { useSession } from '../../platform/session/session.ts';

export const PRACTICE_CONTRACT = 'BTC_PRACTICE';

export function PracticeInvitation(): ReactElement | null {
  const text = useText();
  const isReady = useSession((state) => state.signedIn?.termsAccepted === true);
  const isThere = useLocation({ select: ({ pathname }) => pathname.endsWith('_PRACTICE') });
  const symbols = useData({ name: 'futuresSymbols', of: 'everybody', staleMs: 60_000, when: isReady && !isThere }).value;
  const isListed = symbols?.some(({ symbol }) => symbol === PRACTICE_CONTRACT) === true;
  const seen = useData({
    name: 'liquidations',
    input: { query: { symbol: PRACTICE_CONTRACT, page: 1, size: 1 } },
    of: 'account',
    when: isReady && !isThere && isListed,
  }).value;
  if (!isReady || isThere || !isListed || seen === undefined || seen.items.length > 0) return null;
  return (
    <section aria-label={text('practice.title')} className="border-t border-line p-2.5">
      <h2 className="text-md font-semibold">{text('practice.title')}</h2>
      <p className="text-sm text-fg2">{text('practice.lead')}</p>
      <Link to="/trade/futures/$pair" params={{ pair: PRACTICE_CONTRACT }} className="text-sm font-medium text-fg underline">
        {text('practice.invite')}
      </Link>
    </section>
  );
}
