/** What an account has in funds: apart from its wallets, and worth what the last valuation says. Nothing where there is none. */
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import type { FundShare } from '@orrery/api';
import { compareDecimals, sumDecimals } from '../../kit/format/decimal.ts';
import { useText } from '../../kit/i18n/text.tsx';
import { useFormat } from '../../kit/settings/use-format.ts';
import { LoadedPanel } from '../../kit/ui/loaded-panel.tsx';
import { mapped } from '../../kit/ui/loaded.ts';
import type { Loaded } from '../../kit/ui/loaded.ts';
import { Section } from '../../kit/ui/page.tsx';
import { useData } from '../../platform/data/use-data.ts';

const POLL_MS = 60_000;

const useShares = (): Loaded<readonly FundShare[]> => useData({ name: 'fundMine', input: { query: {} }, of: 'account', pollMs: POLL_MS });

/** With what waits to be subscribed: it is in no wallet any more. */
const worthOf = ({ value, waiting }: FundShare): string => sumDecimals([value, waiting]);

/** In USDC. */
export const useFundsWorth = (): Loaded<string> => mapped(useShares(), (shares) => sumDecimals(shares.map(worthOf)));

function Held({ shares }: { readonly shares: readonly FundShare[] }): ReactElement {
  const text = useText();
  const format = useFormat();
  return (
    <>
      <ul>
        {shares.map((share) => (
          <li key={share.fundId} className="border-b border-line">
            <Link to="/fund/quanto" search={{ fund: share.fundId }} className="block px-4 py-2.5 text-md hover:bg-hover">
              <span className="flex items-center justify-between gap-4">
                <span className="text-fg2">{share.fundId}</span>
                <span className="font-medium">{format.ownFiat(worthOf(share))}</span>
              </span>
              <span className="text-sm text-fg3">{text('portfolio.fundsAsOf', { time: format.time(share.valuedAt) })}</span>
            </Link>
          </li>
        ))}
      </ul>
      <p className="px-4 py-2 text-sm text-fg2">{text('portfolio.fundsHint')}</p>
    </>
  );
}

const held = (shares: readonly FundShare[]): readonly FundShare[] => shares.filter((share) => compareDecimals(worthOf(share), '0') > 0);

export function FundShares(): ReactElement | null {
  const text = useText();
  const read = mapped(useShares(), held);
  const isNothing = read.value === undefined ? read.phase !== 'failed' : read.value.length === 0;
  if (isNothing) return null;
  return (
    <Section title={text('portfolio.funds')}>
      <LoadedPanel read={read} loading={null}>
        {(shares) => <Held shares={shares} />}
      </LoadedPanel>
    </Section>
  );
}
