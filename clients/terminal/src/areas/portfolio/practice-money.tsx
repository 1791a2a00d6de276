/** What an account has to practise with: apart from everything that has a value. Nothing where there is none. */
import type { ReactElement } from 'react';
import { useData } from '../../platform/data/use-data.ts';
import { useText } from '../../kit/i18n/text.tsx';
import { useSession } from '../../platform/session/session.ts';
import { useFormat } from '../../kit/settings/use-format.ts';
import { Section } from '../../kit/ui/page.tsx';

export function PracticeMoney(): ReactElement | null {
  const text = useText();
  const format = useFormat();
  const when = useSession((state) => state.signedIn !== undefined);
  const account = useData({ name: 'futuresAccount', of: 'account', when }).value;
  const own = account?.accounts.find(({ underlyingType }) => underlyingType === 'PRACTICE');
  if (own === undefined || !/[1-9]/.test(own.walletBalance)) return null;
  const rows = [
    ['practice.money.wallet', own.walletBalance],
    ['practice.money.equity', own.equity],
  ] as const;
  return (
    <Section title={text('practice.money')}>
      <p className="px-4 py-2 text-sm text-fg2">{text('practice.money.lead')}</p>
      <dl>
        {rows.map(([name, amount]) => (
          <div key={name} className="flex items-center justify-between gap-4 border-t border-line px-4 py-2.5 text-md">
            <dt className="text-fg2">{text(name)}</dt>
            <dd className="font-medium">
              {format.own(amount ?? undefined, { decimals: 2 })} {own.settleCoin}
            </dd>
          </div>
        ))}
      </dl>
    </Section>
  );
}
