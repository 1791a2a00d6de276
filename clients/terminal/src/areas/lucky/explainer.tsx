import type { LuckyBlockRules } from '@orrery/api';
import { ChevronRight } from 'lucide-react';
import type { ReactElement } from 'react';
import { AddressLink } from '../explorer/chain-links.tsx';
import { useText } from '../../kit/i18n/text.tsx';
import { useFormat } from '../../kit/settings/use-format.ts';
import { FailedState } from '../../kit/ui/empty-state.tsx';
import { Skeleton } from '../../kit/ui/skeleton.tsx';
import { useLuckyRules } from './use-lucky-rules.ts';

function Rule({ rules }: { readonly rules: LuckyBlockRules }): ReactElement {
  const text = useText();
  const format = useFormat();
  const prefixes = rules.prefixes.slice(0, -1).join(', ');
  const lastPrefix = rules.prefixes.at(-1) ?? '';
  return (
    <>
      <p>{text('lucky.rule', { prefixes, lastPrefix, points: format.number(String(rules.points)) })}</p>
      {rules.isPaused && <p className="text-warn">{text('lucky.paused')}</p>}
      <p>{text('lucky.once')}</p>
      <p>{text('lucky.cap', { count: rules.winnersPerDay })}</p>
      <p>{text('lucky.when', { at: rules.announcedAt })}</p>
      <p>{rules.disclosure}</p>
      {rules.excluded.length > 0 && (
        <div>
          <p>{text('lucky.excluded')}</p>
          <ul className="mt-1 flex flex-wrap gap-x-4 gap-y-1">
            {rules.excluded.map((address) => (
              <li key={address}>
                <AddressLink address={address} />
              </li>
            ))}
          </ul>
        </div>
      )}
    </>
  );
}

/** What a lucky block is, for who wants to know. */
export function Explainer(): ReactElement {
  const text = useText();
  const { value: rules, phase, retry } = useLuckyRules();
  return (
    <details className="group border-b border-line">
      <summary className="flex list-none items-center gap-2 px-4 py-3 text-md font-semibold hover:bg-hover focus-visible:outline-offset-[-2px] [&::-webkit-details-marker]:hidden">
        <ChevronRight size={14} aria-hidden="true" className="text-fg3 transition-transform duration-[120ms] group-open:rotate-90" />
        {text('lucky.what')}
      </summary>
      <div className="flex max-w-[96ch] flex-col gap-2 pt-1 pe-4 pb-4 ps-[38px] text-md text-fg2">
        {phase === 'failed' && <FailedState onRetry={retry} />}
        {phase === 'loading' && <Skeleton className="w-64 max-w-full" />}
        {rules !== undefined && <Rule rules={rules} />}
      </div>
    </details>
  );
}
