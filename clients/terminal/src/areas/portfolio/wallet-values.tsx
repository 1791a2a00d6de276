/** The value of each wallet, and the way to its page. */
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { inWallet, useBalances } from '../balances/use-balances.ts';
import type { WalletName } from '../balances/use-balances.ts';
import { WALLETS, wallets } from '../balances/wallets.ts';
import { sumDecimals } from '../../kit/format/decimal.ts';
import { useText } from '../../kit/i18n/text.tsx';
import { useFormat } from '../../kit/settings/use-format.ts';
import { Section } from '../../kit/ui/page.tsx';
import { Skeleton } from '../../kit/ui/skeleton.tsx';

export function WalletValues(): ReactElement {
  const text = useText();
  const format = useFormat();
  const { value: rows, phase } = useBalances();
  const valueOf = (name: WalletName): string | undefined => {
    const counted = inWallet(rows, name);
    return counted && sumDecimals(counted.map((row) => row.estimatedTotalAmount ?? '0'));
  };
  return (
    <Section title={text('portfolio.wallets')}>
      <ul>
        {WALLETS.map((name) => (
          <li key={name} className="border-b border-line last:border-0">
            <Link to={wallets[name].page} className="flex items-center justify-between gap-4 px-4 py-2.5 text-md hover:bg-hover">
              <span className="text-fg2">{text(wallets[name].label)}</span>
              <span className="font-medium">{phase === 'loading' ? <Skeleton className="w-20" /> : format.ownFiat(valueOf(name))}</span>
            </Link>
          </li>
        ))}
      </ul>
    </Section>
  );
}
